"""The ordinance that a layer's zones are looked up in: a code's live provisions in their hierarchy."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from serving.contract.records import IN_FORCE

COLUMNS = (
    "node_id",
    "identifier",
    "parent_id",
    "level",
    "num",
    "heading",
    "citation",
    "citable",
    "text",
    "status",
)
"""Of the provisions table: what linking reads."""

_ZONING = re.compile(
    r"\b(?:zoning|land[ -]use|planning|(?:land|unified) development|development code)\b", re.IGNORECASE
)
_DISTRICTS = re.compile(r"\b(?:districts?|zones?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OrdinanceNode:
    """A live provision.

    Attributes:
        place: its place in document order.
        is_container: a chapter or article, not a section.
    """

    place: int
    node_id: str
    identifier: str
    parent_id: str | None
    level: str
    num: str
    heading: str
    citation: str
    text: str
    is_container: bool

    @property
    def label(self) -> str:
        """The provision's name in evidence: its citation, or level and number."""
        return self.citation or f"{self.level.capitalize()} {self.num}".strip()


class Ordinance:
    """The live provisions of one code body, in document order."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take rows with the fields `COLUMNS`."""
        self.nodes = [_node(place, row) for place, row in enumerate(rows) if row["status"] == IN_FORCE]
        self._by_id = {node.node_id: node for node in self.nodes}
        self._by_identifier = {node.identifier: node for node in self.nodes}

    @classmethod
    def load(cls, provisions: Path) -> "Ordinance":
        """Read a code body's `provisions.parquet`."""
        return cls(pq.read_table(provisions, columns=list(COLUMNS)).to_pylist())

    def find(self, identifier: str) -> OrdinanceNode | None:
        """Return the live provision with a canonical identifier."""
        return self._by_identifier.get(identifier)

    def get(self, node_id: str) -> OrdinanceNode | None:
        """Return the live provision with an id."""
        return self._by_id.get(node_id)

    def ancestors(self, node: OrdinanceNode) -> Iterator[OrdinanceNode]:
        """Yield what holds a provision, the nearest first."""
        parent = self._by_id.get(node.parent_id or "")
        while parent is not None:
            yield parent
            parent = self._by_id.get(parent.parent_id or "")

    def is_zoning(self, node: OrdinanceNode) -> bool:
        """Tell whether a provision stands where land is zoned: its heading or one above it says so.

        In a code that speaks of zoning nowhere, headings with districts or zones must do.
        """
        return node.node_id in self._zoning

    @cached_property
    def _zoning(self) -> frozenset[str]:
        return self._under(_ZONING) or self._under(_DISTRICTS)

    def _under(self, words: re.Pattern[str]) -> frozenset[str]:
        found: set[str] = set()
        for node in self.nodes:
            if node.parent_id in found or words.search(node.heading):
                found.add(node.node_id)
        return frozenset(found)

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that the texts hold in lower case: what is among them is no code."""
        words: set[str] = set()
        for node in self.nodes:
            words.update(re.findall(r"(?<![\w.-])[a-z]+(?:-[a-z]+)*(?![\w-])", node.text))
        return frozenset(words)


def _node(place: int, row: Mapping[str, Any]) -> OrdinanceNode:
    return OrdinanceNode(
        place=place,
        node_id=row["node_id"],
        identifier=row["identifier"],
        parent_id=row["parent_id"],
        level=row["level"],
        num=row["num"] or "",
        heading=" ".join(row["heading"].split()),
        citation=row["citation"],
        text=row["text"],
        is_container=not row["citable"],
    )

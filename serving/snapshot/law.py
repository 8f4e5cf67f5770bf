"""The law of a snapshot for resolving citations: its nodes, their citations, and the grammar."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from serving.contract.citations import Grammar
from serving.contract.layout import CITATIONS, CITING, NODES
from serving.contract.manifest import CodeBodyEntry
from serving.snapshot.citations import CitationTable
from serving.snapshot.citing import open_grammar
from serving.snapshot.nodes import Description, NodeTable


class LawNodes(Protocol):
    """The part of the node table that the resolver reads, by rows."""

    def describe(self, row: int) -> Description:
        """Return the description of a node for a list of results."""
        ...

    def status(self, row: int) -> str:
        """Return the status."""
        ...

    def code_body(self, row: int) -> CodeBodyEntry:
        """Return the code body that the node belongs to."""
        ...

    def answer(self, row: int) -> Mapping[str, Any]:
        """Return the answer of the node endpoint as values; `id`, `ancestors`, `outline`, `notes`, `text`."""
        ...


class Law(Protocol):
    """The tables that the resolver reads. A build uses them before there are answers, to link these."""

    @property
    def code_bodies(self) -> Sequence[CodeBodyEntry]:
        """Code bodies in the order of the tables' indexes."""
        ...

    @property
    def nodes(self) -> LawNodes:
        """The table of nodes."""
        ...

    @property
    def citations(self) -> CitationTable:
        """The table of citations under which nodes are found."""
        ...

    @property
    def grammar(self) -> Grammar:
        """The grammar of citations."""
        ...


class CitedLaw:
    """The law of a snapshot. A build opens it before the snapshot exists, to judge the coming one."""

    def __init__(
        self, code_bodies: tuple[CodeBodyEntry, ...], *, nodes_folder: Path, citations_folder: Path
    ) -> None:
        """Map the tables.

        Args:
            code_bodies: code bodies, in the order of the tables' indexes.
            nodes_folder: folder with `nodes.arrow`.
            citations_folder: folder with `citations.arrow` and `citing.json`.

        Raises:
            SnapshotCorruptError: a table is missing or has another schema.
        """
        self.code_bodies = code_bodies
        self.nodes = NodeTable(nodes_folder / NODES, code_bodies)
        self.citations = CitationTable(citations_folder / CITATIONS)
        self._citing = citations_folder / CITING

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar of citations, compiled on first use, which takes a tenth of a second or two."""
        return open_grammar(self._citing)

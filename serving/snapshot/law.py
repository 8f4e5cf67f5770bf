"""The law of a snapshot as citations are resolved in it: nodes, their citations, and how law is cited."""

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
    """What the resolver reads of nodes, by their rows."""

    def describe(self, row: int) -> Description:
        """Return what a list of results says of a node."""
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
    """What the resolver reads. A build has it before there are answers, to lead the references in them."""

    @property
    def code_bodies(self) -> Sequence[CodeBodyEntry]:
        """In the order of the tables' indexes."""
        ...

    @property
    def nodes(self) -> LawNodes:
        """The nodes."""
        ...

    @property
    def citations(self) -> CitationTable:
        """The citations under which nodes are found."""
        ...

    @property
    def grammar(self) -> Grammar:
        """How law is cited."""
        ...


class CitedLaw:
    """The law of a snapshot. A build opens it before there is one, to judge what will be one."""

    def __init__(
        self, code_bodies: tuple[CodeBodyEntry, ...], *, nodes_folder: Path, citations_folder: Path
    ) -> None:
        """Map the tables.

        Args:
            code_bodies: in the order of the tables' indexes.
            nodes_folder: with `nodes.arrow`.
            citations_folder: with `citations.arrow` and `citing.json`.

        Raises:
            SnapshotCorruptError: a table is missing or of another form.
        """
        self.code_bodies = code_bodies
        self.nodes = NodeTable(nodes_folder / NODES, code_bodies)
        self.citations = CitationTable(citations_folder / CITATIONS)
        self._citing = citations_folder / CITING

    @cached_property
    def grammar(self) -> Grammar:
        """How law is cited, compiled on first use, which takes up to a second."""
        return open_grammar(self._citing)

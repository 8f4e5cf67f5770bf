"""The law of a snapshot as citations are resolved in it: nodes, their citations, and how law is cited."""

from functools import cached_property
from pathlib import Path

from serving.contract.citations import Grammar
from serving.contract.layout import CITATIONS, CITING, NODES
from serving.contract.manifest import CodeBodyEntry
from serving.snapshot.citations import CitationTable
from serving.snapshot.citing import open_grammar
from serving.snapshot.nodes import NodeTable


class CitedLaw:
    """What the resolver reads. A build opens it before there is a snapshot, to judge what will be one."""

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
        """How law is cited, compiled on first use, which takes a quarter of a second."""
        return open_grammar(self._citing)

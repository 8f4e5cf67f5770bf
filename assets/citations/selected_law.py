"""The law of a selection in the form that the resolver reads, before any answer is made."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import Selection
from serving.contract.citations import Grammar
from serving.contract.manifest import CodeBodyEntry
from serving.snapshot.citations import CitationTable
from serving.snapshot.nodes import Description


class SelectedNodes:
    """Nodes of a selection, by row. Their answers hold ids alone: no text, outline or note is made yet."""

    def __init__(self, selection: Selection, code_bodies: Sequence[CodeBodyEntry]) -> None:
        """Hold the light columns of a selection's provisions."""
        names = ("node_id", "citation", "heading", "level", "status")
        columns = (selection.provisions.column(name).to_pylist() for name in names)
        self._ids, self._citations, self._headings, self._levels, self._statuses = columns
        self._parents: list[int] = selection.numbering.parents.tolist()
        self._positions: list[int] = selection.numbering.positions.tolist()
        self._bodies: list[int] = selection.body_of_positions().tolist()
        self._code_bodies = code_bodies

    def position(self, row: int) -> int:
        """Return the position of the provision in a row."""
        return self._positions[row]

    def describe(self, row: int) -> Description:
        """Return what a list of results says of a node, without its tags."""
        position = self._positions[row]
        return (
            self._ids[position],
            self._citations[position],
            self._headings[position],
            self._levels[position],
            self._statuses[position],
            (),
        )

    def status(self, row: int) -> str:
        """Return the status."""
        status: str = self._statuses[self._positions[row]]
        return status

    def code_body(self, row: int) -> CodeBodyEntry:
        """Return the code body that the node belongs to."""
        return self._code_bodies[self._bodies[self._positions[row]]]

    def answer(self, row: int) -> Mapping[str, Any]:
        """Return what is known of the node's answer: nothing of its text and credit, which no link needs."""
        position = self._positions[row]
        ancestors = []
        parent = self._parents[position]
        while parent >= 0:
            ancestors.append({"id": self._ids[parent]})
            parent = self._parents[parent]
        unknown: dict[str, Any] = {"num": None, "sourceCredit": None, "outline": [], "notes": [], "text": ""}
        return {"id": self._ids[position], "ancestors": ancestors, **unknown}


class SelectedLaw:
    """A selection, its written `citations.arrow`, and the grammar."""

    def __init__(self, selection: Selection, citations: Path, grammar: Grammar) -> None:
        """Map the table of citations."""
        self.code_bodies = code_body_entries(selection)
        self.nodes = SelectedNodes(selection, self.code_bodies)
        self.citations = CitationTable(citations)
        self.grammar = grammar

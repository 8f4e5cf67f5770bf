"""Build the keyword index: one Tantivy document a node without its text, and the terms of each in order."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import tantivy

from assets.errors import BuildError
from assets.search.terms import TermWriter
from assets.selection.hierarchy import Hierarchy, build_hierarchy
from assets.selection.selection import Selection
from assets.selection.sidecar import write_sidecar
from serving.contract import indexes
from serving.contract.layout import KEYWORD, TERMS
from serving.contract.records import Jurisdiction

_HEAP_BYTES = 1_000_000_000
"""As much as one segment of all documents needs: Tantivy writes a segment whenever it is full."""


def build_keyword_index(
    selection: Selection, destination: Path, *, progress: Callable[[int], None] = lambda _: None
) -> dict[str, int]:
    """Write the index into the empty folder `destination`.

    Documents stand in reading order, which breaks ties between equal scores.

    Args:
        selection: what the snapshot is built from.
        destination: takes the folders `keyword` and `terms`.
        progress: called with the number of nodes done since the last call.

    Returns:
        `documents` and `segments`.

    Raises:
        BuildError: the finished index does not hold every node.
    """
    folder = destination / KEYWORD
    folder.mkdir()
    index = tantivy.Index(indexes.keyword_schema(), path=str(folder))
    index.register_tokenizer(indexes.ANALYZER, indexes.legal_analyzer())
    # One thread: several would each write segments of their own, in no stable order.
    writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
    describe = _Describer(selection, build_hierarchy(selection))
    terms = TermWriter(len(selection))
    for first, batch in selection.batches(["text"]):
        for position, text in enumerate(batch.column(0).to_pylist(), first):
            words = describe.words(position, text)
            writer.add_document(describe.document(position, words))
            terms.add(describe.row(position), words.heading, words.citations, words.rest)
        progress(batch.num_rows)
    (destination / TERMS).mkdir()
    terms.write(destination / TERMS)
    writer.commit()
    writer.wait_merging_threads()
    del writer
    for lock in folder.glob(".tantivy-*.lock"):
        lock.unlink()
    index.reload()
    searcher = index.searcher()
    counts = {"documents": searcher.num_docs, "segments": searcher.num_segments}
    if counts["documents"] != len(selection):
        raise BuildError(f"The keyword index holds {counts['documents']} of {len(selection)} nodes.")
    write_sidecar(destination, selection.inputs, used=("provisions",), counts=counts)
    return counts


class _Words(NamedTuple):
    """Text of a provision that a query may match: `rest` is the headings above it and its own text."""

    heading: str
    citations: list[str]
    rest: list[str]


class _Describer:
    """Turns provisions into documents."""

    def __init__(self, selection: Selection, hierarchy: Hierarchy) -> None:
        table = selection.provisions
        columns = ("num", "heading", "citation", "citable", "level", "status", "tags")
        self._columns = {name: table.column(name).to_pylist() for name in columns}
        self._rows = selection.numbering.rows.tolist()
        self._body_of = selection.body_of_positions().tolist()
        self._bodies = selection.bodies
        self._scopes = [
            scope_upwards(entry.body.jurisdiction, selection.jurisdictions) for entry in selection.bodies
        ]
        self._hierarchy = hierarchy

    def row(self, position: int) -> int:
        row: int = self._rows[position]
        return row

    def words(self, position: int, text: str) -> _Words:
        columns = self._columns
        citations = [columns["citation"][position]]
        if not columns["citable"][position] and columns["num"][position]:
            citations.append(f"{columns['level'][position]} {columns['num'][position]}")
        context = [columns["heading"][ancestor] for ancestor in self._hierarchy.ancestors(position)]
        return _Words(columns["heading"][position], citations, [*context, text])

    def document(self, position: int, words: _Words) -> tantivy.Document:
        columns = self._columns
        body = self._body_of[position]
        document = tantivy.Document()
        document.add_unsigned(indexes.ROW, self._rows[position])
        document.add_float(indexes.WEIGHT, indexes.SECTION_WEIGHT if columns["citable"][position] else 0.0)
        document.add_text(indexes.HEADING, indexes.joined_words(words.heading))
        for name in words.citations:
            document.add_text(indexes.CITATION, indexes.joined_words(name))
        for value in (words.heading, *words.citations, *words.rest):
            if value:
                document.add_text(indexes.BODY, indexes.joined_words(value))
        for scope in self._scopes[body]:
            document.add_text(indexes.SCOPE, scope)
        document.add_text(indexes.JURISDICTION, self._bodies[body].body.jurisdiction)
        document.add_text(indexes.CODE_BODY, self._bodies[body].id)
        document.add_text(indexes.LEVEL, columns["level"][position])
        document.add_text(indexes.STATUS, columns["status"][position])
        for tag in columns["tags"][position]:
            document.add_text(indexes.TAG, tag)
        return document


def scope_upwards(short_code: str, jurisdictions: tuple[Jurisdiction, ...]) -> tuple[str, ...]:
    """Return a short code and those of the jurisdictions that it is a part of."""
    parents = {entry.short_code: entry.parent for entry in jurisdictions}
    scope = []
    code: str | None = short_code
    while code is not None:
        scope.append(code)
        code = parents[code]
    return tuple(scope)

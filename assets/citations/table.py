"""Write `citations.arrow`: every provision under the keys by which it is cited."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from assets.citations.members import members_of
from assets.ingest.container_numbers import container_numbers
from assets.selection.selection import Selection
from serving.contract.citations import format_section
from serving.contract.citations.grammar import Grammar
from serving.contract.citations.keys import citation_key, container_key
from serving.contract.records import SNAPSHOT_CITATIONS


class CitationEntry(NamedTuple):
    """One row of `citations.arrow`; `position` counts provisions in the order of the tables."""

    key: str
    position: int
    whole: bool


def citation_entries(selection: Selection, grammar: Grammar) -> list[CitationEntry]:
    """Return the entries of all provisions of a selection, in their order."""
    citations: list[str] = selection.provisions.column("citation").to_pylist()
    return [
        entry
        for position, citation in enumerate(citations)
        for entry in _entries(citation, position, grammar)
    ]


def numbered_containers(selection: Selection, grammar: Grammar) -> list[CitationEntry]:
    """Return the entries of the containers that their code's scheme lets be cited by number alone."""
    columns = (selection.provisions.column(name).to_pylist() for name in ("num", "citable"))
    numbers, citable = columns
    parents = selection.numbering.parents.tolist()
    entries: list[CitationEntry] = []
    for entry in selection.bodies:
        code = grammar.code(entry.body.key)
        if code is None or code.scheme.container is None:
            continue
        cited = re.compile(code.scheme.container, re.IGNORECASE | re.ASCII)
        positions = range(entry.first, entry.first + entry.count)
        full = container_numbers(positions, numbers=numbers, parents=parents, citable=citable)
        entries += [
            CitationEntry(container_key(format_section(code.scheme, spelled)), position, True)
            for position, number in full.items()
            if (spelled := next(filter(cited.fullmatch, (number, _with_zero(number))), None)) is not None
        ]
    return entries


def _with_zero(number: str) -> str:
    """Return a number as codes write it whose titles have two figures: `08.63` for chapter 63 of title 8."""
    title, mark, rest = number.partition(".")
    return f"{title.zfill(2)}{mark}{rest}"


def write_citations(
    path: Path, entries: list[CitationEntry], selection: Selection, successors: Mapping[int, str]
) -> int:
    """Write `citations.arrow`; return its rows.

    Args:
        path: of the file.
        entries: of all provisions.
        selection: whose provisions they are.
        successors: by position, the canonical citation of what a provision has become.
    """
    rows = selection.numbering.rows
    ordered = sorted((entry.key.encode(), int(rows[entry.position]), entry) for entry in entries)
    columns = {
        "key": pa.array([entry.key for _, _, entry in ordered], pa.large_string()),
        "row": pa.array(np.array([row for _, row, _ in ordered], np.uint32)),
        "whole": pa.array([entry.whole for _, _, entry in ordered], pa.bool_()),
        "successor": pa.array(
            [successors.get(entry.position) if entry.whole else None for _, _, entry in ordered], pa.string()
        ),
    }
    write_table(path, columns, SNAPSHOT_CITATIONS)
    return len(ordered)


def write_table(path: Path, columns: Mapping[str, pa.Array], schema: pa.Schema) -> None:
    """Write an Arrow file of one record batch."""
    batch = pa.RecordBatch.from_arrays([columns[field.name] for field in schema], schema=schema)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_batch(batch)


def _entries(citation: str, position: int, grammar: Grammar) -> Iterator[CitationEntry]:
    own = citation_key(citation)
    yield CitationEntry(own, position, True)
    for key in {citation_key(member) for member in members_of(citation, grammar)} - {own}:
        yield CitationEntry(key, position, False)

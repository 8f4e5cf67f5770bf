"""References with the positions that they lead to: the table from which answers and edges are made."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

FOUND = "references.parquet"
"""Name of the table in the folder of the artefact."""

SCHEMA = pa.schema(
    [
        pa.field("source", pa.int32(), nullable=False),  # position of the provision
        pa.field("start", pa.int32(), nullable=False),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("target", pa.int32()),  # position; null where it leads nowhere
        pa.field("citation", pa.string(), nullable=False),
        pa.field("reason", pa.string()),  # why it leads nowhere, or to a provision without the cited part
        pa.field("origin", pa.uint8(), nullable=False),  # FROM_MARKUP or FROM_TEXT
        pa.field("members", pa.list_(pa.int32())),  # positions of a range's provisions
    ]
)
"""Sorted by (source, start)."""

_READ_AHEAD = 4096
"""Rows that are read at once: provisions are asked for in their order."""


class Reference(NamedTuple):
    """One reference: over [start, end) of a text, to a position of the selection or nowhere for a reason.

    `members` are the positions of all provisions of a range, `target` that of the first.
    """

    start: int
    end: int
    target: int | None
    citation: str
    reason: str | None
    origin: int
    members: Sequence[int] | None = None


class FoundReferences:
    """All references of a selection, by position."""

    def __init__(self, table: pa.Table, provisions: int) -> None:
        """Take a table of `SCHEMA` and the number of provisions of its selection."""
        self._table = table.combine_chunks()
        sources = table.column("source").to_numpy()
        self._bounds: list[int] = np.searchsorted(sources, np.arange(provisions + 1)).tolist()
        self._read: list[Reference] = []
        self._read_from = 0

    @classmethod
    def load(cls, folder: Path, provisions: int) -> "FoundReferences":
        """Read the table that `save` wrote into `folder`."""
        return cls(pq.read_table(folder / FOUND), provisions)

    @property
    def table(self) -> pa.Table:
        """The table itself."""
        return self._table

    def of(self, position: int) -> list[Reference]:
        """Return the references in the text of a provision, in the order in which they stand."""
        first, last = self._bounds[position], self._bounds[position + 1]
        if first == last:
            return []
        begin = self._read_from
        if first < begin or last > begin + len(self._read):
            rows = self._table.slice(first, max(last - first, _READ_AHEAD)).drop_columns("source").to_pydict()
            begin = self._read_from = first
            self._read = [Reference(*values) for values in zip(*rows.values(), strict=True)]
        return self._read[first - begin : last - begin]

    def within(self, first: int, count: int) -> pa.Table:
        """Return the references in the texts of `count` provisions from `first` on."""
        start, end = self._bounds[first], self._bounds[first + count]
        return self._table.slice(start, end - start)

    def counts(self, first: int, count: int) -> tuple[int, int]:
        """Return how many references `count` provisions from `first` on have, and how many lead to one."""
        targets = self.within(first, count).column("target")
        return len(targets), len(targets) - targets.null_count

    def citing_counts(self) -> list[int]:
        """Return, by position, how many other provisions refer to each."""
        table = edges_of(self._table)
        pairs = np.stack([table.column("source").to_numpy(), table.column("target").to_numpy()], axis=1)
        pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
        counts: list[int] = np.bincount(pairs[:, 1], minlength=len(self._bounds) - 1).tolist()
        return counts


def edges_of(table: pa.Table) -> pa.Table:
    """Return the references of a table that lead somewhere, a range once for each of its members."""
    single = table.filter(pc.and_(table.column("target").is_valid(), table.column("members").is_null()))
    ranges = table.filter(table.column("members").is_valid())
    every = ranges.take(pc.list_parent_indices(ranges.column("members")))
    target = ranges.schema.get_field_index("target")
    flat = pc.list_flatten(ranges.column("members"))
    members = every.set_column(target, SCHEMA.field("target"), flat)
    return pa.concat_tables([single, members]).drop_columns("members")


def table_of(references: Iterable[tuple[int, Sequence[Reference]]]) -> pa.Table:
    """Return the references of provisions, given by position in ascending order, as a table."""
    columns: list[list[object]] = [[] for _ in SCHEMA]
    for position, found in references:
        for reference in found:
            for column, value in zip(columns, (position, *reference), strict=True):
                column.append(value)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.table(arrays, schema=SCHEMA)


def save(folder: Path, table: pa.Table) -> None:
    """Write the table of all references."""
    pq.write_table(table, folder / FOUND, compression="zstd")

"""Settle identifiers that provisions of several units share, once all units of a code body are written.

A reader tells the provisions of one unit apart. Across units, two may share an identifier because the
publisher gives one number twice, or because a unit is kept from an earlier edition and holds what has moved
since.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from assets.ingest.duplicates import tell_apart
from assets.ingest.model import Provision
from assets.ingest.provisions_table import PROVISIONS_FILE, ProvisionsWriter
from serving.contract.identity import node_id
from serving.contract.records import IN_FORCE, PROVISIONS

EnactingLaw = Callable[[Provision], str | None]
"""Returns the slug of what enacted a provision, or None where its source does not say."""

_COLUMNS = (
    *("ordinal", "unit", "identifier", "node_id", "parent_id", "level", "num", "heading", "citation"),
    *("citable", "status", "text", "source_credit", "file", "source_sha256"),
)


class Dropped(NamedTuple):
    """A row that was taken out."""

    unit: str
    level: str
    status: str
    citable: bool


def settle(
    folder: Path, shared: Collection[str], *, kept: Collection[str], enacting_law: EnactingLaw
) -> list[Dropped]:
    """Give each of the provisions that share an identifier one of its own; return those taken out.

    A provision of a kept unit is taken out where a unit that was read has one in force of its identifier, or
    where it is dead itself: it stands elsewhere now. The others are told apart as those of one unit are.

    Args:
        folder: with `provisions.parquet`, which is written anew.
        shared: identifiers that occur in several units.
        kept: keys of the units that are kept from an earlier edition.
        enacting_law: of the reader.
    """
    path = folder / PROVISIONS_FILE
    bearers: dict[str, list[dict[str, Any]]] = defaultdict(list)
    found = pq.read_table(path, columns=list(_COLUMNS), filters=[("identifier", "in", sorted(shared))])
    for row in found.to_pylist():
        bearers[row["identifier"]].append(row)
    changes = _Changes()
    for rows in bearers.values():
        superseded = _superseded(rows, kept)
        for row in superseded:
            changes.drop(row)
        left = [row for row in rows if row not in superseded]
        for row, told in zip(left, tell_apart(list(map(_provision, left)), enacting_law), strict=True):
            if told.identifier != row["identifier"]:
                changes.rename(row, told.identifier)
    staging = folder / ".settled"
    staging.mkdir()
    with ProvisionsWriter(staging) as writer, pq.ParquetFile(path) as table:
        for group in range(table.num_row_groups):
            writer.write(changes.applied(table.read_row_group(group).replace_schema_metadata(None)))
    (staging / PROVISIONS_FILE).replace(path)
    staging.rmdir()
    return changes.dropped


def _superseded(rows: Sequence[dict[str, Any]], kept: Collection[str]) -> list[dict[str, Any]]:
    read = [row for row in rows if row["unit"] not in kept]
    is_law = any(row["status"] == IN_FORCE for row in read)
    return [row for row in rows if read and row["unit"] in kept and (is_law or row["status"] != IN_FORCE)]


def _provision(row: dict[str, Any]) -> Provision:
    """Return a row as far as it takes to tell it apart."""
    return Provision(
        identifier=row["identifier"],
        parent=None,
        level=row["level"],
        num=row["num"],
        heading=row["heading"],
        citation=row["citation"],
        citable=row["citable"],
        file=row["file"],
        byte_start=0,
        byte_end=0,
        source_sha256=row["source_sha256"],
        text=row["text"],
        status=row["status"],
        source_credit=row["source_credit"],
    )


@dataclass(slots=True)
class _Changes:
    """Changes to rows, by ordinal, and to what stands below them, by unit and id of the parent."""

    dropped: list[Dropped] = field(default_factory=list)
    _gone: set[int] = field(default_factory=set)
    _identifiers: dict[int, str] = field(default_factory=dict)
    _parents: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def drop(self, row: dict[str, Any]) -> None:
        """Take a row out; what stands below it moves up."""
        self.dropped.append(Dropped(row["unit"], row["level"], row["status"], row["citable"]))
        self._gone.add(row["ordinal"])
        self._parents[row["unit"], row["node_id"]] = row["parent_id"]

    def rename(self, row: dict[str, Any], identifier: str) -> None:
        """Give a row an identifier of its own; what stands below it stays there."""
        self._identifiers[row["ordinal"]] = identifier
        self._parents[row["unit"], row["node_id"]] = str(node_id(identifier))

    def applied(self, table: pa.Table) -> pa.Table:
        """Return rows of one unit with what changes in them."""
        ordinals: list[int] = table.column("ordinal").to_pylist()
        unit = table.column("unit")[0].as_py()
        identifiers = [
            self._identifiers.get(ordinal, own)
            for ordinal, own in zip(ordinals, table.column("identifier").to_pylist(), strict=True)
        ]
        made = {
            "identifier": identifiers,
            "node_id": [str(node_id(identifier)) for identifier in identifiers],
            "parent_id": [self._parent(unit, parent) for parent in table.column("parent_id").to_pylist()],
        }
        for name, values in made.items():
            column = PROVISIONS.get_field_index(name)
            table = table.set_column(column, PROVISIONS.field(column), pa.array(values, pa.string()))
        return table.filter(pc.invert(pc.is_in(pa.array(ordinals), pa.array(self._gone, pa.int64()))))

    def _parent(self, unit: str, parent: str | None) -> str | None:
        while parent is not None and (unit, parent) in self._parents:
            parent = self._parents[unit, parent]
        return parent

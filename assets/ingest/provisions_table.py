"""Write provisions as rows, a unit at a time: `provisions.parquet` and the `files.parquet` beside it."""

import hashlib
from collections.abc import Container, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from assets.ingest.model import Provision
from assets.registry import CodeBody
from serving.contract.identity import node_id
from serving.contract.records import PROVISIONS

PROVISIONS_FILE = "provisions.parquet"
FILES_FILE = "files.parquet"

_GROUP_ROWS = 2_000
_REPETITIVE = ["code_body", "jurisdiction", "unit", "level", "status", "file", "source_sha256", "parent_id"]

FILES = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("release_point", pa.string()),
        pa.field("current_through", pa.string()),
        pa.field("retrieved_at", pa.string(), nullable=False),  # RFC 3339 in UTC
        pa.field("stale_since", pa.string()),  # ISO date; of files whose units could not be updated since
    ]
)
"""`files.parquet`: every source file that a provision names, by (path, sha256), sorted.

A path occurs twice where a unit that is kept from before and a unit read now name two states of one file.
"""


class ProvisionsWriter:
    """Writes tables of units one after the other; no row group spans two units."""

    def __init__(self, folder: Path) -> None:
        self._writer = pq.ParquetWriter(
            folder / PROVISIONS_FILE, PROVISIONS, compression="zstd", use_dictionary=_REPETITIVE
        )
        self.rows = 0

    def __enter__(self) -> "ProvisionsWriter":
        return self

    def __exit__(self, *exception: object) -> None:
        self._writer.close()

    def write(self, table: pa.Table) -> None:
        """Append the rows of one unit, numbered on in document order."""
        ordinals = pa.array(range(self.rows, self.rows + table.num_rows), pa.int32())
        column = PROVISIONS.get_field_index("ordinal")
        table = table.set_column(column, PROVISIONS.field(column), ordinals)
        if table.num_rows:
            self._writer.write_table(table, row_group_size=_GROUP_ROWS)
        self.rows += table.num_rows


def unit_table(
    unit: str,
    provisions: Sequence[Provision],
    *,
    parents: Sequence[str | None],
    tags: Sequence[Sequence[str]],
    body: CodeBody,
) -> pa.Table:
    """Return the provisions of one unit as rows; `ordinal` is left to the writer.

    Args:
        unit: its key.
        provisions: in document order.
        parents: per provision the identifier of its parent, which may differ from what the reader gave.
        tags: per provision.
        body: the code body.
    """
    count = len(provisions)
    made: dict[str, Any] = {
        "node_id": [str(node_id(provision.identifier)) for provision in provisions],
        "parent_id": [None if parent is None else str(node_id(parent)) for parent in parents],
        "code_body": [body.key] * count,
        "jurisdiction": [body.jurisdiction] * count,
        "unit": [unit] * count,
        "ordinal": [0] * count,
        "tags": [list(own) for own in tags],
        "effective_start": [provision.effective.start for provision in provisions],
        "effective_end": [provision.effective.end for provision in provisions],
        "effective_words": [provision.effective.words for provision in provisions],
        "text_sha256": [hashlib.sha256(provision.text.encode()).hexdigest() for provision in provisions],
    }
    columns = []
    for schema_field in PROVISIONS:
        if schema_field.name in made:
            columns.append(pa.array(made[schema_field.name], schema_field.type))
            continue
        values = [getattr(provision, schema_field.name) for provision in provisions]
        if pa.types.is_list(schema_field.type):
            columns.append(_nested(values, schema_field.type))
        else:
            columns.append(pa.array(values, schema_field.type))
    return pa.table(columns, schema=PROVISIONS)


def without_lost_parents(table: pa.Table, above: Container[str]) -> pa.Table:
    """Return rows of an earlier build with no parent where theirs, in another unit, is not there any more."""
    own = set(table.column("node_id").to_pylist())
    column = PROVISIONS.get_field_index("parent_id")
    parents = [
        parent if parent in own or parent in above else None for parent in table.column(column).to_pylist()
    ]
    return table.set_column(column, PROVISIONS.field(column), pa.array(parents, pa.string()))


def _nested(values: Sequence[Sequence[object]], kind: pa.ListType) -> pa.ListArray:
    """Return lists of records as an array; their attributes are called as the fields of the struct."""
    items = [item for value in values for item in value]
    offsets = pa.array(accumulate((len(value) for value in values), initial=0), pa.int32())
    fields = list(kind.value_type)
    children = [pa.array([getattr(item, own.name) for item in items], own.type) for own in fields]
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(children, fields=fields), type=kind)

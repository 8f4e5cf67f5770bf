"""Files of one table, written a batch of rows at a time: Parquet, and compressed lines of JSON."""

import gzip
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from assets.release.bulk.columns import PublishedTable
from serving.contract.downloads import JSONL, PARQUET, file_name

GROUP_ROWS = 4096
"""Rows of a row group: some 20 MB of law, held in memory until it is full."""
_ZSTD_LEVEL, _GZIP_LEVEL = 6, 6


class TableFiles:
    """Writes both files of a table; a context manager. The same rows make the same bytes.

    Args:
        folder: takes the files.
        table: their columns.
    """

    def __init__(self, folder: Path, table: PublishedTable) -> None:
        self.rows = 0
        self._table = table
        self._waiting: list[pa.RecordBatch] = []
        self._waiting_rows = 0
        self._open = ExitStack()
        self._parquet = self._open.enter_context(
            pq.ParquetWriter(
                folder / file_name(table.name, PARQUET),
                table.schema,
                compression="zstd",
                compression_level=_ZSTD_LEVEL,
            )
        )
        plain = self._open.enter_context((folder / file_name(table.name, JSONL)).open("wb"))
        # Without a name and a time, which would make other bytes each time.
        self._lines = self._open.enter_context(gzip.GzipFile("", "wb", _GZIP_LEVEL, plain, mtime=0))

    def __enter__(self) -> "TableFiles":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._open:
            if kind is None:
                self._write_group()

    def write(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows: values by column, with days and instants as text; what is no column is left out."""
        batch = pa.RecordBatch.from_pylist(list(rows), schema=self._table.spelled)
        self._lines.write(
            b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in batch.to_pylist())
        )
        self._waiting.append(batch)
        self._waiting_rows += batch.num_rows
        self.rows += batch.num_rows
        if self._waiting_rows >= GROUP_ROWS:
            self._write_group()

    def _write_group(self) -> None:
        if self._waiting_rows:
            spelled = pa.Table.from_batches(map(_with_absent_members, self._waiting))
            self._parquet.write_table(spelled.cast(self._table.schema))
        self._waiting, self._waiting_rows = [], 0


def _with_absent_members(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows in which the members of an absent record are absent: Arrow has empty text there, no day."""
    columns = [
        pa.StructArray.from_arrays(column.flatten(), fields=list(column.type), mask=column.is_null())
        if pa.types.is_struct(column.type)
        else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)

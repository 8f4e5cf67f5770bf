"""Write the files of changes into a staged snapshot, a pair for each code body."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from assets.release.bulk.rows import Row, change_row
from assets.release.bulk.table_files import TableFiles
from assets.release.bulk.tables import CHANGE_TABLE
from assets.selection.selection import BATCH_ROWS
from serving.contract.layout import CHANGES, DOWNLOADS
from serving.contract.manifest import CodeBodyEntry
from serving.snapshot.changes import ChangeTable


def write_change_files(staging: Path, code_bodies: Iterable[CodeBodyEntry]) -> None:
    """Write the changes that the staged snapshot holds of each code body beside its other files."""
    table = ChangeTable(staging / CHANGES)
    for body in code_bodies:
        found = iter(table.find(code_bodies={body.id}))
        with TableFiles(staging / DOWNLOADS / body.key, CHANGE_TABLE) as files:
            for rows in _batches(table, found, body.key):
                files.write(rows)


def _batches(table: ChangeTable, found: Iterator[int], key: str) -> Iterator[list[Row]]:
    while some := list(islice(found, BATCH_ROWS)):
        yield [change_row(table.change(row), key) for row in some]

"""The build before this one: where a unit falls back to when a file of it cannot be read any more."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from assets.errors import BuildError
from assets.ingest.provisions_table import FILES_FILE, PROVISIONS_FILE
from assets.ingest.report import REPORT, ProvisionsReport, UnitReport, UnitStatus
from serving.contract.records import PROVISIONS

_GOOD = (UnitStatus.READ, UnitStatus.PARTIAL, UnitStatus.KEPT)


@dataclass(frozen=True, slots=True)
class FileRow:
    """A row of the provisions' `files.parquet`; `stale_since` is that of the units it is kept for."""

    path: str
    sha256: str
    bytes: int
    release_point: str | None
    current_through: str | None
    retrieved_at: str
    stale_since: str | None = None


class LastGood:
    """Reads single units of earlier provisions; without a folder there is nothing to fall back to."""

    def __init__(self, folder: Path | None) -> None:
        self.units: dict[str, UnitReport] = {}
        self._groups: dict[str, list[int]] = {}
        self._table: pq.ParquetFile | None = None
        self._folder = folder
        if folder is None or not (folder / REPORT).is_file():
            return
        self.units = {unit.key: unit for unit in ProvisionsReport.load(folder).units}
        try:
            table = pq.ParquetFile(folder / PROVISIONS_FILE)
            if not table.schema_arrow.equals(PROVISIONS):
                return  # of another version of this software: its rows would not fit into the table
            for group in range(table.num_row_groups):
                # A row group holds rows of one unit, so that its first row names it.
                unit = table.read_row_group(group, columns=["unit"]).column(0)[0].as_py()
                self._groups.setdefault(unit, []).append(group)
        except (pa.ArrowException, OSError) as error:
            raise BuildError(f"{folder} is damaged ({error}); remove it and build again.") from error
        self._table = table

    def rows(self, unit: str) -> pa.Table | None:
        """Return the rows of a unit that the build before held, save for broken files, or None."""
        before = self.units.get(unit)
        if self._table is None or before is None or before.status not in _GOOD or unit not in self._groups:
            return None
        return self._table.read_row_groups(self._groups[unit]).replace_schema_metadata(None)

    def files(self) -> dict[tuple[str, str], FileRow]:
        """Return the source files of the build before, by path and hash."""
        if self._folder is None:
            return {}
        rows = [FileRow(**row) for row in pq.read_table(self._folder / FILES_FILE).to_pylist()]
        return {(row.path, row.sha256): row for row in rows}

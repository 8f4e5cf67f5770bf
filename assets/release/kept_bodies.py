"""Compressed forms that are kept from the build before, of answers that are the same to the byte."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from assets.compression import ReadyBody, make_ready
from assets.stage_record import made_by
from assets.versions import code_version
from serving.contract.identity import content_etag

RULES = code_version(
    "assets/compression.py", "serving/contract/identity.py", "serving/comparison", libraries=("pyarrow",)
)
"""Version of how answers are compressed, and provisions compared."""

_COLUMNS = ("body", "gzip", "zstd")


class KeptBodies:
    """Ready answers of an earlier build's table, by their entity tags."""

    def __init__(self, folder: Path | None, name: str) -> None:
        """Map the table of that name in `folder`; without it, or by other rules, nothing is kept."""
        self._rows: dict[str, int] = {}
        if folder is None or made_by(folder) != RULES or not (folder / name).is_file():
            return
        batch = pa.ipc.open_file(pa.memory_map(str(folder / name))).get_batch(0)
        self._columns = [batch.column(column) for column in _COLUMNS]
        self._rows = {etag: row for row, etag in enumerate(batch.column("etag").to_pylist())}

    def make_ready(self, plain: bytes) -> ReadyBody:
        """Return what `assets.compression.make_ready` does."""
        if not self._rows:
            return make_ready(plain)
        etag = content_etag(plain)
        row = self._rows.get(etag)
        if row is None:
            return make_ready(plain)
        body, zipped, packed = (column[row].as_py() for column in self._columns)
        return ReadyBody(plain, zipped, packed, etag) if body == plain else make_ready(plain)

    @property
    def rows(self) -> Mapping[str, int]:
        """Rows of the table by entity tag."""
        return self._rows

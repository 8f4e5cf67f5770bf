"""Compressed forms that are kept from the build before, of answers that are the same to the byte."""

from pathlib import Path

import pyarrow as pa

from assets.compression import ReadyBody, make_ready
from assets.stage_record import made_by
from assets.versions import code_version
from serving.contract.identity import content_etag

RULES = code_version("assets/compression.py", "serving/contract/identity.py", libraries=("pyarrow",))
"""Version of how answers are compressed."""

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
        row = self._rows.get(content_etag(plain)) if self._rows else None
        if row is None:
            return make_ready(plain)
        body, zipped, packed = (column[row].as_py() for column in self._columns)
        if body != plain:
            return make_ready(plain)
        return ReadyBody(plain, zipped, packed, content_etag(plain))

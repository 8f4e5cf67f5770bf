"""Files of provisions that are kept from the build before, of code bodies of which nothing changed."""

import hashlib
import json
import os
import shutil
from pathlib import Path

from assets.release.bulk.rows import ProvisionRows
from assets.selection.selection import SelectedBody
from assets.versions import code_version, digest_of, file_sha256
from serving.contract.downloads import FORMATS, PROVISIONS, file_name

VERSIONS = "versions.json"
"""Beside the folders of code bodies: what the files of provisions in each were made from."""
CODE = code_version("assets/release/bulk", "serving/contract/downloads.py", libraries=("orjson", "pyarrow"))


class KeptFiles:
    """The files of an earlier build; `before`: its folder, None where there is none."""

    def __init__(self, before: Path | None) -> None:
        self._before = before
        self._made: dict[str, str] = {}
        try:
            self._known: dict[str, str] = json.loads((before / VERSIONS).read_bytes()) if before else {}
        except (OSError, ValueError):
            self._known = {}

    def take(self, body: SelectedBody, rows: ProvisionRows, folder: Path) -> bool:
        """Put the files of a code body's provisions into a folder, if they would be made the same again."""
        key = body.body.key
        etags = hashlib.sha256()
        for etag in rows.etags(body):
            etags.update(etag.encode())
        version = digest_of(CODE, file_sha256(body.folder / "provisions.parquet"), etags.hexdigest())
        self._made[key] = version
        names = [file_name(PROVISIONS, form) for form in FORMATS]
        if self._before is None or self._known.get(key) != version:
            return False
        kept = [self._before / key / name for name in names]
        if not all(path.is_file() for path in kept):
            return False
        for path in kept:
            try:
                os.link(path, folder / path.name)
            except OSError:
                shutil.copyfile(path, folder / path.name)
        return True

    def save(self, folder: Path) -> None:
        """Note for the next build what was taken or made."""
        (folder / VERSIONS).write_text(
            json.dumps(self._made, indent=1, sort_keys=True) + "\n", encoding="utf-8"
        )

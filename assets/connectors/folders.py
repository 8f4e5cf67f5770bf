"""The folder of a publication's downloads: names of files, and what of older releases is removed."""

import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from assets.connectors.errors import FetchError

_PLAIN = re.compile(r"[A-Za-z0-9@_-][A-Za-z0-9@._-]{0,200}")

_RECORDS = re.compile(r"\.(.+?)(?:\.part)?(?:\.json)?(?:\.new)?")
"""Name of a record or part that is kept beside a file; its group is the file's own name."""


def file_name(address: str) -> str:
    """Return the name of the file at an address, if it is one for a file in a folder and nothing else.

    Raises:
        FetchError: it is not.
    """
    name = unquote(PurePosixPath(urlsplit(address).path).name)
    if _PLAIN.fullmatch(name) is None:
        raise FetchError(f"{address} ends with {name[:100]!r}, which is no plain name of a file.")
    return name


def keep_only(folder: Path, names: Collection[str]) -> None:
    """Remove all files of a folder but these and what is recorded of them."""
    for path in folder.iterdir():
        record = _RECORDS.fullmatch(path.name)
        if (path.name if record is None else record[1]) not in names and path.is_file():
            path.unlink()

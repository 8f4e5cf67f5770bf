"""Read single files of the official publications, where they lie beside the checkout."""

import re
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from assets.ingest.model import Provision, SourceFile
from assets.ingest.readers import dialect
from assets.registry import load_registry

ROOT = Path(__file__).parents[3]
DATA = ROOT.parent / "shared" / "data"
SOURCES = {
    "usc-titles": ("us-usc", "usc-titles-119-36.tar.xz"),
    "usc-sections": ("us-usc", "usc-sections-119-100.tar.xz"),
    "dc-code": ("dc-code", "dc-code-2024-10-20.tar.xz"),
}
_NUMBER = re.compile(r"(?:_\d+)?\.xml$")
_INDEX = "index.xml"


def read_real(source: str, files: Sequence[str]) -> dict[str, Provision]:
    """Return the provisions of some files of a publication, by identifier; skip the test where it is missing."""
    key, archive = SOURCES[source]
    if not (DATA / archive).is_file():
        pytest.skip(f"{archive} is not beside this checkout")
    body = load_registry(ROOT / "datasets" / "registry").code_body(key)
    units = dialect(body.reader).reader.read(_Extracted(_extract(DATA / archive, files)), body)
    return {provision.identifier: provision for unit in units for provision in unit.provisions}


class _Extracted:
    """Files of an archive in memory, as readers take them."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = {path: SourceFile(path, "0" * 64, content) for path, content in sorted(files.items())}

    def paths(self) -> list[str]:
        return list(self._files)

    def get(self, path: str) -> SourceFile | None:
        return self._files.get(path)

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self._files.values())


def _extract(archive: Path, files: Sequence[str]) -> dict[str, bytes]:
    """Return the files that hold the provisions, the indexes over them, and those of the same number."""
    wanted = {_NUMBER.sub("", file) for file in files}
    with tarfile.open(archive) as opened:
        return {
            path: stream.read()
            for member in opened
            if (path := member.name.partition("/")[2])
            and (_NUMBER.sub("", path) in wanted or path.endswith(_INDEX))
            and (stream := opened.extractfile(member)) is not None
        }

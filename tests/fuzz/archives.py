"""Archives of publishers: opened without trust, whatever they hold."""

import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hypothesis import strategies as st

from assets.errors import SourceError
from assets.ingest.archives import open_source
from assets.ingest.bounds import Limits
from tests.fuzz.inputs import mutated
from tests.fuzz.target import Check, Grounds, Target

LIMITS = Limits(member_bytes=1 << 20, total_bytes=1 << 22, members=1_000, ratio_free_bytes=1 << 16)
LAW = {"law/1.xml": b"<a>" + b"law " * 400 + b"</a>", "law/2/§.xml": b"<b/>"}


def _zip(method: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in LAW.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, method)
    return packed.getvalue()


def _tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in LAW.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


SAMPLES = {
    ".zip": (_zip(zipfile.ZIP_DEFLATED), _zip(zipfile.ZIP_STORED)),
    ".tar": (_tar(),),
    ".tar.xz": (lzma.compress(_tar()),),
}
PIECES = (
    *(
        b"PK\x01\x02",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"PK\x06\x06",
        b"\x01\x00\x1c\x00",
        b"../",
        b"/",
        b"\\",
        b"C:",
    ),
    *(
        b"ustar\x00",
        b"L",
        b"x",
        b"0" * 8,
        b"7" * 11 + b"\x00",
        b"\xff" * 4,
        b"\xff" * 8,
        b"\x63\x00",
        b"\x0e\x00",
    ),
)


@contextmanager
def opener(grounds: Grounds) -> Iterator[Check]:
    """Opens archives and takes all that they hold."""

    def check(data: bytes) -> None:
        suffix, _, content = data.partition(b"\n")
        form = suffix.decode("ascii", "replace")
        path = grounds.folder / f"law{form if form in SAMPLES else '.zip'}"
        path.write_bytes(content)
        with suppress(SourceError):
            for name, member in open_source(path, LIMITS).members:
                assert name
                assert not name.startswith("/")
                assert ".." not in name.split("/")
                assert len(member) <= LIMITS.member_bytes

    yield check


INPUTS = st.sampled_from(sorted(SAMPLES)).flatmap(
    lambda suffix: mutated(SAMPLES[suffix], PIECES).map(lambda data: suffix.encode() + b"\n" + data)
)
TARGETS = (Target("archives", INPUTS, opened=opener, examples=200),)

"""Hostile archives: bombs, entries that lie, names that lead elsewhere; as maps and as sources."""

import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable

from tests.hostile.case import Case, of_bytes
from tests.hostile.geojson import GOOD_TEXT

MIB = 1024 * 1024
LAW = b"""<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" identifier="/us/usc/t17"><main>
<title identifier="/us/usc/t17"><num value="17">Title 17</num><heading>COPYRIGHTS</heading>
<section identifier="/us/usc/t17/s1"><num value="1">1.</num><heading>Words</heading><content>Law.</content></section>
</title></main></uscDoc>"""


def corpus() -> list[Case]:
    """Return all cases of archives."""
    cases = []
    for given_as, inner, content in (("map", "map.geojson", GOOD_TEXT), ("us-usc", "usc17.xml", LAW)):
        what = "map" if given_as == "map" else "source"
        for name, pack in ZIPS.items():
            cases.append(
                of_bytes(f"zip of a {what}: {name}", given_as, "given.zip", _packed(pack, inner, content))
            )
        for name, pack in TARS.items():
            file = (
                "given.tar.xz"
                if name.startswith("xz")
                else "given.tar.gz"
                if name.startswith("gz")
                else "given.tar"
            )
            cases.append(of_bytes(f"tar of a {what}: {name}", given_as, file, _packed(pack, inner, content)))
    return cases + [
        of_bytes(f"gzip {name}", "map", "map.geojson.gz", content) for name, content in GZIPS.items()
    ]


Pack = Callable[[str, bytes], bytes]


def _packed(pack: Pack, inner: str, content: bytes) -> Callable[[], bytes]:
    return lambda: pack(inner, content)


def zipped(entries: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED, **fields: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            for field, value in fields.items():
                setattr(entry, field, value)
            archive.writestr(entry, content)
    return packed.getvalue()


def in_directory(offset: int, form: str, value: int) -> Pack:
    """Return a good zip with one number of its directory changed."""

    def pack(inner: str, content: bytes) -> bytes:
        packed = bytearray(zipped([(inner, content)]))
        struct.pack_into(form, packed, packed.rindex(b"PK\x01\x02") + offset, value)
        return bytes(packed)

    return pack


def in_entry(offset: int, form: str, value: int) -> Pack:
    """Return a good zip with one number before its entry changed."""

    def pack(inner: str, content: bytes) -> bytes:
        packed = bytearray(zipped([(inner, content)]))
        struct.pack_into(form, packed, offset, value)
        return bytes(packed)

    return pack


def renamed(old: bytes, new: bytes, *, utf8: bool = False) -> Pack:
    def pack(inner: str, content: bytes) -> bytes:
        packed = zipped([("N" * len(old) + inner, content)]).replace(b"N" * len(old), new)
        if utf8:
            packed = packed.replace(
                b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x08"
            )
            packed = packed.replace(b"PK\x03\x04\x14\x00\x00\x00", b"PK\x03\x04\x14\x00\x00\x08")
        return packed

    return pack


def overlapping(inner: str, content: bytes) -> bytes:
    """Return a zip whose directory names one packed entry ten thousand times."""
    single = zipped([(inner, b" " * (9 * MIB))])
    start = single.index(b"PK\x01\x02")
    end = single.index(b"PK\x05\x06")
    entry = single[start:end]
    directory = b"".join(
        entry.replace(inner.encode(), (f"{number:04}" + inner)[: len(inner)].encode())
        for number in range(10_000)
    )
    return (
        single[:start]
        + directory
        + struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 10_000, 10_000, len(directory), start, 0)
    )


ZIPS: dict[str, Pack] = {
    "good": lambda inner, content: zipped([(inner, content)]),
    "empty": lambda inner, content: zipped([]),
    "cut": lambda inner, content: zipped([(inner, content)])[:-30],
    "text": lambda inner, content: content,
    "bomb": lambda inner, content: zipped([(inner, content + b" " * (900 * MIB // 4))]),
    "bomb of white space in good": lambda inner, content: zipped(
        [
            (
                inner,
                content.replace(b">", b">" + b" " * (60 * MIB), 1).replace(b"{", b"{" + b" " * (60 * MIB), 1),
            )
        ]
    ),
    "of zips": lambda inner, content: zipped([("a.zip", zipped([("b.zip", zipped([(inner, content)]))]))]),
    "overlapping": overlapping,
    "name absolute": lambda inner, content: zipped([("/etc/" + inner, content)]),
    "name above": lambda inner, content: zipped([("../../" + inner, content)]),
    "name with backslash": lambda inner, content: zipped([("..\\" + inner, content)]),
    "name of a drive": lambda inner, content: zipped([("C:\\" + inner, content)]),
    "name of 60,000": lambda inner, content: zipped([("a" * 60_000 + inner, content)]),
    "name with nul": renamed(b"NN", b"a\0"),
    "name of bad utf-8": renamed(b"NN", b"\xff\xfe", utf8=True),
    "name of controls": renamed(b"NNN", b"\x1b[m"),
    "name empty": lambda inner, content: zipped([("", content), (inner, content)]),
    "name twice": lambda inner, content: zipped([(inner, content), ("x" + inner[1:], content)]).replace(
        b"x" + inner[1:].encode(), inner.encode()
    ),
    "link": lambda inner, content: zipped([(inner, b"/etc/passwd")], external_attr=0o120777 << 16),
    "device": lambda inner, content: zipped([(inner, b"")], external_attr=0o020666 << 16),
    "encrypted": in_directory(8, "<H", 1),
    "version unknown": in_directory(6, "<H", 99),
    "method unknown": in_directory(10, "<H", 99),
    "method bzip2": lambda inner, content: zipped([(inner, content)], zipfile.ZIP_BZIP2),
    "method lzma": lambda inner, content: zipped([(inner, content)], zipfile.ZIP_LZMA),
    "size of lies": in_directory(24, "<I", 2**32 - 2),
    "size too small": in_directory(24, "<I", 10),
    "packed size of lies": in_directory(20, "<I", 2**32 - 2),
    "checksum wrong": in_directory(16, "<I", 7),
    "offset beyond": in_directory(42, "<I", 2**32 - 2),
    "method of the entry unknown": in_entry(8, "<H", 99),
    "name length of the entry": in_entry(26, "<H", 65_535),
    "comment of 60,000": lambda inner, content: (
        zipped([(inner, content)])[:-2] + struct.pack("<H", 60_000) + b"x" * 60_000
    ),
    "prefixed": lambda inner, content: b"#!/bin/sh\n" * 1_000 + zipped([(inner, content)]),
    "15,000 entries": lambda inner, content: zipped([(f"{n}/{inner}", b"") for n in range(15_000)]),
    "noise": lambda inner, content: (
        b"PK\x03\x04" + zlib.compress(content) * 100 + b"PK\x05\x06" + b"\xff" * 18
    ),
}


def tarred(entries: list[tuple[tarfile.TarInfo, bytes]], kind: int = tarfile.GNU_FORMAT) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=kind) as archive:
        for entry, content in entries:
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, link
    return entry


def claiming(size: bytes) -> Pack:
    """Return a tar whose member says that it has so many bytes, with a checksum that holds."""

    def pack(inner: str, content: bytes) -> bytes:
        packed = bytearray(tarred([(member(inner), content)]))
        packed[124:136] = size.ljust(12, b"\0")[:12]
        packed[148:156] = b" " * 8
        packed[148:156] = b"%06o\0 " % sum(packed[:512])
        return bytes(packed)

    return pack


TARS: dict[str, Pack] = {
    "good": lambda inner, content: tarred([(member(inner), content)]),
    "cut": lambda inner, content: tarred([(member(inner), content)])[:700],
    "text": lambda inner, content: content,
    "absolute": lambda inner, content: tarred([(member("/etc/" + inner), content)]),
    "above": lambda inner, content: tarred([(member("../" + inner), content)]),
    "symbolic link": lambda inner, content: tarred([(member(inner, tarfile.SYMTYPE, "/etc/passwd"), b"")]),
    "hard link": lambda inner, content: tarred([(member(inner, tarfile.LNKTYPE, "/etc/passwd"), b"")]),
    "device": lambda inner, content: tarred([(member(inner, tarfile.CHRTYPE), b"")]),
    "pipe": lambda inner, content: tarred([(member(inner, tarfile.FIFOTYPE), b"")]),
    "long name": lambda inner, content: tarred([(member("a/" * 5_000 + inner), content)]),
    "name of 1 MB": lambda inner, content: tarred([(member("a" * 1_000_000 + inner), content)]),
    "extended headers": lambda inner, content: tarred(
        [(member("é" * 90_000 + inner), content)], tarfile.PAX_FORMAT
    ),
    "size of 8 GB": claiming(b"77777777777\0"),
    "size negative": claiming(b"\xff" * 12),
    "size of 2 ** 80": claiming(b"\x80" + b"\x7f" * 11),
    "size no number": claiming(b"law"),
    "twice": lambda inner, content: tarred([(member(inner), content), (member(inner), content)]),
    "3,000 members": lambda inner, content: tarred([(member(f"{n}/{inner}"), b"") for n in range(3_000)]),
    "zeros": lambda inner, content: b"\0" * 1_900_000,
    "gz bomb": lambda inner, content: gzip.compress(tarred([(member(inner), b" " * (300 * MIB))]), mtime=0),
    "gz bomb of 100 MB in good": lambda inner, content: gzip.compress(
        tarred([(member(inner), content + b" " * (100 * MIB))]), mtime=0
    ),
    "gz of 150,000 members": lambda inner, content: gzip.compress(
        tarred([(member(f"{n}/{inner}"), b"") for n in range(150_000)]), mtime=0
    ),
    "gz cut": lambda inner, content: gzip.compress(tarred([(member(inner), content)]), mtime=0)[:-60],
    "gz of gz": lambda inner, content: gzip.compress(
        gzip.compress(tarred([(member(inner), content)]), mtime=0), mtime=0
    ),
    "xz bomb": lambda inner, content: lzma.compress(tarred([(member(inner), b" " * (300 * MIB))]), preset=0),
    "xz bomb of 100 MB in good": lambda inner, content: lzma.compress(
        tarred([(member(inner), content + b" " * (100 * MIB))]), preset=0
    ),
    "xz of noise": lambda inner, content: (
        lzma.compress(tarred([(member(inner), content)]), preset=0)[:24] + b"\xff" * 100
    ),
    "xz cut": lambda inner, content: lzma.compress(tarred([(member(inner), content)]))[:-40],
    "xz checksum": lambda inner, content: (
        lzma.compress(tarred([(member(inner), content)]))[:-30] + b"\0" * 30
    ),
}

GZIPS: dict[str, Callable[[], bytes]] = {
    "good": lambda: gzip.compress(GOOD_TEXT, mtime=0),
    "cut": lambda: gzip.compress(GOOD_TEXT, mtime=0)[:-20],
    "checksum wrong": lambda: gzip.compress(GOOD_TEXT, mtime=0)[:-8] + b"\0" * 8,
    "text": lambda: GOOD_TEXT,
    "empty": lambda: b"",
    "bomb": lambda: gzip.compress(b" " * (1_800 * MIB // 4), 9, mtime=0),
    "bomb of brackets": lambda: gzip.compress(b"[" * (150 * MIB), 9, mtime=0),
    "bomb of features": lambda: gzip.compress(
        GOOD_TEXT[:-2] + (b", " + GOOD_TEXT[41:-2]) * 400_000 + b"]}", 9, mtime=0
    ),
    "of two members": lambda: gzip.compress(GOOD_TEXT, mtime=0) * 2,
    "of gzip": lambda: gzip.compress(gzip.compress(GOOD_TEXT, mtime=0), mtime=0),
    "of a zip": lambda: gzip.compress(zipped([("map.geojson", GOOD_TEXT)]), mtime=0),
}

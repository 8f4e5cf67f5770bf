"""Hostile, damaged and awkward sources: each is read whole or refused with a message, never half."""

import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.errors import SourceError
from assets.ingest.archives import open_source
from assets.ingest.bounds import Limits, safe_path
from assets.ingest.folder_members import folder_members

NO_LIMITS_GIVEN = Limits()
SMALL = Limits(member_bytes=4_000, total_bytes=10_000, members=6, ratio=50, ratio_free_bytes=100_000)
FILES = {"law/1.xml": b"<title n='1'/>", "law/2.xml": b"<title n='2'/>"}


def contents(origin: Path, limits: Limits = NO_LIMITS_GIVEN) -> dict[str, bytes]:
    return dict(open_source(origin, limits).members)


def tar_bytes(files: dict[str, bytes], *special: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            header = tarfile.TarInfo(name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
        for header in special:
            archive.addfile(header)
    return buffer.getvalue()


def special_file(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.type = kind
    header.linkname = target
    return header


def zip_bytes(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def store(name: str, content: bytes) -> Path:
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return store


def test_every_form_gives_the_same_files(stored: Callable[[str, bytes], Path], tmp_path: Path) -> None:
    tar = tar_bytes(FILES)
    for path, content in FILES.items():
        (tmp_path / "folder" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "folder" / path).write_bytes(content)
    origins = [
        stored("a.tar", tar),
        stored("a.tar.gz", gzip.compress(tar)),
        stored("a.TGZ", gzip.compress(tar)),
        stored("a.tar.xz", lzma.compress(tar)),
        stored("a.zip", zip_bytes(FILES)),
        stored("b.zip", zip_bytes(FILES, zipfile.ZIP_STORED)),
        tmp_path / "folder",
    ]
    assert [contents(origin) for origin in origins] == [FILES] * len(origins)


def test_xz_of_several_padded_streams_is_read_whole(stored: Callable[[str, bytes], Path]) -> None:
    tar = tar_bytes(FILES)
    packed = lzma.compress(tar[:700]) + bytes(8) + lzma.compress(tar[700:]) + bytes(4)
    assert contents(stored("a.tar.xz", packed)) == FILES


def test_hidden_files_and_what_systems_leave_behind_are_left_out(
    stored: Callable[[str, bytes], Path], tmp_path: Path
) -> None:
    clutter = {".git/config": b"x", "law/.DS_Store": b"x", "__MACOSX/law/1.xml": b"x"}
    assert contents(stored("a.tar", tar_bytes(FILES | clutter))) == FILES
    assert contents(stored("a.zip", zip_bytes(FILES | clutter))) == FILES
    (tmp_path / "folder" / ".git").mkdir(parents=True)
    (tmp_path / "folder" / ".git" / "config").write_bytes(b"x")
    (tmp_path / "folder" / "1.xml").write_bytes(b"y")
    assert contents(tmp_path / "folder") == {"1.xml": b"y"}


@pytest.mark.parametrize(
    "name", ["../1.xml", "/etc/passwd", "law/../../1.xml", "..", "law\\1.xml", "a\nb.xml"]
)
def test_names_that_lead_out_are_refused(stored: Callable[[str, bytes], Path], name: str) -> None:
    with pytest.raises(SourceError, match=r"a\.tar: the name"):
        contents(stored("a.tar", tar_bytes({name: b"x"})))
    with pytest.raises(SourceError, match=r"a\.zip: the name"):
        contents(stored("a.zip", zip_bytes({name: b"x"})))


def test_a_name_cut_by_a_null_byte_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    packed = zip_bytes({"law/1.xml_evil": b"x"}).replace(b"1.xml_evil", b"1.xml\0evil")
    with pytest.raises(SourceError, match="not plain"):
        contents(stored("a.zip", packed))


def test_a_name_that_is_not_utf8_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    header = tarfile.TarInfo("law/\udcff.xml")
    with pytest.raises(SourceError, match="not plain UTF-8"):
        contents(stored("a.tar", tar_bytes(FILES, header)))


@given(st.text(max_size=40))
def test_accepted_paths_stay_inside(name: str) -> None:
    try:
        path = safe_path("a.tar", name)
    except SourceError:
        return
    assert ".." not in path.split("/")
    assert not path.startswith("/")
    assert os.path.normpath("/root/" + path).startswith("/root")


@pytest.mark.parametrize(
    "header",
    [
        special_file("law/link.xml", tarfile.SYMTYPE, "/etc/passwd"),
        special_file("law/hard.xml", tarfile.LNKTYPE, "law/1.xml"),
        special_file("law/device", tarfile.CHRTYPE),
        special_file("law/disk", tarfile.BLKTYPE),
        special_file("law/pipe", tarfile.FIFOTYPE),
    ],
    ids=lambda header: header.name,
)
def test_links_and_devices_in_a_tar_are_refused(
    stored: Callable[[str, bytes], Path], header: tarfile.TarInfo
) -> None:
    with pytest.raises(SourceError, match=f"{header.name} is a link, a device"):
        contents(stored("a.tar", tar_bytes(FILES, header)))


def test_a_sparse_file_in_a_tar_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    header = tarfile.TarInfo("law/sparse.xml")
    header.pax_headers = {
        "GNU.sparse.map": "0,0",
        "GNU.sparse.size": "4000",
        "GNU.sparse.name": "law/sparse.xml",
    }
    with pytest.raises(SourceError, match="special file"):
        contents(stored("a.tar", tar_bytes({}, header)))


def test_a_link_in_a_zip_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        entry = zipfile.ZipInfo("law/link.xml")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    with pytest.raises(SourceError, match="is a link"):
        contents(stored("a.zip", buffer.getvalue()))


def test_links_and_pipes_in_a_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1.xml").symlink_to("/etc/passwd")
    with pytest.raises(SourceError, match=r"1\.xml is a link"):
        contents(folder)
    (folder / "1.xml").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(SourceError, match="pipe is a link, a device"):
        contents(folder)
    (folder / "pipe").unlink()
    (folder / "up").symlink_to(tmp_path)
    with pytest.raises(SourceError, match="up is a link"):
        contents(folder)


def test_a_file_that_has_more_bytes_than_it_says_is_read_whole_or_refused() -> None:
    kernel = Path("/proc")  # says of its files that they are empty
    assert (kernel / "version").stat().st_size == 0
    whole = (kernel / "version").read_bytes()
    assert list(folder_members(kernel, ["version"], NO_LIMITS_GIVEN)) == [("version", whole)]
    assert list(folder_members(kernel, ["version"], Limits(member_bytes=len(whole)))) == [("version", whole)]
    with pytest.raises(SourceError, match="grew beyond"):
        list(folder_members(kernel, ["version"], Limits(member_bytes=len(whole) - 1)))


def test_a_file_swapped_for_a_link_after_the_listing_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_bytes(b"law")
    opened = open_source(tmp_path, Limits())
    (tmp_path / "1.xml").unlink()
    (tmp_path / "1.xml").symlink_to("/etc/passwd")
    with pytest.raises(SourceError, match=r"1\.xml cannot be read"):
        dict(opened.members)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"big.xml": b"x" * 4_001}, r"big\.xml says it has 4,001 bytes"),
        ({f"{number}.xml": b"x" * 3_000 for number in range(4)}, "unpacks to more than 10,000 bytes"),
        ({f"{number}.xml": b"" for number in range(7)}, "more than 6 files"),
    ],
    ids=["member", "total", "count"],
)
def test_sizes_and_counts_are_bounded(
    stored: Callable[[str, bytes], Path], tmp_path: Path, files: dict[str, bytes], message: str
) -> None:
    (tmp_path / "folder").mkdir()
    for name, content in files.items():
        (tmp_path / "folder" / name).write_bytes(content)
    for origin in (stored("a.tar", tar_bytes(files)), stored("a.zip", zip_bytes(files)), tmp_path / "folder"):
        with pytest.raises(SourceError, match=message):
            contents(origin, SMALL)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gz", "xz"])
def test_a_compression_bomb_in_a_tar_is_refused(
    stored: Callable[[str, bytes], Path], pack: Callable[[bytes], bytes]
) -> None:
    limits = Limits(ratio=50, ratio_free_bytes=1_000_000)
    suffix = "gz" if pack is gzip.compress else "xz"
    with pytest.raises(SourceError, match="compression bomb"):
        contents(stored(f"a.tar.{suffix}", pack(tar_bytes({"zeros": bytes(20_000_000)}))), limits)


def test_a_compression_bomb_in_a_zip_is_refused_before_unpacking(
    stored: Callable[[str, bytes], Path],
) -> None:
    limits = Limits(ratio=50, ratio_free_bytes=1_000_000)
    with pytest.raises(SourceError, match=r"claims to hold 20,000,000 bytes"):
        contents(stored("a.zip", zip_bytes({"zeros": bytes(20_000_000)})), limits)


def test_a_zip_whose_entries_share_their_bytes_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    packed = zip_bytes({"1.xml": bytes(range(256)) * 40}, zipfile.ZIP_STORED)
    start = packed.index(b"PK\1\2")
    end = packed.index(b"PK\5\6")
    directory = packed[start:end]
    tail = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 3, 3, 3 * len(directory), start, 0)
    with pytest.raises(SourceError, match="compression bomb"):
        contents(stored("a.zip", packed[:start] + directory * 3 + tail))


def test_a_zip_entry_that_understates_its_size_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    packed = zip_bytes({"1.xml": bytes(100_000)})
    lie = packed.replace(struct.pack("<L", 100_000), struct.pack("<L", 100))
    with pytest.raises(SourceError, match="cannot be read to its end"):
        contents(stored("a.zip", lie))


def test_an_encrypted_zip_is_refused_with_advice(stored: Callable[[str, bytes], Path]) -> None:
    packed = bytearray(zip_bytes(FILES))
    packed[packed.index(b"PK\1\2") + 8] |= 1
    with pytest.raises(SourceError, match=r"law/1\.xml is encrypted; unpack it with its password"):
        contents(stored("a.zip", bytes(packed)))


def test_a_zip_method_with_unbounded_memory_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    with pytest.raises(SourceError, match="packed by method 14; pack it again with deflate"):
        contents(stored("a.zip", zip_bytes(FILES, zipfile.ZIP_LZMA)))


def test_a_header_that_claims_gigabytes_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    header = tarfile.TarInfo("law/1.xml")
    header.type = tarfile.XHDTYPE
    header.size = 1 << 40
    endless = header.tobuf(tarfile.GNU_FORMAT) + bytes(4_000_000)
    with pytest.raises(SourceError, match="oversized header"):
        contents(stored("a.tar", endless))


def test_headers_of_headers_without_end_are_refused(stored: Callable[[str, bytes], Path]) -> None:
    header = tarfile.TarInfo("././@LongLink")
    header.type = tarfile.GNUTYPE_LONGNAME
    header.size = 1
    nested = (header.tobuf(tarfile.GNU_FORMAT) + b"a".ljust(512, b"\0")) * 1_500
    with pytest.raises(SourceError, match="headers of headers"):
        contents(stored("a.tar", nested + tar_bytes(FILES)))


def test_an_xz_dictionary_of_gigabytes_is_refused(stored: Callable[[str, bytes], Path]) -> None:
    greedy = lzma.compress(tar_bytes(FILES), filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}])
    position = greedy.index(b"\x21\x01") + 2
    block = bytearray(greedy)
    block[position] = 40  # 4 GiB
    size = (block[12] + 1) * 4
    block[12 + size - 4 : 12 + size] = struct.pack("<L", zlib.crc32(block[12 : 12 + size - 4]))
    with pytest.raises(SourceError, match="Memory usage limit"):
        contents(stored("a.tar.xz", bytes(block)))


@pytest.mark.parametrize("cut", [10, 100, 511, 512, 700, 1024, 1536, 2000])
def test_a_tar_cut_off_anywhere_is_refused(stored: Callable[[str, bytes], Path], cut: int) -> None:
    with pytest.raises(SourceError, match="cut off; fetch it again"):
        contents(stored("a.tar", tar_bytes(FILES)[:cut]))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_packed_archives_cut_off_anywhere_are_refused(
    stored: Callable[[str, bytes], Path], share: float
) -> None:
    noisy = {f"{number}.xml": os.urandom(2_000) for number in range(20)}
    tar = tar_bytes(noisy)
    for name, packed in {
        "a.tar.gz": gzip.compress(tar),
        "a.tar.xz": lzma.compress(tar),
        "a.zip": zip_bytes(noisy),
    }.items():
        with pytest.raises(SourceError, match="cut off; fetch it again"):
            contents(stored(name, packed[: int(len(packed) * share)]))


def test_a_damaged_header_does_not_end_a_tar_silently(stored: Callable[[str, bytes], Path]) -> None:
    packed = bytearray(tar_bytes(FILES))
    packed[1024 + 150] ^= 0xFF  # in the checksum of the second header
    with pytest.raises(SourceError, match="where a file should begin"):
        contents(stored("a.tar", bytes(packed)))


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tar.xz", "a.zip"])
def test_bytes_of_another_form_are_refused(stored: Callable[[str, bytes], Path], name: str) -> None:
    for content in (b"", b"<xml/>", os.urandom(3_000)):
        with pytest.raises(SourceError, match=f"{name} cannot be read to its end"):
            contents(stored(name, content))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(position=st.integers(0, 10_239), flip=st.integers(1, 255), form=st.sampled_from(["tar", "zip"]))
def test_a_flipped_byte_never_escapes_as_another_error(
    tmp_path: Path, position: int, flip: int, form: str
) -> None:
    packed = bytearray(tar_bytes(FILES) if form == "tar" else zip_bytes(FILES))
    packed[position % len(packed)] ^= flip
    origin = tmp_path / f"a.{form}"
    origin.write_bytes(bytes(packed))
    try:
        found = contents(origin)
    except SourceError:
        return
    assert all(".." not in path.split("/") for path in found)


def test_a_missing_source_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"does not exist. Give a folder or an archive \(\.tar\.xz, "):
        open_source(tmp_path / "absent.tar.xz", Limits())


def test_an_unknown_form_says_what_to_give(stored: Callable[[str, bytes], Path]) -> None:
    with pytest.raises(SourceError, match="neither a folder nor an archive that is known"):
        open_source(stored("law.rar", b"Rar!"), Limits())


def test_a_file_that_goes_while_a_folder_is_read_is_named(tmp_path: Path) -> None:
    paths = [f"{number:03}.xml" for number in range(200)]
    for path in paths:
        (tmp_path / path).write_bytes(path.encode())
    members = folder_members(tmp_path, paths, NO_LIMITS_GIVEN)
    assert next(members) == ("000.xml", b"000.xml")
    (tmp_path / "150.xml").unlink()
    with pytest.raises(SourceError, match=r"150\.xml cannot be read: No such file"):
        list(members)


def test_a_folder_that_is_read_in_part_keeps_no_file_open(tmp_path: Path) -> None:
    paths = [f"{number:03}.xml" for number in range(200)]
    for path in paths:
        (tmp_path / path).write_bytes(path.encode())
    before = list(Path("/proc/self/fd").iterdir())
    members = folder_members(tmp_path, paths, NO_LIMITS_GIVEN)
    next(members)
    assert len(list(Path("/proc/self/fd").iterdir())) > len(before)
    members.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == len(before)

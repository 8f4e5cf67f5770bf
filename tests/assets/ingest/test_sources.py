"""Pinning: what is kept, under which path, since when, and that nothing is replaced by a failure."""

import io
import json
import tarfile
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assets.connectors.records import Downloaded, Signed, SignedRole, Validators
from assets.connectors.release import Fetched, Release
from assets.errors import SourceError
from assets.ingest.bounds import Limits
from assets.ingest.pinned import PinnedSource, open_pinned, verify_pinned
from assets.ingest.sources import pin_source
from assets.registry import CodeBody

BODY = CodeBody(
    key="sample-code",
    name="Sample Code",
    jurisdiction="sample",
    reader="uslm",
    root="/sample/code",
    citation="{title} Sample Code § {num}",
    short_name="Sample Code",
    publisher="this project",
    license="Apache-2.0",
    release_point_pattern=r"(\d{2,3}-\d+)",
)
FIRST = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = FIRST + timedelta(days=30)


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def pin(origin: Path, destination: Path, at: datetime = FIRST, limits: Limits | None = None) -> PinnedSource:
    return pin_source(
        origin,
        BODY,
        destination,
        retrieved_at=at,
        progress=lambda done, total: None,
        limits=limits or Limits(),
    )


def test_files_come_back_as_they_were_sorted_by_path(tmp_path: Path) -> None:
    files = {"2.xml": b"<b/>", "10.xml": b"<a/>", "sub/1.xml": b"", "image.jpeg": bytes(range(256))}
    source = pin(put(tmp_path / "law-119-36", files), tmp_path / "pin")
    pinned = open_pinned(tmp_path / "pin")
    assert pinned.paths() == ["10.xml", "2.xml", "image.jpeg", "sub/1.xml"]
    assert {file.path: file.content for file in pinned} == files
    assert pinned.get("absent.xml") is None
    assert (source.files, source.bytes, source.release_point) == (4, 264, "119-36")
    assert source == verify_pinned(tmp_path / "pin")


def test_the_description_names_the_origin_but_not_its_place(tmp_path: Path) -> None:
    pin(put(tmp_path / "law-119-36", {"1.xml": b"<a/>"}), tmp_path / "pin")
    text = (tmp_path / "pin" / "source.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert json.loads(text) == {
        "origin": "law-119-36",
        "release_point": "119-36",
        "retrieved_at": "2026-01-02T03:04:05Z",
        "license": "Apache-2.0",
        "publisher": "this project",
        "source_url": None,
        "sha256": json.loads(text)["sha256"],
        "files": 1,
        "bytes": 4,
        "given": 4,
        "release": None,
        "release_date": None,
        "fetched": [],
        "archive": None,
    }


def test_a_fetched_source_says_from_where_and_which_bytes(tmp_path: Path) -> None:
    origin = put(tmp_path / "law-119-36", {"1.xml": b"<a/>"})
    root = SignedRole("root", 1, "2027-01-02T03:04:05Z", ("key-1", "key-2"))
    signed = Signed("https://a.example/law", "1" * 40, "2" * 64, (root,))
    at = "2026-01-02T03:04:05Z"
    file = Downloaded("https://a.example/1.xml", Validators('"v1"'), "0" * 64, 4, at, signed)
    fetched = Fetched(Release("119-36", None, ("https://a.example/1.xml",)), origin, (file,))
    written = pin_source(
        origin,
        BODY,
        tmp_path / "pin",
        retrieved_at=FIRST,
        progress=lambda done, total: None,
        fetched=fetched,
    )
    assert (written.release, written.fetched) == ("119-36", (file,))
    assert PinnedSource.load(tmp_path / "pin") == written


def test_a_folder_and_its_archive_are_the_same_source(tmp_path: Path) -> None:
    folder = put(tmp_path / "law-119-36", {"usc/1.xml": b"<a/>", "xsd/uslm.xsd": b"<schema/>"})
    archive = tmp_path / "law-119-36.tar.gz"
    with tarfile.open(archive, "w:gz") as writer:
        writer.add(folder, "law-119-36")
    of_folder = pin(folder, tmp_path / "pin-folder")
    of_archive = pin(archive, tmp_path / "pin-archive")
    assert open_pinned(tmp_path / "pin-archive").paths() == ["usc/1.xml"]
    assert of_archive.sha256 == of_folder.sha256
    assert of_archive.release_point == of_folder.release_point == "119-36"


def test_a_release_point_in_the_top_folder_is_found(tmp_path: Path) -> None:
    origin = put(tmp_path / "download", {"law-119-36/1.xml": b"<a/>", "law-119-36/2.xml": b"<b/>"})
    assert pin(origin, tmp_path / "pin").release_point == "119-36"


def test_the_same_bytes_keep_the_time_of_their_first_retrieval(tmp_path: Path) -> None:
    origin = put(tmp_path / "law", {"1.xml": b"<a/>", "2.xml": b"<b/>"})
    first = pin(origin, tmp_path / "pin")
    assert pin(origin, tmp_path / "pin", LATER) == first
    put(origin, {"2.xml": b"<changed/>", "3.xml": b"<c/>"})
    changed = pin(origin, tmp_path / "pin", LATER)
    dates = {entry.path: entry.retrieved_at for entry in open_pinned(tmp_path / "pin").entries()}
    assert changed.retrieved_at == "2026-02-01T03:04:05Z"
    assert dates == {
        "1.xml": first.retrieved_at,
        "2.xml": changed.retrieved_at,
        "3.xml": changed.retrieved_at,
    }


def test_times_are_kept_in_utc(tmp_path: Path) -> None:
    at = datetime(2026, 1, 2, 1, 0, tzinfo=timezone(timedelta(hours=-5)))
    assert (
        pin(put(tmp_path / "law", {"1.xml": b"<a/>"}), tmp_path / "pin", at).retrieved_at
        == "2026-01-02T06:00:00Z"
    )


@pytest.mark.parametrize("files", [{}, {"uslm.xsd": b"<schema/>"}, {".git/config": b"x"}])
def test_a_source_without_files_to_read_is_refused(tmp_path: Path, files: dict[str, bytes]) -> None:
    (tmp_path / "law").mkdir()
    with pytest.raises(SourceError, match="law holds no files that could be read"):
        pin(put(tmp_path / "law", files), tmp_path / "pin")


def test_a_path_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "law.tar", "w") as archive:
        for content in (b"<good/>", b"<evil/>"):
            header = tarfile.TarInfo("law/./1.xml")
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    with pytest.raises(SourceError, match=r"law\.tar holds law/1\.xml twice"):
        pin(tmp_path / "law.tar", tmp_path / "pin")


def test_a_failure_leaves_the_pinned_source_and_no_litter(tmp_path: Path) -> None:
    origin = put(tmp_path / "law", {"1.xml": b"<a/>"})
    first = pin(origin, tmp_path / "pins" / "pin")
    put(origin, {"2.xml": b"x" * 100})
    with pytest.raises(SourceError):
        pin(origin, tmp_path / "pins" / "pin", LATER, Limits(member_bytes=50))
    assert verify_pinned(tmp_path / "pins" / "pin") == first
    assert [path.name for path in (tmp_path / "pins").iterdir()] == ["pin"]


def test_progress_counts_the_files(tmp_path: Path) -> None:
    origin = put(tmp_path / "law", {f"{number}.xml": b"<a/>" for number in range(5)})
    calls: list[tuple[int, int]] = []
    pin_source(
        origin,
        BODY,
        tmp_path / "pin",
        retrieved_at=FIRST,
        progress=lambda done, total: calls.append((done, total)),
    )
    assert calls == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (5, 5)]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,3}/[a-z0-9]{1,8}\.xml", fullmatch=True), st.binary(max_size=3_000), min_size=1
    )
)
def test_any_files_come_back(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    folder = tmp_path_factory.mktemp("any")
    origin = put(folder / "law", files | {"at-the-top.xml": b""})
    pin(origin, folder / "pin")
    pinned = open_pinned(folder / "pin")
    assert {file.path: file.content for file in pinned} == files | {"at-the-top.xml": b""}
    assert {path: file.content for path in files if (file := pinned.get(path))} == files

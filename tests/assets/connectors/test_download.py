"""Downloads over real sockets: what is new, on from where it broke off, whole or not at all."""

import gzip
import hashlib
import io
import json
import random
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.connectors.download import download
from assets.connectors.errors import FetchError, PassingError, UnreachableError
from assets.connectors.records import Downloaded
from assets.connectors.session import Bounds, Session
from tests.assets.connectors.conftest import Watch
from tests.assets.connectors.publisher import (
    File,
    Handler,
    Publisher,
    breaks_after,
    publishing,
    status,
)

BYTES = random.Random(5).randbytes(900_000)
MIB = 1_000_000


def fetch(session: Session, address: str, target: Path, *, most: int = 10 * MIB) -> Downloaded:
    return download(session, address, target, most=most, advance=lambda _, __: None)


def until(reached: Callable[[], bool]) -> None:
    """Return once it is so; not for ever."""
    end = time.monotonic() + 30
    while not reached() and time.monotonic() < end:
        time.sleep(0.02)


def whole(target: Path, content: bytes = BYTES) -> bool:
    return target.read_bytes() == content


def test_a_file_comes_with_its_hash_and_validators(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target = tmp_path / "law.bin"
    seen: list[tuple[int, int]] = []
    address = publisher.put("/law.bin", BYTES)
    done = download(session, address, target, most=MIB, advance=lambda *told: seen.append(told))
    assert whole(target)
    assert done.sha256 == hashlib.sha256(BYTES).hexdigest()
    assert (done.validators.etag, done.validators.last_modified) == ('"v1"', "Mon, 12 Jan 2026 08:00:00 GMT")
    assert done.bytes == len(BYTES)
    assert seen[-1] == (len(BYTES), len(BYTES))
    assert sorted(path.name for path in tmp_path.iterdir()) == [".law.bin.json", "law.bin"]
    assert publisher.asked[0].headers["Accept-Encoding"] == "identity"


def test_an_unchanged_file_is_not_sent_again(publisher: Publisher, session: Session, tmp_path: Path) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    first = fetch(session, address, target)
    again = fetch(session, address, target)
    assert again == first
    assert publisher.asked[1].headers["If-None-Match"] == '"v1"'
    publisher.files["/law.bin"].etag = '"v2"'
    assert fetch(session, address, target).validators.etag == '"v2"'


def test_a_file_with_a_date_alone_is_asked_for_by_it(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES, etag=None)
    first = fetch(session, address, target)
    assert fetch(session, address, target) == first
    assert publisher.asked[1].headers["If-Modified-Since"] == "Mon, 12 Jan 2026 08:00:00 GMT"


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_file_that_was_damaged_here_is_fetched_whole(
    publisher: Publisher, session: Session, tmp_path: Path, damage: str
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    fetch(session, address, target)
    if damage == "gone":
        target.unlink()
    else:
        target.write_bytes(BYTES[:-1] if damage == "cut" else BYTES[:-1] + b"?")
    fetch(session, address, target)
    assert whole(target)
    assert "If-None-Match" not in publisher.asked[1].headers


def test_a_damaged_record_costs_a_download_and_nothing_else(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    for record in (b"", b"[]", b"{}", b'{"address": 1, "validators": {"nothing": 2}}', b"\xff"):
        fetch(session, address, target)
        (tmp_path / ".law.bin.json").write_bytes(record)
        fetch(session, address, target)
        assert whole(target)


def test_what_broke_off_goes_on_from_there(
    publisher: Publisher, session: Session, watch: Watch, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    publisher.faults = [breaks_after(300_000), breaks_after(200_000)]
    fetch(session, address, target)
    assert whole(target)
    starts = [int(one.headers["Range"].strip("bytes=-")) for one in publisher.asked[1:]]
    assert 0 < starts[0] < starts[1] <= 500_000
    assert {one.headers["If-Range"] for one in publisher.asked[1:]} == {'"v1"'}
    assert len(watch.slept) == 2


def test_a_file_that_changed_meanwhile_begins_anew(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    newer = BYTES[::-1]

    def changes(handler: Handler, file: File | None) -> bool:
        publisher.put("/law.bin", newer, etag='"v2"')
        handler._serve(publisher.files["/law.bin"])
        return True

    publisher.faults = [breaks_after(300_000), changes]
    assert fetch(session, address, target).validators.etag == '"v2"'
    assert whole(target, newer)


@pytest.mark.parametrize(
    "about",
    [
        {"Content-Range": "bytes 0-899999/900000"},
        {"Content-Range": "bytes 5-899999/900000"},
        {"Content-Range": "bytes {start}-899999/900001"},
        {"Content-Range": "bytes {start}-899998/900000"},
        {"Content-Range": "{start}-899999/900000"},
        {"Content-Range": "bytes {start}-899999/900000", "ETag": '"v2"'},
        {},
    ],
)
def test_a_part_that_does_not_fit_is_not_joined(
    publisher: Publisher, session: Session, tmp_path: Path, about: dict[str, str]
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)

    def lies(handler: Handler, file: File | None) -> bool:
        assert file is not None
        start = handler._start(file)
        headers = {"ETag": '"v1"'} | {name: value.format(start=start) for name, value in about.items()}
        rest = b"x" * (len(BYTES) - (start or 0))
        handler.reply(206, rest, headers=headers)
        return True

    publisher.faults = [breaks_after(300_000), lies]
    fetch(session, address, target)
    assert whole(target)
    assert "Range" not in publisher.asked[2].headers


def test_without_a_strong_validator_nothing_is_continued(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES, etag='W/"v1"')
    publisher.faults = [breaks_after(300_000)]
    fetch(session, address, target)
    assert whole(target)
    assert "Range" not in publisher.asked[1].headers


def test_a_server_without_ranges_sends_all_of_it(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    publisher.ranges = False
    publisher.faults = [breaks_after(300_000)]
    fetch(session, address, target)
    assert whole(target)


def test_a_range_that_cannot_be_had_is_dropped(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    publisher.faults = [breaks_after(300_000), status(416, Content_Range="bytes */900000")]
    fetch(session, address, target)
    assert whole(target)
    assert "Range" not in publisher.asked[2].headers


def test_a_length_that_is_never_reached_ends_in_an_error(
    publisher: Publisher, session: Session, watch: Watch, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)

    def too_long(handler: Handler, file: File | None) -> bool:
        handler.head(200, len(BYTES) + 10, file=file)
        handler.wfile.write(BYTES)
        handler.close_connection = True
        return True

    publisher.ranges = False
    publisher.faults = [too_long] * 20
    with pytest.raises(FetchError, match="broke off"):
        fetch(session, address, target)
    assert not target.exists()


def test_an_archive_cut_by_its_declared_length_is_not_kept(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("usc01.xml", BYTES)
    address = publisher.put("/all.zip", packed.getvalue())

    def too_short(handler: Handler, file: File | None) -> bool:
        handler.head(200, 500_000, file=file)
        handler.wfile.write(packed.getvalue())
        handler.close_connection = True
        return True

    publisher.faults = [too_short]
    with pytest.raises(FetchError, match=r"no whole \.zip"):
        fetch(session, address, tmp_path / "all.zip")
    assert not list(tmp_path.iterdir())
    fetch(session, address, tmp_path / "all.zip")
    assert whole(tmp_path / "all.zip", packed.getvalue())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("all.tar.gz", gzip.compress(BYTES)[:-20]),
        ("all.zip", b"PK\x03\x04" + BYTES),
        ("title-1.xml", b"<DLPSTEXTCLASS><TEXT>"[:-2]),
        ("zones.geojson", b'{"type": "FeatureCollection", "features": ['),
        ("all.zip", b"<html>Please sign in</html>"),
        ("all.tar.xz", BYTES),
        ("all.zip", b""),
        ("all.tar.gz", b""),
    ],
)
def test_half_of_a_known_form_is_not_kept(
    publisher: Publisher, session: Session, tmp_path: Path, name: str, content: bytes
) -> None:
    with pytest.raises(FetchError, match="is no whole"):
        fetch(session, publisher.put(f"/{name}", content), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_chunks_that_end_too_soon_are_no_file(publisher: Publisher, session: Session, tmp_path: Path) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)

    def chunked(handler: Handler, file: File | None) -> bool:
        handler.head(200, None, file=file, headers={"Transfer-Encoding": "chunked"})
        handler.wfile.write(b"%x\r\n%s\r\n" % (1000, BYTES[:1000]))
        handler.close_connection = True
        return True

    publisher.faults = [chunked]
    fetch(session, address, target)
    assert whole(target)


def test_packing_that_was_not_asked_for_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    address = publisher.put("/law.bin", BYTES)

    def packs(handler: Handler, file: File | None) -> bool:
        handler.reply(200, gzip.compress(BYTES), file=file, headers={"Content-Encoding": "gzip"})
        return True

    publisher.faults = [packs]
    with pytest.raises(FetchError, match="coding 'gzip'"):
        fetch(session, address, tmp_path / "law.bin")


@pytest.mark.parametrize("declared", [True, False])
def test_a_file_beyond_the_bound_is_refused(
    publisher: Publisher, session: Session, tmp_path: Path, declared: bool
) -> None:
    address = publisher.put("/law.bin", BYTES)

    def endless(handler: Handler, file: File | None) -> bool:
        if declared:
            return False
        handler.head(200, None, file=file, headers={"Connection": "close"})
        handler.wfile.write(BYTES)
        return True

    publisher.faults = [endless]
    with pytest.raises(FetchError, match="at most 500,000 are taken"):
        fetch(session, address, tmp_path / "law.bin", most=500_000)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("code", [429, 503])
def test_the_wait_that_a_publisher_asks_for_is_kept(
    publisher: Publisher, session: Session, watch: Watch, tmp_path: Path, code: int
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    publisher.faults = [status(code, Retry_After="37"), status(code)]
    fetch(session, address, target)
    assert whole(target)
    assert watch.slept[0] == 37
    assert 2 <= watch.slept[1] <= 3


def test_a_wait_of_hours_is_told_and_not_waited_for(
    publisher: Publisher, session: Session, watch: Watch, tmp_path: Path
) -> None:
    address = publisher.put("/law.bin", BYTES)
    publisher.faults = [status(503, Retry_After="7200")]
    with pytest.raises(FetchError, match="asks to wait 7,200 s"):
        fetch(session, address, tmp_path / "law.bin")
    assert watch.slept == []


@pytest.mark.parametrize("code", [401, 403, 404, 410, 400])
def test_a_refusal_is_not_asked_again(
    publisher: Publisher, session: Session, tmp_path: Path, code: int
) -> None:
    address = publisher.put("/law.bin", BYTES)
    publisher.faults = [status(code)]
    with pytest.raises(FetchError, match=f"answers {code}"):
        fetch(session, address, tmp_path / "law.bin")
    assert len(publisher.asked) == 1


def test_attempts_that_bring_nothing_are_counted_and_others_are_not(
    publisher: Publisher, session: Session, watch: Watch, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    publisher.faults = [breaks_after(50_000)] * 12
    fetch(session, address, target)
    assert whole(target)
    assert max(watch.slept) <= 61
    publisher.put("/law.bin", BYTES, etag='"v2"')
    publisher.faults = [status(502)] * 9
    publisher.asked.clear()
    with pytest.raises(PassingError, match="502"):
        fetch(session, address, target)
    assert len(publisher.asked) == 5
    assert whole(target)


def test_a_slow_drip_is_given_up_and_kept(
    publisher: Publisher, session: Session, watch: Watch, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    part = tmp_path / ".law.bin.part"

    def drips(handler: Handler, file: File | None) -> bool:
        handler.head(200, len(BYTES), file=file)
        for start in range(0, len(BYTES), 300_000):
            watch.now += 400
            handler.wfile.write(BYTES[start : start + 300_000])
            until(lambda: part.exists() and part.stat().st_size > 0)
        return True

    publisher.faults = [drips]
    with pytest.raises(FetchError, match="takes more than 600 s"):
        fetch(session, address, target)
    assert not target.exists()
    fetch(session, address, target)
    assert whole(target)
    assert int(publisher.asked[1].headers["Range"].strip("bytes=-")) > 0


def test_silence_counts_as_broken(publisher: Publisher, watch: Watch, tmp_path: Path) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)

    def falls_silent(handler: Handler, file: File | None) -> bool:
        handler.head(200, len(BYTES), file=file)
        handler.wfile.write(BYTES[:300_000])
        handler.wfile.flush()
        time.sleep(1.0)
        handler.close_connection = True
        return True

    publisher.faults = [falls_silent]
    with Session(Bounds(silence=0.3, pause=0), sleep=watch.sleep) as session:
        fetch(session, address, target)
    assert whole(target)


def test_redirects_on_the_same_host_are_followed(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target = tmp_path / "law.bin"
    publisher.put("/files/law.bin", BYTES)
    publisher.faults = [status(302, Location="/files/law.bin")]
    done = fetch(session, publisher.address + "/law.bin", target)
    assert whole(target)
    assert done.address == publisher.address + "/law.bin"


@pytest.mark.parametrize(
    "scheme", ["https://127.0.0.1:9/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "//["]
)
def test_redirects_to_another_scheme_are_not_followed(
    publisher: Publisher, session: Session, tmp_path: Path, scheme: str
) -> None:
    publisher.faults = [status(302, Location=scheme)]
    with pytest.raises(FetchError, match=r"not followed|no address"):
        fetch(session, publisher.address + "/law.bin", tmp_path / "law.bin")
    assert len(publisher.asked) == 1


def test_redirects_to_another_host_over_http_are_not_followed(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    with publishing() as other:
        other.put("/law.bin", BYTES)
        publisher.faults = [status(307, Location=other.address + "/law.bin")]
        with pytest.raises(FetchError, match="not followed"):
            fetch(session, publisher.address + "/law.bin", tmp_path / "law.bin")
        assert other.asked == []


def test_redirects_without_end_are_given_up(publisher: Publisher, session: Session, tmp_path: Path) -> None:
    publisher.faults = [status(301, Location="/law.bin")] * 20
    with pytest.raises(FetchError, match="more than 5 times"):
        fetch(session, publisher.address + "/law.bin", tmp_path / "law.bin")


def test_nobody_at_an_address_is_told_apart(session: Session, watch: Watch, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(UnreachableError, match="cannot be reached"):
        fetch(session, f"http://127.0.0.1:{port}/law.bin", tmp_path / "law.bin")
    assert len(watch.slept) == 4


def test_a_part_of_which_all_bytes_came_is_checked_and_kept(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target, address = tmp_path / "law.bin", publisher.put("/law.bin", BYTES)
    publisher.faults = [breaks_after(300_000), status(403)]
    with pytest.raises(FetchError, match="403"):
        fetch(session, address, target)
    (tmp_path / ".law.bin.part").write_bytes(BYTES)
    fetch(session, address, target)
    assert whole(target)
    assert publisher.asked[2].headers["Range"] == f"bytes={len(BYTES) - 1}-"


def test_a_part_of_another_address_is_not_continued(
    publisher: Publisher, session: Session, tmp_path: Path
) -> None:
    target = tmp_path / "law.bin"
    publisher.put("/old.bin", BYTES[::-1])
    publisher.faults = [breaks_after(300_000), status(403)]
    with pytest.raises(FetchError):
        fetch(session, publisher.address + "/old.bin", target)
    fetch(session, publisher.put("/new.bin", BYTES), target)
    assert whole(target)


CHILD = """
import sys
from pathlib import Path
from assets.connectors.download import download
from assets.connectors.session import Bounds, Session
with Session(Bounds(pause=0)) as session:
    download(session, sys.argv[1], Path(sys.argv[2]), most=10_000_000, advance=lambda _, __: None)
"""


@pytest.mark.parametrize("sent", [0, 1, 300_000, 600_000, len(BYTES)])
@pytest.mark.parametrize("old", [True, False])
def test_killed_at_any_point_the_file_is_the_old_one_or_none(
    publisher: Publisher, session: Session, tmp_path: Path, sent: int, old: bool
) -> None:
    target = tmp_path / "law.bin"
    before = BYTES[::-1]
    if old:
        fetch(session, publisher.put("/law.bin", before, etag='"v0"'), target)
    address = publisher.put("/law.bin", BYTES)
    arrived, over = threading.Event(), threading.Event()

    def stalls(handler: Handler, file: File | None) -> bool:
        handler.head(200, len(BYTES) + (sent == len(BYTES)), file=file)
        handler.wfile.write(BYTES[:sent])
        handler.wfile.flush()
        arrived.set()
        over.wait(60)
        handler.close_connection = True
        return True

    publisher.faults = [stalls]
    with subprocess.Popen([sys.executable, "-c", CHILD, address, str(target)]) as child:
        part = tmp_path / ".law.bin.part"
        try:
            # The last block may lie in a buffer of the child: a kill then is a kill before it was written.
            until(lambda: arrived.is_set() and (sent < 300_000 or part.exists()))
            time.sleep(0.2)
        finally:
            child.kill()
            over.set()
    assert target.read_bytes() == before if old else not target.exists()
    fetch(session, address, target)
    assert whole(target)
    assert (
        json.loads((tmp_path / ".law.bin.json").read_bytes())["sha256"] == hashlib.sha256(BYTES).hexdigest()
    )


@pytest.mark.parametrize("call", ["fsync", "truncate", "rename", "unlink", "fsync-after"])
def test_killed_between_the_last_steps_the_file_is_whole_or_absent(
    publisher: Publisher, session: Session, tmp_path: Path, call: str
) -> None:
    """Every system call of the end of a download is a point at which the process may be killed."""
    address, target = publisher.put("/law.bin", BYTES), tmp_path / "law.bin"
    for count in range(1, 6):
        child = f"""
import os, signal, sys
from pathlib import Path
name, left = {call!r}, {count}
def deadly(real, after=False):
    def call(*arguments, **more):
        global left
        left -= 1
        if left == 0 and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        value = real(*arguments, **more)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return value
    return call
if name == "fsync": os.fsync = deadly(os.fsync)
elif name == "fsync-after": os.fsync = deadly(os.fsync, after=True)
elif name == "truncate": os.truncate = deadly(os.truncate)
elif name == "rename": Path.rename = deadly(Path.rename)
elif name == "unlink": Path.unlink = deadly(Path.unlink)
{CHILD}"""
        subprocess.run([sys.executable, "-c", child, address, str(target)], check=False)
        assert not target.exists() or whole(target)
        fetch(session, address, target)
        assert whole(target)
        target.unlink(missing_ok=True)
        if count % 2:
            (tmp_path / ".law.bin.json").unlink(missing_ok=True)

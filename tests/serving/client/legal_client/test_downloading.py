"""Downloads from servers that break off, lie or are full: never a half file that counts as whole."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from legal_client import (
    AsyncClient,
    Client,
    ConnectionFailedError,
    DamagedDownloadError,
    MalformedAnswerError,
    NotFoundError,
    NotWrittenError,
    Patience,
)
from legal_client.results import Download

CONTENT = bytes(range(256)) * 4000
"""A megabyte in which each place can be told from its neighbours."""
SHA256 = hashlib.sha256(CONTENT).hexdigest()
PATH = "/api/v1/downloads/2026.11.21-1/us-sample/provisions.parquet"


@dataclass
class Behaviour:
    """What a server does with one request after the other; the last goes on.

    Attributes:
        cuts: bytes after which each answer breaks off; None for a whole one.
        statuses: of answers that are none of the file.
        etag: of the file that is there.
        content: of that file.
        ranges: whether parts are sent.
        asked: the headers `Range` and `If-Range` that came.
    """

    cuts: list[int | None] = field(default_factory=lambda: [None])
    statuses: list[int] = field(default_factory=list)
    etag: str = f'"{SHA256}"'
    content: bytes = CONTENT
    ranges: bool = True
    asked: list[tuple[str | None, str | None]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    behaviour: Behaviour

    def do_GET(self) -> None:
        does = self.behaviour
        asked = self.headers.get("Range"), self.headers.get("If-Range")
        does.asked.append(asked)
        if does.statuses:
            self.send_response(does.statuses.pop(0))
            self.send_header("Retry-After", "1")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = 0
        if asked[0] and does.ranges and asked[1] == does.etag:
            start = int(asked[0].removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(does.content) - 1}/{len(does.content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(does.content) - start))
        self.end_headers()
        cut = does.cuts.pop(0) if len(does.cuts) > 1 else does.cuts[0]
        self.wfile.write(does.content[start:] if cut is None else does.content[start : start + cut])
        self.close_connection = True

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


Serve = Callable[..., tuple[Client, Behaviour]]


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[str]:
    handler = type("Own", (Handler,), {"behaviour": behaviour})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def file() -> Download:
    return Download("provisions", "parquet", PATH, "application/x", len(CONTENT), SHA256, 1)


@contextmanager
def opened(behaviour: Behaviour, *, attempts: int = 3) -> Iterator[Client]:
    with (
        serving(behaviour) as address,
        Client(address, patience=Patience(attempts=attempts), sleep=lambda _: None) as client,
    ):
        yield client


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_comes_whole_and_is_not_asked_for_twice(file, tmp_path):
    does = Behaviour()
    seen: list[int] = []
    with opened(does) as client:
        path = client.download(file, tmp_path / "new" / "folder", progress=seen.append)
        assert path.read_bytes() == CONTENT
        assert client.download(file, path.parent) == path
    assert names(path.parent) == ["provisions.parquet"]
    assert does.asked == [(None, None)]
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, len(CONTENT))


def test_the_asynchronous_client_downloads_beside_the_event_loop(file, tmp_path):
    async def download(address: str) -> tuple[Path, int]:
        turns = 0
        async with AsyncClient(address, patience=Patience(attempts=3, backoff=0.01)) as client:
            coming = asyncio.create_task(client.download(file, tmp_path))
            while not coming.done():
                turns += 1
                await asyncio.sleep(0)
        return await coming, turns

    does = Behaviour(cuts=[100_000, None])
    with serving(does) as address:
        path, turns = asyncio.run(download(address))
    assert path.read_bytes() == CONTENT
    assert does.asked == [(None, None), ("bytes=100000-", f'"{SHA256}"')]
    assert turns > 10


def test_a_download_that_breaks_off_goes_on_where_it_was(file, tmp_path):
    does = Behaviour(cuts=[100_000, 1, 300_000, None])
    with opened(does) as client:
        assert client.download(file, tmp_path).read_bytes() == CONTENT
    tag = f'"{SHA256}"'
    assert does.asked == [
        (None, None),
        ("bytes=100000-", tag),
        ("bytes=100001-", tag),
        ("bytes=400001-", tag),
    ]
    assert names(tmp_path) == ["provisions.parquet"]


def test_a_later_call_goes_on_too_and_a_half_file_is_never_named_as_whole(file, tmp_path):
    with (
        opened(Behaviour(cuts=[700_000, 0])) as client,
        pytest.raises(ConnectionFailedError, match="goes on"),
    ):
        client.download(file, tmp_path)
    assert names(tmp_path) == [f"provisions.parquet.{SHA256[:12]}.part"]
    does = Behaviour()
    with opened(does) as client:
        assert client.download(file, tmp_path).read_bytes() == CONTENT
    assert does.asked[0][0] == "bytes=700000-"


def test_a_connection_that_gives_nothing_is_given_up_after_the_attempts(file, tmp_path):
    does = Behaviour(cuts=[0])
    with opened(does, attempts=3) as client, pytest.raises(ConnectionFailedError):
        client.download(file, tmp_path)
    assert len(does.asked) == 3


def test_a_part_is_begun_anew_where_the_server_sends_the_whole(file, tmp_path):
    for does in (Behaviour(cuts=[50, None], ranges=False), Behaviour(cuts=[50, None], etag='"other"')):
        with opened(does) as client:
            assert client.download(file, tmp_path / does.etag[1:4]).read_bytes() == CONTENT


def test_what_an_earlier_download_left_wrong_is_fetched_anew(file, tmp_path):
    part = tmp_path / f"provisions.parquet.{SHA256[:12]}.part"
    part.write_bytes(b"x" * 1000)
    with opened(Behaviour()) as client:
        assert client.download(file, tmp_path).read_bytes() == CONTENT
    part.write_bytes(b"x" * (len(CONTENT) + 5))
    (tmp_path / "provisions.parquet").write_bytes(b"something else")
    with opened(Behaviour()) as client:
        assert client.download(file, tmp_path).read_bytes() == CONTENT
    assert names(tmp_path) == ["provisions.parquet"]


@pytest.mark.parametrize("other", [CONTENT[:-1] + b"!", CONTENT + b"more"], ids=["other bytes", "too many"])
def test_other_bytes_than_listed_are_refused_and_removed(file, tmp_path, other):
    with opened(Behaviour(content=other)) as client, pytest.raises(DamagedDownloadError, match="other bytes"):
        client.download(file, tmp_path)
    assert names(tmp_path) == []


def test_refusals_are_waited_out_or_told(file, tmp_path):
    does = Behaviour(statuses=[429, 503])
    with opened(does) as client:
        assert client.download(file, tmp_path).read_bytes() == CONTENT
    with opened(Behaviour(statuses=[404])) as client, pytest.raises(NotFoundError):
        client.download(file, tmp_path / "other")


def test_a_folder_that_cannot_be_written_is_said(file, tmp_path):
    (tmp_path / "taken").write_text("a file")
    with opened(Behaviour()) as client, pytest.raises(NotWrittenError, match="could not be written"):
        client.download(file, tmp_path / "taken")


@pytest.mark.parametrize(
    "path", ["@evil.example/x.parquet", "https://evil.example/x", "/a/..", "/a/.hidden", "/a/", "/a/b\\c"]
)
def test_addresses_of_the_service_lead_to_no_other_host_or_folder(tmp_path, path):
    with Client("http://127.0.0.1:9") as client, pytest.raises(MalformedAnswerError):
        client.download(Download("provisions", "parquet", path, "x", 1, SHA256, 1), tmp_path)
    assert names(tmp_path) == []

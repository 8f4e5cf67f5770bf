"""Sending of files that never change: whole or in part, in pieces off the disk, beside the event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import falcon
import falcon.asgi

from serving.concurrency.presence import Presence, presence_in
from serving.responses.bodies import not_modified
from serving.responses.ranges import ByteRange, may_send_part, wanted_range

FOREVER = "public, max-age=31536000, immutable"
"""Cache header of what is always the same under its address."""
_PIECE = 1 << 18
"""Bytes that are read and handed on at a time: all of a file that a request holds in memory."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it was published.

    Attributes:
        name: under which a browser saves it.
        sha256: of its bytes.
    """

    path: Path
    name: str
    size: int
    sha256: str
    media_type: str


Run = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a blocking call on a thread, and returns its result."""


async def send_file(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, file: StoredFile, *, run: Run
) -> None:
    """Send a file or the range of it that is asked for, or 304 if the client already has it.

    Args:
        req: the request.
        resp: the response.
        file: the file.
        run: runs what reads the disk, one call at a time for this request.

    Raises:
        FileNotFoundError: it is gone.
        RangeNotSatisfiableError: the range lies beyond its end.
    """
    etag = f'"{file.sha256}"'
    if not_modified(req, resp, etag, cache=FOREVER):
        return
    resp.set_header("Accept-Ranges", "bytes")
    part = None
    # A range is defined for GET alone, and HEAD tells of the whole.
    if req.method == "GET" and may_send_part(req.get_header("If-Range"), etag):
        part = wanted_range(req.get_header("Range"), file.size)
    sent = part or ByteRange(0, file.size)
    if part is not None:
        resp.status = falcon.HTTP_206
        resp.set_header("Content-Range", f"bytes {part.start}-{part.end - 1}/{file.size}")
    resp.content_type = file.media_type
    resp.content_length = sent.length
    resp.set_header("Content-Disposition", f'attachment; filename="{file.name}"')
    if req.method == "GET":
        opened = await run(lambda: file.path.open("rb"))
        resp.stream = FilePieces(opened, sent, presence_in(req.scope), run=run)


class FilePieces:
    """The bytes of a range of an open file, read by threads; an asynchronous iterator, and closes the file.

    Args:
        file: the file, which may be removed from its folder meanwhile.
        wanted: the range.
        client: whoever reads; nothing is read any more for one that has gone.
        run: runs what reads.
    """

    def __init__(self, file: BinaryIO, wanted: ByteRange, client: Presence, *, run: Run) -> None:
        self._file = file
        self._run = run
        self._left = wanted
        self._departure = asyncio.ensure_future(client.departure())

    def __aiter__(self) -> "FilePieces":
        return self

    async def __anext__(self) -> bytes:
        if self._left.length <= 0 or self._departure.done():
            raise StopAsyncIteration
        piece: bytes = await self._run(self._read)
        if not piece:
            raise EOFError(f"{self._file.name} ends {self._left.length} bytes before its size")
        self._left = ByteRange(self._left.start + len(piece), self._left.end)
        return piece

    async def close(self) -> None:
        """Close the file."""
        self._departure.cancel()
        self._file.close()

    def _read(self) -> bytes:
        self._file.seek(self._left.start)
        return self._file.read(min(_PIECE, self._left.length))

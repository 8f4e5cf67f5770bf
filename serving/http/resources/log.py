"""`/api/v1/log`: the log of published snapshots as static files, served without a key."""

import asyncio
import re
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi

from serving.api import parameters
from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.contract.layout import LOG
from serving.responses.bodies import send_stored
from serving.responses.negotiation import accepted_type
from serving.snapshot.table import StoredBody
from serving.transparency.log import CHECKPOINT
from serving.transparency.tiles import ENTRIES, WIDTH, tile_file

NEWEST = "public, max-age=60"
"""Cache header of what the next publication replaces."""
FOR_GOOD = "public, max-age=31536000, immutable"
"""Cache header of a complete tile, which never changes."""
_TEXT, _BYTES = "text/plain", "application/octet-stream"
_LEVEL = re.compile(rf"{ENTRIES}|[0-9]|[1-5][0-9]|6[0-3]")
_NUMBER = re.compile(r"[0-9]{3}")
_NARROW = re.compile(r"[1-9][0-9]{0,2}")


def add_log(app: falcon.asgi.App[Any, Any], snapshots: Path) -> None:
    """Add the files of the log to the application."""
    app.add_route("/api/v1/log/checkpoint", CheckpointResource(snapshots))
    tiles = TileResource(snapshots)
    app.add_route("/api/v1/log/tile/{level}/{index}", tiles)
    app.add_route("/api/v1/log/tile/{level}/{index}/{width}", tiles)


class CheckpointResource:
    """The checkpoint of the log."""

    def __init__(self, snapshots: Path) -> None:
        self._log = snapshots / LOG

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with size and root of the log, signed where the service has a key for that."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        accepted_type(req.get_header("Accept"), (_TEXT,))
        content = await asyncio.to_thread(_read, self._log / CHECKPOINT)
        send_stored(req, resp, content, cache=NEWEST, content_type=f"{_TEXT}; charset=utf-8")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


class TileResource:
    """The tiles of the log: complete ones, and the narrow one at the end of each level."""

    def __init__(self, snapshots: Path) -> None:
        self._log = snapshots / LOG

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, level: str, index: str, width: str = ""
    ) -> None:
        """Answer with the hashes or entries of a tile."""
        parameters.parse(req.params, parameters.NONE, req.query_string)
        accepted_type(req.get_header("Accept"), (_BYTES,))
        name = _tile(level, index, width)
        content = await asyncio.to_thread(_read, self._log / name)
        send_stored(req, resp, content, cache=NEWEST if width else FOR_GOOD, content_type=_BYTES)

    async def on_head(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, level: str, index: str, width: str = ""
    ) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, level, index, width)


def _tile(level: str, index: str, width: str) -> str:
    """Return the path of the file of a tile.

    Raises:
        NotFoundError: no tile has such a name.
    """
    number = index.removesuffix(".p") if width else index
    is_narrow = not width or (index.endswith(".p") and _NARROW.fullmatch(width) and int(width) < WIDTH)
    if not (_LEVEL.fullmatch(level) and _NUMBER.fullmatch(number) and is_narrow):
        raise _absent()
    return tile_file(level, int(number), int(width or WIDTH))


def _read(path: Path) -> StoredBody:
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise _absent() from None
    return StoredBody(content_etag(content), content, None, None)


def _absent() -> NotFoundError:
    return NotFoundError(
        "The log of snapshots has no such file; /api/v1/log/checkpoint says how far it goes.",
        kind="log",
    )

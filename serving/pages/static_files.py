"""Static files of the pages, style sheet, script and logo: read once, at addresses with their version."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files

import falcon
import falcon.asgi

from serving.responses.bodies import not_modified, send_made

TYPES = {
    "settings.css": "text/css; charset=utf-8",
    "settings.js": "text/javascript; charset=utf-8",
    "law.css": "text/css; charset=utf-8",
    "mark.svg": "image/svg+xml",
}
FOR_GOOD = "public, max-age=31536000, immutable"
"""Cache header for an address that contains the version: its content never changes."""
ASK_AGAIN = "public, no-cache"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file. `version` is a digest of its content."""

    body: bytes
    content_type: str
    version: str


class StaticFiles:
    """The files, and their addresses."""

    def __init__(self) -> None:
        folder = files("serving.pages").joinpath("static")
        self._files = {name: _read(folder.joinpath(name).read_bytes(), kind) for name, kind in TYPES.items()}

    def find(self, name: str) -> StaticFile | None:
        """Return the file of that name; None if there is none."""
        return self._files.get(name)

    def address(self, name: str) -> str:
        """Return the address of a file with its present content."""
        return f"/settings/static/{name}?v={self._files[name].version}"


class StaticResource:
    """Serves the files."""

    def __init__(self, found: StaticFiles) -> None:
        self._files = found

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer with a file; it may be cached for good if the address names its content."""
        file = self._files.find(name)
        if file is None:
            raise falcon.HTTPNotFound
        current = req.get_param("v") == file.version
        if not not_modified(req, resp, f'W/"{file.version}"', cache=FOR_GOOD if current else ASK_AGAIN):
            send_made(req, resp, file.body, content_type=file.content_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, name)


def _read(body: bytes, content_type: str) -> StaticFile:
    return StaticFile(body, content_type, hashlib.sha256(body).hexdigest()[:16])

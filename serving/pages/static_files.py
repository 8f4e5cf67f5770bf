"""The style sheet, the script and the mark: read once from the package, named by their content."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files

import falcon
import falcon.asgi

from serving.responses.bodies import not_modified, send_made

TYPES = {
    "settings.css": "text/css; charset=utf-8",
    "settings.js": "text/javascript; charset=utf-8",
    "mark.svg": "image/svg+xml",
}
FOR_GOOD = "public, max-age=31536000, immutable"
"""For an address that names the content: it never holds another."""
ASK_AGAIN = "public, no-cache"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file. `version` is made from its content."""

    body: bytes
    content_type: str
    version: str


class StaticFiles:
    """The files, and their addresses."""

    def __init__(self) -> None:
        folder = files("serving.pages").joinpath("static")
        self._files = {name: _read(folder.joinpath(name).read_bytes(), kind) for name, kind in TYPES.items()}

    def find(self, name: str) -> StaticFile | None:
        """Give the file of that name; None if there is none."""
        return self._files.get(name)

    def address(self, name: str) -> str:
        """Give the address of a file's present content."""
        return f"/settings/static/{name}?v={self._files[name].version}"


class StaticResource:
    """Serves the files."""

    def __init__(self, found: StaticFiles) -> None:
        self._files = found

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer with a file, to be kept for good where the address names its content."""
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

"""Ready files, such as style sheets and scripts: compressed once, at addresses that contain their version."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path

import falcon
import falcon.asgi

from serving.pages.static_files import ASK_AGAIN, FOR_GOOD
from serving.responses.bodies import send_stored
from serving.responses.documents import ready_to_send
from serving.snapshot.table import StoredBody

CSS, SCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ReadyFile:
    """One file, ready to send."""

    body: StoredBody
    content_type: str

    @property
    def version(self) -> str:
        """Digest that identifies the content."""
        return self.body.etag[:16]


def own_files(names: Mapping[str, str]) -> dict[str, ReadyFile]:
    """Read files of this package, by name.

    Args:
        names: names of the files, with their media types.
    """
    folder = files("serving.pages").joinpath("static")
    return {name: _ready(folder.joinpath(name).read_bytes(), kind) for name, kind in names.items()}


def packaged_files(package: str, folder: str, names: Mapping[str, str]) -> dict[str, ReadyFile]:
    """Read files of an installed package by name; the package is never imported and serves no other purpose.

    Args:
        package: name of the distribution.
        folder: folder of the files, relative to where packages are installed.
        names: names of the files, with their media types.
    """
    installed = Path(str(distribution(package).locate_file(folder)))
    return {name: _ready((installed / name).read_bytes(), kind) for name, kind in names.items()}


def addresses(prefix: str, found: Mapping[str, ReadyFile]) -> dict[str, str]:
    """Return the address of each file with its present content."""
    return {name: f"{prefix}{name}?v={file.version}" for name, file in found.items()}


class ReadyFilesResource:
    """Serves the files."""

    def __init__(self, found: Mapping[str, ReadyFile]) -> None:
        self._files = found

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer with a file; it may be cached for good if the address names its content."""
        file = self._files.get(name)
        if file is None:
            raise falcon.HTTPNotFound
        current = req.get_param("v") == file.version
        cache = FOR_GOOD if current else ASK_AGAIN
        send_stored(req, resp, file.body, cache=cache, content_type=file.content_type)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, name)


def _ready(body: bytes, content_type: str) -> ReadyFile:
    return ReadyFile(ready_to_send(body), content_type)

"""A publisher with its mirror, a server of its files that can misbehave, and a host that pulls."""

import hashlib
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from serving.contract.manifest import EncoderEntry, FileEntry, Manifest, root_sha256
from serving.contract.merkle import leaf_hash
from serving.snapshot.lifecycle import point_to
from serving.transparency.publications import add_snapshots

IS_INSTALLED = find_spec("tuf") is not None
if IS_INSTALLED:
    from securesystemslib.signer import CryptoSigner

    from serving.mirror.keys import make_key
    from serving.mirror.publishing import Mirrored, publish
    from serving.mirror.pulling import Pulled, pull
    from serving.mirror.roles import write_root

NOW = datetime.now(UTC)
"""The library compares with the clock."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say what was not tried without the extra."""
    here = Path(__file__).parent
    for item in items:
        if not IS_INSTALLED and here in item.path.parents:
            item.add_marker(
                pytest.mark.skip(reason="the extra `mirror` is not installed: mirrors were NOT tried")
            )


def make_snapshot(snapshots: Path, snapshot: str, text: bytes) -> Path:
    """Publish a snapshot of a few small files, one of them below a folder."""
    folder = snapshots / snapshot
    (folder / "keyword").mkdir(parents=True)
    (folder / "nodes.arrow").write_bytes(text * 50_000)
    (folder / "keyword" / "meta.json").write_bytes(b"{}")
    root = leaf_hash(text)
    np.save(folder / "tree.npy", np.frombuffer(root, np.uint8).reshape(1, 32))
    files = tuple(
        FileEntry(
            path.relative_to(folder).as_posix(),
            path.stat().st_size,
            hashlib.sha256(path.read_bytes()).hexdigest(),
            None,
            rooted=True,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    )
    manifest = Manifest(
        format=2,
        id=snapshot,
        created="2026-11-21T12:00:00Z",
        revision="0",
        root_sha256=root_sha256(files),
        encoder=EncoderEntry("none", "0" * 64, 1),
        jurisdictions=(),
        code_bodies=(),
        counts={"nodes": 1},
        files=files,
        nodes_root=root.hex(),
    )
    (folder / "manifest.json").write_bytes(manifest.to_json())
    add_snapshots(snapshots, None)
    point_to(snapshots, snapshot)
    return folder


@dataclass
class Publisher:
    """A folder of snapshots with its mirror."""

    folder: Path
    root_key: "CryptoSigner" = field(init=False)
    key: "CryptoSigner" = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.root_key = make_key(self.folder / "root.key")
        self.key = make_key(self.folder / "mirror.key")
        write_root(self.mirror, self.root_key, self.key, None, NOW)

    @property
    def snapshots(self) -> Path:
        return self.folder / "snapshots"

    @property
    def mirror(self) -> Path:
        return self.folder / "mirror"

    @property
    def first_root(self) -> bytes:
        return (self.mirror / "metadata" / "1.root.json").read_bytes()

    def publish(self, snapshot: str | None = None, text: bytes = b"law", now: datetime = NOW) -> "Mirrored":
        """Publish a snapshot, if one is named, and mirror what is in service."""
        if snapshot is not None:
            make_snapshot(self.snapshots, snapshot, text)
        return publish(self.snapshots, self.mirror, self.key, now)

    def target(self, name: str) -> Path:
        """Return the only file of a target of this name."""
        (found,) = (self.mirror / "targets").rglob(f"*.{name}")
        return found


@dataclass
class Served:
    """A mirror over HTTP: what was asked for, and how many bytes of a file are sent before its connection breaks."""

    address: str = ""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    breaks: dict[str, int] = field(default_factory=dict)
    ranges: bool = True


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, served: Served, **settings: Any) -> None:
        self._served = served
        super().__init__(*arguments, **settings)

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self._served.asked.append((self.path, wanted))
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self._served.ranges else 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        end = next((at for name, at in self._served.breaks.items() if self.path.endswith(name)), len(content))
        self.wfile.write(content[start : max(end, start)])

    def log_request(self, *arguments: Any) -> None:
        """Stay silent."""


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    return Publisher(tmp_path / "publisher")


@pytest.fixture
def served(publisher: Publisher) -> Iterator[Served]:
    served = Served()
    handler = partial(_Handler, served=served, directory=str(publisher.mirror))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        served.address = f"http://127.0.0.1:{server.server_port}"
        yield served
        server.shutdown()
        thread.join()


Pull = Callable[..., "Pulled"]


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """The folder of snapshots of a host that pulls."""
    return tmp_path / "host"


@pytest.fixture
def pulled(publisher: Publisher, served: Served, host: Path) -> Pull:
    """Pull by HTTP, trusting the publisher's first root."""

    def run(root: bytes | None = None, keep: int = 5) -> "Pulled":
        return pull(served.address + "/", host, root or publisher.first_root, keep=keep, now=NOW)

    return run


def state_of(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder of snapshots that servers read."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(".")
    }


def copy_of(folder: Path) -> Path:
    """Return a copy of a folder, beside it."""
    return Path(shutil.copytree(folder, folder.with_name(f"{folder.name}-before"), dirs_exist_ok=True))

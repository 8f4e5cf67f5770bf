"""A publisher with TAF on this machine: real repositories, real signatures, and git's own server over HTTP."""

import hashlib
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization.json import JSONSerializer

LAW, TARGET = "law", "toytown/law-xml"
_IDENTITY = {
    "GIT_AUTHOR_NAME": "Clerk",
    "GIT_AUTHOR_EMAIL": "clerk@toytown.example",
    "GIT_COMMITTER_NAME": "Clerk",
    "GIT_COMMITTER_EMAIL": "clerk@toytown.example",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder: Path, *arguments: str) -> str:
    told = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | _IDENTITY,
    )
    return told.stdout.strip()


class Repository:
    """A repository whose working tree is the next commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "--quiet", "--initial-branch=main")

    def put(self, path: str, content: bytes) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def commit(self) -> str:
        git(self.folder, "add", "--all", "--force")
        git(self.folder, "commit", "--quiet", "--allow-empty", "--message=next")
        return git(self.folder, "rev-parse", "HEAD")


class Authentication:
    """An authentication repository: root by two of three keys, and the law by a delegated role."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository(folder)
        self.roots = [CryptoSigner.generate_ed25519() for _ in range(3)]
        self.online, self.law = CryptoSigner.generate_ed25519(), CryptoSigner.generate_ed25519()
        later = (datetime.now(UTC) + timedelta(days=30)).replace(microsecond=0)
        self.root = Root(expires=later, consistent_snapshot=False)
        for signer in self.roots:
            self.root.add_key(signer.public_key, Root.type)
        self.root.roles[Root.type].threshold = 2
        for role in (Targets.type, Snapshot.type, Timestamp.type):
            self.root.add_key(self.online.public_key, role)
        key = self.law.public_key
        delegated = DelegatedRole(LAW, [key.keyid], 1, True, [TARGET])
        self.targets = Targets(expires=later, delegations=Delegations({key.keyid: key}, {LAW: delegated}))
        self.laws = Targets(expires=later)
        self.snapshot = Snapshot(expires=later, meta={"targets.json": MetaFile(), "law.json": MetaFile()})
        self.timestamp = Timestamp(expires=later)
        self.listed(TARGET)
        self.write_root(*self.roots[:2])

    @property
    def pin(self) -> str:
        """SHA-256 of the first root."""
        content = (self.repository.folder / "metadata/1.root.json").read_bytes()
        return hashlib.sha256(content).hexdigest()

    def listed(self, *names: str) -> None:
        listed = {name: {"custom": {"type": "xml"}} for name in names}
        self.targets.targets["repositories.json"] = self._target(
            "repositories.json", {"repositories": listed}
        )

    def name(self, commit: str, **more: str) -> None:
        """Name the official commit."""
        said = {"branch": "publication/2026-01-01", "build-date": "2026-06-16", "commit": commit, **more}
        self.laws.targets[TARGET] = self._target(TARGET, said)

    def write_root(self, *signers: CryptoSigner) -> None:
        content = self._signed(self.root, *signers)
        for name in (f"{self.root.version}.root.json", "root.json"):
            self.repository.put(f"metadata/{name}", content)

    def write(self, law: CryptoSigner | None = None) -> None:
        """Sign the next version of everything but the root, and lay it into the working tree."""
        for role in (self.targets, self.laws, self.snapshot, self.timestamp):
            role.version += 1
        self.snapshot.meta["targets.json"].version = self.targets.version
        self.snapshot.meta["law.json"].version = self.laws.version
        self._put("targets", self._signed(self.targets, self.online))
        self._put("law", self._signed(self.laws, law or self.law))
        content = self._signed(self.snapshot, self.online)
        self._put("snapshot", content)
        hashes = {"sha256": hashlib.sha256(content).hexdigest()}
        self.timestamp.snapshot_meta = MetaFile(self.snapshot.version, len(content), hashes)
        self.write_timestamp()

    def write_timestamp(self) -> None:
        self._put("timestamp", self._signed(self.timestamp, self.online))

    def publish(self, commit: str) -> str:
        """Sign a commit as official, and commit the metadata."""
        self.name(commit)
        self.write()
        return self.repository.commit()

    def _target(self, name: str, value: object) -> TargetFile:
        content = json.dumps(value, indent=4).encode()
        self.repository.put(f"targets/{name}", content)
        return TargetFile.from_data(name, content, ["sha256", "sha512"])

    def _put(self, role: str, content: bytes) -> None:
        self.repository.put(f"metadata/{role}.json", content)

    @staticmethod
    def _signed(role: Any, *signers: CryptoSigner) -> bytes:
        metadata = Metadata[Any](role)
        for signer in signers:
            metadata.sign(signer, append=True)
        return metadata.to_bytes(JSONSerializer())


Answer = Callable[["Handler", bytes], bool]
"""Answers a request, whose body is given, in a way of its own; returns whether it did."""


@dataclass
class GitHost:
    """Repositories below a folder, and what goes wrong with requests that send something."""

    folder: Path
    address: str = ""
    answer: Answer | None = None
    asked: list[str] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    host: GitHost

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers["Content-Length"] or 0)))

    def _serve(self, body: bytes) -> None:
        self.host.asked.append(f"{self.command} {self.path}")
        if self.host.answer is None or not self.host.answer(self, body):
            self.reply(*self.served(self.path, body))

    def served(self, address: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Return what git answers: status, headers and content."""
        path, _, query = address.partition("?")
        done = subprocess.run(
            ["git", "http-backend"],
            input=body,
            capture_output=True,
            check=False,  # what is asked for and is not there is told in the answer, too
            env=os.environ
            | {
                "GIT_PROJECT_ROOT": str(self.host.folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_PROTOCOL": self.headers["Git-Protocol"] or "",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers["Content-Type"] or "",
                "CONTENT_LENGTH": str(len(body)),
            },
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = (line.partition(": ") for line in head.decode().split("\r\n"))
        headers = {name: value for name, _, value in lines}
        return int(headers.pop("Status", "200").split()[0]), headers, content

    def reply(
        self, status: int, headers: Mapping[str, str], content: bytes, *, length: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hosting(folder: Path) -> Iterator[GitHost]:
    """Run a host of the repositories below a folder for the block."""
    host = GitHost(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"host": host}))
    server.daemon_threads = True
    host.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def copied(repository: Repository, folder: Path) -> Repository:
    """Return a copy of a repository, with its history."""
    shutil.copytree(repository.folder, folder)
    copy = Repository.__new__(Repository)
    copy.folder = folder
    return copy

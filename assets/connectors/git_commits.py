"""Fetch one commit by git's own protocol: what comes is what the commit's name says, byte for byte.

The name of a commit is a hash of all that it holds, which the program `git` computes of what has come, and it
looks for traces of forged SHA-1. An archive over HTTP proves nothing of the kind.
"""

import os
import re
import shutil
import signal
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from assets.connectors.errors import FetchError, PassingError, PassingUnreachableError
from assets.connectors.retries import retrying
from assets.connectors.session import Session
from assets.progress import Advance

COMMIT = re.compile(r"[0-9a-f]{40}")
NEWEST = "HEAD"
"""Names the newest commit of a repository's own branch."""

_HELD = "refs/heads/fetched"
_LOOK_SECONDS = 0.2
_WORDS = 600
_UNREACHABLE = re.compile(r"Could not resolve|Failed to connect|Couldn't connect", re.IGNORECASE)
_PASSING = re.compile(
    r"early EOF|RPC failed|hung up|unexpected disconnect|transfer closed|Empty reply|Recv failure"
    r"|Operation too slow|timed out|returned error: (?:408|425|429|5\d\d)",
    re.IGNORECASE,
)
_SETTINGS: Mapping[str, str] = {
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.http.allow": "always",  # the registry gives such addresses of this machine alone
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1",
    "fetch.fsckObjects": "true",
    "credential.helper": "",
    "core.autocrlf": "false",
    "gc.auto": "0",
}
_AS_COMMITTED = "* !export-ignore !export-subst !text !crlf !eol !ident !filter !working-tree-encoding\n"
"""Attributes before those of the commit, which leave files out of archives, or change their bytes."""


class GitCommits:
    """Commits of repositories, one at a time in a folder of its own.

    Args:
        folder: is made, and removed when the block ends; what lay there before is removed first.
        session: says how long and how often is asked.
    """

    def __init__(self, folder: Path, session: Session) -> None:
        self._folder = folder
        self._session = session

    def __enter__(self) -> "GitCommits":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def fetch(self, address: str, wanted: str, *, most: int, advance: Advance) -> str:
        """Fetch a commit without those before it, and return its name.

        Args:
            address: of the repository.
            wanted: name of the commit, or `NEWEST`.
            most: bytes that may come.
            advance: called with the bytes that are there, and 0.

        Raises:
            FetchError: it cannot be had, or what came is not that commit; there is no program `git`.
        """
        retrying(
            lambda: self._fetch(address, wanted, most, advance),
            self._session.patience,
            sleep=self._session.sleep,
        )
        return self._output("rev-parse", "--verify", f"{_HELD}^{{commit}}")

    def pack(self, commit: str, target: Path, *, top: str) -> None:
        """Write the files of the commit that was fetched into a `.tar.gz`, in a folder `top`.

        Links stay links, and what the commit says of its own archives is not heeded: files are its files.

        Raises:
            FetchError: it cannot be packed.
        """
        attributes = self._folder / "info" / "attributes"
        attributes.parent.mkdir(exist_ok=True)
        attributes.write_text(_AS_COMMITTED)
        self._output("archive", "--format=tar.gz", f"--prefix={top}/", f"--output={target}", commit)

    def _fetch(self, address: str, wanted: str, most: int, advance: Advance) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self._output("init", "--quiet", "--bare", "--template=")
        settings = {**_SETTINGS, "http.lowSpeedTime": str(int(self._session.bounds.silence) or 1)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        fetch = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--end-of-options"]
        with self._session.turn(address), TemporaryFile() as told:
            process = _started([*options, *fetch, address, f"{wanted}:{_HELD}"], self._folder, told.fileno())
            try:
                status = self._watched(process, address, most, advance)
            finally:
                _ended(process)
            told.seek(0)
            words = _words(told.read(_WORDS * 10).decode(errors="replace"))
        if status != 0:
            raise _error(address, wanted, words)
        self._require_room(address, most)

    def _watched(self, process: "subprocess.Popen[bytes]", address: str, most: int, advance: Advance) -> int:
        end = self._session.clock() + self._session.bounds.seconds
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_LOOK_SECONDS)
            advance(self._require_room(address, most), 0)
            if self._session.clock() > end:
                raise FetchError(
                    f"{address} takes more than {self._session.bounds.seconds:,.0f} s; it is given up."
                )

    def _require_room(self, address: str, most: int) -> int:
        held = sum(_sizes(self._folder))
        if held > most:
            raise FetchError(f"{address} sends {held:,} bytes or more; at most {most:,} are taken.")
        return held

    def _output(self, *arguments: str) -> str:
        with TemporaryFile() as out, TemporaryFile() as told:
            process = _started(arguments, self._folder, told.fileno(), out.fileno())
            try:
                status = process.wait(self._session.bounds.seconds)
            except subprocess.TimeoutExpired:
                raise FetchError(f"git {arguments[0]} takes too long; it is given up.") from None
            finally:
                _ended(process)
            told.seek(0)
            if status != 0:
                words = _words(told.read().decode(errors="replace"))
                raise FetchError(f"git {arguments[0]} fails on what was fetched ({words}); nothing is kept.")
            out.seek(0)
            return out.read().decode().strip()


def files_of(archive: Path, folders: tuple[str, ...], *, most: int) -> dict[str, bytes]:
    """Return the files below some folders of an archive that `pack` wrote, by path.

    Raises:
        FetchError: they have more than `most` bytes.
    """
    found: dict[str, bytes] = {}
    left = most
    with tarfile.open(archive) as opened:
        for member in opened:
            path = member.name.partition("/")[2]
            content = opened.extractfile(member) if member.isreg() and path.startswith(folders) else None
            if content is not None:
                left -= member.size
                if left < 0:
                    raise FetchError(
                        f"{archive.name} holds more than {most:,} bytes in {', '.join(folders)}."
                    )
                found[path] = content.read()
    return found


def _started(
    arguments: list[str] | tuple[str, ...], folder: Path, told: int, out: int = subprocess.DEVNULL
) -> "subprocess.Popen[bytes]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    ours = {
        "GIT_DIR": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        return subprocess.Popen(  # noqa: S603 - addresses and names of commits are of their form
            ["git", *arguments],  # noqa: S607 - whichever Git the path has
            env=kept | ours,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=told,
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError):
        raise FetchError(
            "What a publisher signs is fetched by the program git, which this machine does not have: install "
            "it, or give a path."
        ) from None


def _ended(process: "subprocess.Popen[bytes]") -> None:
    """Leave none of the programs behind that git starts."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _error(address: str, wanted: str, words: str) -> FetchError:
    if _UNREACHABLE.search(words):
        return PassingUnreachableError(f"{address} cannot be reached: {words}.")
    if _PASSING.search(words):
        return PassingError(f"{address}: the connection broke off, or it is overloaded ({words}).")
    return FetchError(
        f"{address} does not give commit {wanted} as it is, or not at all ({words}). Nothing of it is kept; "
        "the address in the registry may have become old."
    )


def _words(told: str) -> str:
    """Return the errors among what git told, in one line."""
    lines = [line.strip() for line in told.splitlines() if line.startswith(("fatal:", "error:"))]
    said = "; ".join(line.partition(":")[2].strip() for line in lines) or " ".join(told.split())
    return said[:_WORDS].rstrip(".") or "it does not say why"


def _sizes(folder: Path) -> Iterator[int]:
    for path in folder.rglob("*"):
        with suppress(OSError):  # git renames and removes what it works on
            yield path.lstat().st_size

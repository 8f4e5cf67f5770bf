"""Download of a file: in pieces, resumed where it broke off, and named only once it is whole."""

import hashlib
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import httpx

from legal_client.connection import Connection
from legal_client.errors import (
    ConnectionFailedError,
    DamagedDownloadError,
    MalformedAnswerError,
    NotWrittenError,
)
from legal_client.exchange import Waits, error_of
from legal_client.results import DataPackage, Download

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_RANGE = re.compile(r"bytes (\d+)-\d+/\d+")
_BLOCK = 1 << 20


class Part:
    """The part of a file that is there.

    Its name has the hash of the whole in it, so that it is never continued with the bytes of another file.
    """

    def __init__(self, target: Path, sha256: str) -> None:
        self.path = target.with_name(f"{target.name}.{sha256[:12]}.part")
        self._target = target
        self._sha256 = sha256

    @property
    def size(self) -> int:
        """Bytes that are there."""
        return self.path.stat().st_size if self.path.exists() else 0

    def discard(self) -> None:
        """Begin anew."""
        self.path.unlink(missing_ok=True)

    def finish(self) -> bool:
        """Give the file its name, if it is the one that is wanted; else discard it. Return whether it is."""
        if hash_of(self.path) != self._sha256:
            self.discard()
            return False
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())
        self.path.replace(self._target)
        return True


class Downloader:
    """Downloads files of one service.

    Args:
        http: sends the requests.
        connection: the service, and how long to wait for it.
        sleep: waits so many seconds.
    """

    def __init__(self, http: httpx.Client, connection: Connection, sleep: Callable[[float], None]) -> None:
        self._http = http
        self._connection = connection
        self._sleep = sleep

    def download(self, file: Download | DataPackage, folder: Path, progress: Callable[[int], None]) -> Path:
        """Download a file into a folder, and return its path; one that is there already is not asked for.

        Raises:
            LegalError: it did not come, is not the one that is listed, or could not be written.
        """
        address, name = self._address(file.path)
        target = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if target.is_file() and target.stat().st_size == file.bytes and hash_of(target) == file.sha256:
                progress(file.bytes)
                return target
            part = Part(target, file.sha256)
            begun_before = part.size > 0
            self._complete(part, address, file, progress)
            if part.finish():
                return target
            if begun_before:
                # What an earlier download left may be at fault.
                self._complete(part, address, file, progress)
                if part.finish():
                    return target
        except OSError as error:
            raise NotWrittenError(f"{target} could not be written: {error.strerror or error}") from error
        raise DamagedDownloadError(
            f"{name} came with other bytes than the service lists, and was removed. Try again."
        )

    def _address(self, path: str) -> tuple[str, str]:
        name = path.rpartition("/")[2]
        # What the service says must lead to no other host, and out of no folder.
        if not path.startswith("/") or not _NAME.fullmatch(name):
            raise MalformedAnswerError(f"The service lists a file under {path[:200]!r}, which is no address.")
        return f"{self._connection.base_url}{path}", name

    def _complete(
        self, part: Part, address: str, file: Download | DataPackage, progress: Callable[[int], None]
    ) -> None:
        """Ask for what is missing, again and again, until all is there."""
        if part.size > file.bytes:
            part.discard()
        waits, fruitless = Waits(self._connection.patience), 0
        while (had := part.size) < file.bytes:
            progress(had)
            met = self._try(part, address, file, progress)
            if isinstance(met, httpx.Response):
                pause = waits.before_retry(met)
                if pause is None:
                    raise error_of(met)
            else:
                fruitless = 0 if part.size > had else fruitless + 1
                pause = 0.0 if met is None else self._pause(fruitless)
                if fruitless >= self._connection.patience.attempts:
                    raise ConnectionFailedError(
                        f"The download from {self._connection.base_url} broke off: {met or 'nothing came'}. "
                        "Asked for again, it goes on where it is."
                    ) from met
            self._sleep(pause)
        progress(part.size)

    def _pause(self, fruitless: int) -> float:
        # Many that lost the connection together must not come back together.
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 (spreads, and guards nothing)
        return self._connection.patience.backoff * 2.0**fruitless * jitter

    def _try(
        self, part: Part, address: str, file: Download | DataPackage, progress: Callable[[int], None]
    ) -> httpx.Response | httpx.TransportError | None:
        """Ask once for what is missing; return what broke it off, or an answer that is none of the file."""
        try:
            return self._ask(part, address, file, progress)
        except httpx.TransportError as error:
            return error

    def _ask(
        self, part: Part, address: str, file: Download | DataPackage, progress: Callable[[int], None]
    ) -> httpx.Response | None:
        """Ask once for what is missing, and keep what comes; return an answer that is none of the file."""
        had = part.size
        # The bytes themselves: the hash and the range are of them.
        headers = {"Accept": "*/*", "Accept-Encoding": "identity"}
        if had:
            headers |= {"Range": f"bytes={had}-", "If-Range": f'"{file.sha256}"'}
        with self._http.stream("GET", address, headers=headers) as response:
            if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE and had:
                part.discard()
                return None
            if response.status_code not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
                response.read()
                return response
            with part.path.open("r+b" if had else "wb") as kept:
                kept.seek(_start_of(response))
                kept.truncate()
                for piece in response.iter_raw():
                    kept.write(piece)
                    progress(kept.tell())
                    if kept.tell() > file.bytes:
                        break
        return None


def _start_of(response: httpx.Response) -> int:
    """Return the byte of the file with which an answer begins."""
    if response.status_code == httpx.codes.OK:
        return 0
    found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if found is None:
        raise MalformedAnswerError("A part of the file came without saying which.")
    return int(found[1])


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()

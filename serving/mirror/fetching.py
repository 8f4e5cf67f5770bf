"""Fetch the files of a mirror: over HTTP or from a folder, going on where a transfer broke off."""

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tuf.api.exceptions import DownloadError, DownloadHTTPError, DownloadLengthMismatchError
from tuf.ngclient import FetcherInterface

_BLOCK = 1 << 18
_SECONDS = 30
"""Time for which a mirror may send nothing."""
_PARTIAL, _UNSATISFIABLE, _NOT_FOUND = 206, 416, 404


class ResumingFetcher(FetcherInterface):
    """Fetches metadata anew each time, and goes on with targets, which have their hash in their address.

    Args:
        targets: address under which the targets lie.
        parts: folder of the targets that were begun; those of an earlier pull are gone on with.
    """

    def __init__(self, targets: str, parts: Path) -> None:
        self._targets = targets
        self._parts = parts
        self._opener = urllib.request.build_opener()
        self.fetched = 0
        """Bytes that came."""

    @contextmanager
    def download_file(self, url: str, max_length: int) -> Iterator[IO[Any]]:
        """Yield the file at an address, whole; one that turns out to be another begins anew next time."""
        if not url.startswith(self._targets):
            with super().download_file(url, max_length) as file:
                yield file
            return
        path = self._parts / hashlib.sha256(url.encode()).hexdigest()
        with path.open("a+b") as part:
            self._complete(url, part, max_length)
            try:
                part.seek(0)
                yield part
            finally:
                path.unlink()

    def _fetch(self, url: str) -> Iterator[bytes]:
        return self._blocks(self._open(url))

    def _complete(self, url: str, part: IO[bytes], length: int) -> None:
        """Fetch what is missing of a file of a known length.

        Raises:
            DownloadError: it broke off; what came is kept.
        """
        held = part.seek(0, 2)
        if held == length and held:
            return
        if held > length:
            held = part.truncate(0)
        response = self._open(url, held)
        if held and getattr(response, "status", None) != _PARTIAL:
            held = part.truncate(0)
        for block in self._blocks(response):
            held += len(block)
            if held > length:
                part.truncate(0)
                raise DownloadLengthMismatchError(f"{url} is longer than {length} bytes")
            part.write(block)
        part.flush()
        if held < length:
            raise DownloadError(f"{url} broke off after {held} of {length} bytes")

    def _open(self, url: str, held: int = 0) -> Any:
        """Open an address, from a byte on where the other side can.

        Raises:
            DownloadHTTPError: there is no such file, or the mirror cannot give it.
            DownloadError: the mirror cannot be reached.
        """
        headers = {"Range": f"bytes={held}-"} if held else {}
        request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the operator's own address
        try:
            return self._opener.open(request, timeout=_SECONDS)
        except urllib.error.HTTPError as error:
            error.close()
            if held and error.code == _UNSATISFIABLE:
                return self._open(url)
            raise DownloadHTTPError(f"{url} is answered {error.code}", error.code) from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, FileNotFoundError):
                raise DownloadHTTPError(f"{url} is not there", _NOT_FOUND) from error
            raise DownloadError(f"{url} cannot be reached: {error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise DownloadError(f"{url} cannot be reached: {error}") from error

    def _blocks(self, response: Any) -> Iterator[bytes]:
        with response:
            try:
                while block := response.read(_BLOCK):
                    self.fetched += len(block)
                    yield block
            except (OSError, http.client.HTTPException) as error:
                raise DownloadError(f"{response.url} broke off: {error}") from error

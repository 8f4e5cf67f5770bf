"""Requests to publishers over HTTP: paced by host, redirects judged, answers bounded, errors told apart."""

import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

from assets.connectors.addresses import followed, host_of
from assets.connectors.errors import FetchError, NotOfferedError, PassingError, PassingUnreachableError
from assets.connectors.kept_answers import KeptAnswers
from assets.connectors.pace import Pace
from assets.connectors.records import Validators
from assets.connectors.retries import Patience, retry_after, retrying

_AGENT = "legal-research-api/0.1 (builds a research service of public law; one request at a time)"
_PASSING = {408, 425, 429, 500, 502, 503, 504}
_NOT_OFFERED = {405, 501}
_REDIRECTS = {301, 302, 303, 307, 308}
_PAGE_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on one request or file.

    Attributes:
        page_bytes: of a page or list that is read into memory.
        seconds: of a whole file, with all its attempts.
        silence: seconds without a byte, after which a connection counts as broken.
        redirects: in a row.
        pause: seconds between two requests to a host.
    """

    page_bytes: int = _PAGE_BYTES
    seconds: float = 3 * 3600.0
    silence: float = 60.0
    redirects: int = 5
    pause: float = 1.0


_BOUNDS = Bounds()
_PATIENCE = Patience()


class Session:
    """Connections to publishers; close it, or use it as a context."""

    def __init__(
        self,
        bounds: Bounds = _BOUNDS,
        patience: Patience = _PATIENCE,
        *,
        kept: KeptAnswers | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.bounds = bounds
        self.patience = patience
        self.clock = clock
        self.sleep = sleep
        self._kept = kept
        self._pace = Pace(bounds.pause, clock=clock, sleep=sleep)
        # Bytes come as they lie at the publisher: lengths, ranges and hashes are those of the file itself.
        headers = {"User-Agent": _AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
        timeout = httpx.Timeout(bounds.silence, connect=min(bounds.silence, 20.0))
        self._client = httpx.Client(headers=headers, timeout=timeout, follow_redirects=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def turn(self, address: str) -> AbstractContextManager[None]:
        """Return a block in which nobody else asks the host of an address."""
        return self._pace.turn(host_of(address))

    @contextmanager
    def answer(
        self, address: str, *, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> Iterator[httpx.Response]:
        """Yield the answer at the end of an address's redirects, its body unread.

        Raises:
            PassingError: the publisher is overloaded, or the connection breaks, now or within the block.
            FetchError: the answer is a refusal, or a redirect that is not followed.
        """
        target = address
        for _ in range(self.bounds.redirects + 1):
            with self._pace.turn(host_of(target)), _told_apart(target):
                request = self._client.build_request(method, target, headers=headers)
                response = self._client.send(request, stream=True)
                try:
                    location = response.headers.get("Location")
                    if response.status_code not in _REDIRECTS or location is None:
                        _require_answer(response, target)
                        yield response
                        return
                finally:
                    response.close()
            target = followed(target, location)
        raise FetchError(f"{address} leads on more than {self.bounds.redirects} times; it is given up.")

    def read(self, address: str) -> bytes:
        """Return a page or list, which fits into memory; one that is kept and did not change as it was.

        Raises:
            FetchError: it cannot be had, or is too large.
        """
        return retrying(lambda: self._read(address), self.patience, sleep=self.sleep)

    def read_json(self, address: str) -> Any:
        """Return the JSON at an address.

        Raises:
            FetchError: it cannot be had, or is no JSON.
        """
        content = self.read(address)
        try:
            return json.loads(content)
        except ValueError as error:
            raise FetchError(f"{address} answers what is no JSON ({error}).") from None

    def head(self, address: str) -> httpx.Headers | None:
        """Return the headers of a file; None where the publisher does not tell them by themselves.

        Raises:
            FetchError: the file cannot be had.
        """
        return retrying(lambda: self._head(address), self.patience, sleep=self.sleep)

    def _read(self, address: str) -> bytes:
        content = bytearray()
        end = self.clock() + self.bounds.seconds
        known = None if self._kept is None else self._kept.get(address)
        conditions = None if known is None else known.validators.conditions()
        with self.answer(address, headers=conditions) as response:
            if known is not None and response.status_code == httpx.codes.NOT_MODIFIED:
                return known.content
            require_plain(response, address)
            if response.status_code != httpx.codes.OK:
                raise FetchError(f"{address} answers {response.status_code}, which was not asked for.")
            for part in response.iter_raw():
                content += part
                if len(content) > self.bounds.page_bytes:
                    raise FetchError(f"{address} has more than {self.bounds.page_bytes:,} bytes.")
                if self.clock() > end:
                    raise FetchError(f"{address} takes more than {self.bounds.seconds:,.0f} s.")
            if self._kept is not None:
                self._kept.put(address, Validators.of(response.headers), bytes(content))
        return bytes(content)

    def _head(self, address: str) -> httpx.Headers | None:
        try:
            with self.answer(address, method="HEAD") as response:
                return response.headers
        except NotOfferedError:
            return None


def require_plain(response: httpx.Response, address: str) -> None:
    """Refuse an answer that is packed for the way: its lengths and hashes are not those of the file.

    Raises:
        FetchError: it is.
    """
    coding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in {"", "identity"}:
        raise FetchError(f"{address} answers in the coding {coding!r}, which was not asked for.")


def _require_answer(response: httpx.Response, address: str) -> None:
    status = response.status_code
    if status in {200, 206, 304, 416}:
        return
    if status in _PASSING:
        wait = retry_after(response.headers.get("Retry-After"))
        raise PassingError(f"{address} answers {status} ({_reason(status)}).", retry_after=wait)
    if status in _NOT_OFFERED:
        raise NotOfferedError(f"{address} answers {status} ({_reason(status)}).")
    said = f"{address} answers {status} ({_reason(status)})."
    if status in {404, 410}:
        said += " The address in the registry may have become old."
    raise FetchError(said)


def _reason(status: int) -> str:
    return httpx.codes.get_reason_phrase(status) or "unknown"


@contextmanager
def _told_apart(address: str) -> Iterator[None]:
    """Turn errors of the library into ours, by what can be done about them."""
    try:
        yield
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise FetchError(f"{address} cannot be asked: {error}.") from error
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
        if _is_of_certificates(error):
            raise FetchError(f"{address} does not prove whose it is: {error}.") from error
        raise PassingUnreachableError(f"{address} cannot be reached: {_words(error)}.") from error
    except httpx.TimeoutException as error:
        raise PassingError(f"{address} fell silent.") from error
    except httpx.TransportError as error:
        raise PassingError(f"{address}: the connection broke off ({_words(error)}).") from error


def _words(error: httpx.TransportError) -> str:
    return str(error) or type(error).__name__


def _is_of_certificates(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False

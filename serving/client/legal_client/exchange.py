"""One call over HTTP, without the network: requests to send, waits between them, and what the answer means.

`exchange` is a generator that both clients drive: it yields requests and is sent their responses.
"""

import random
import re
import threading
from collections import OrderedDict
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx

from legal_client.calls import BYTES, JSON, Call
from legal_client.connection import Connection, Patience
from legal_client.errors import (
    BY_STATUS,
    ConnectionFailedError,
    LegalError,
    MalformedAnswerError,
    ServiceError,
)
from legal_client.results import Meta
from legal_client.tools import HEADERS, unwrapped

_NEXT = re.compile(r'<([^>]*)>\s*;\s*rel="?next"?')


class Waits:
    """The waits of one call."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._left = patience.seconds
        self._attempts = 0

    def before_retry(self, answer: httpx.Response | httpx.TransportError) -> float | None:
        """Return the seconds to wait before the call is sent again; None where it is not to be."""
        self._attempts += 1
        pause = self._pause(answer)
        if pause is None or pause > self._left:
            return None
        self._left -= pause
        return pause

    def _pause(self, answer: httpx.Response | httpx.TransportError) -> float | None:
        backoff = self._patience.backoff * 2.0 ** (self._attempts - 1)
        # Many clients that were turned away together must not come back together.
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 (spreads, and guards nothing)
        if isinstance(answer, httpx.Response) and answer.status_code == 429:
            named = _retry_after(answer)
            # A wait of nothing would use up no patience, and the call would be sent for ever.
            return None if named is None else max(1, named)
        if self._attempts >= self._patience.attempts:
            return None
        if isinstance(answer, httpx.ConnectError):
            # Nothing was sent, so nothing was charged.
            return backoff * jitter
        if isinstance(answer, httpx.Response) and answer.status_code == 503:
            named = _retry_after(answer)
            return backoff * jitter if named is None else named + jitter * self._patience.backoff
        return None


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send, after a pause of so many seconds: `sent` is its body, as JSON."""

    address: str
    headers: Mapping[str, str]
    pause: float = 0.0
    method: str = "GET"
    sent: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of an answer, read if JSON, and what its headers say; `etag` is empty if it has none."""

    etag: str
    body: Any
    meta: Meta


class Cache:
    """Earlier answers by media type and address.

    The service confirms that one is still good without a charge.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, form: str) -> Answer | None:
        """Return the answer that is kept, if there is one."""
        return self._kept.get(form)

    def keep(self, form: str, answer: Answer) -> None:
        """Keep an answer, in place of the oldest where the cache is full."""
        with self._lock:
            self._kept.pop(form, None)
            self._kept[form] = answer
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)


def common_headers(connection: Connection) -> dict[str, str]:
    """Return the headers of every call."""
    headers = {"Accept": JSON, "User-Agent": _user_agent()}
    if connection.key is not None:
        headers["Authorization"] = f"Bearer {connection.key}"
    return headers


def _user_agent() -> str:
    try:
        return f"legal-client/{version('legal-client')}"
    except PackageNotFoundError:
        return "legal-client"


def exchange(
    connection: Connection, cache: Cache, call: Call[Any]
) -> Generator[Request, httpx.Response, Answer]:
    """Yield the requests of a call, take the response or the `httpx.HTTPError` of each, return the answer.

    Raises:
        LegalError: no answer came, or it is no success.
    """
    pins = _pins(connection, call)
    sent = call.sent if call.tool is None else call.tool.message(pins)
    method = call.method if call.tool is None else "POST"
    address = _address(connection, call, {} if call.tool else pins)
    form = f"{call.accept} {address}"
    kept = cache.find(form)
    headers = dict(HEADERS) if call.tool else {} if call.accept == JSON else {"Accept": call.accept}
    if kept is not None:
        headers["If-None-Match"] = kept.etag
    waits = Waits(connection.patience)
    pause: float | None = 0.0
    while pause is not None:
        try:
            response = yield Request(address, headers, pause, method, sent)
        except httpx.TransportError as error:
            pause = waits.before_retry(error)
            if pause is None:
                said = str(error) or type(error).__name__
                raise ConnectionFailedError(
                    f"The service at {connection.base_url} was not reached: {said}"
                ) from error
        except httpx.DecodingError as error:
            raise MalformedAnswerError(f"The answer cannot be read: {error}") from error
        else:
            response = unwrapped(response) if call.tool else response
            # What was refused as unavailable may have been done: it is not done twice.
            is_undone = response.status_code != 503 or call.method == "GET"
            pause = waits.before_retry(response) if is_undone else None
    answer = _read(response, kept, call.accept)
    if answer.etag:
        cache.keep(form, answer)
    return answer


def _pins(connection: Connection, call: Call[Any]) -> dict[str, str]:
    """Return the snapshot or the date to answer a call from, where it does not name one itself."""
    if not call.pinnable or "snapshot" in dict(call.query):
        return {}
    wanted = {"snapshot": connection.snapshot, "date": connection.date}
    return {name: str(value) for name, value in wanted.items() if value is not None}


def _address(connection: Connection, call: Call[Any], pins: Mapping[str, str]) -> str:
    query = (*call.query, *pins.items())
    address = f"{connection.base_url}{call.path}"
    return f"{address}?{urlencode(query, quote_via=quote)}" if query else address


def _read(response: httpx.Response, kept: Answer | None, accept: str) -> Answer:
    meta = _meta(response)
    if response.status_code == 304 and kept is not None:
        return replace(kept, meta=replace(meta, next_query=kept.meta.next_query))
    if response.status_code not in (200, 201):
        raise error_of(response)
    try:
        body = response.json() if accept == JSON else response.content if accept == BYTES else response.text
    except ValueError:
        raise MalformedAnswerError(
            "The answer is no JSON; is the address that of the service?",
            status=response.status_code,
            request_id=meta.request_id,
        ) from None
    return Answer(response.headers.get("ETag", ""), body, meta)


def error_of(answer: httpx.Response) -> LegalError:
    """Return the error that an answer which is no success tells of."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    body = body if isinstance(body, Mapping) else {}
    kind = BY_STATUS.get(answer.status_code, ServiceError)
    code, message = body.get("error"), body.get("message")
    return kind(
        message if isinstance(message, str) else f"The service answered {answer.status_code}.",
        code=code if isinstance(code, str) else None,
        status=answer.status_code,
        request_id=answer.headers.get("X-Request-Id"),
        retry_after=_retry_after(answer),
        body=body,
    )


def _retry_after(answer: httpx.Response) -> int | None:
    return _number(answer.headers.get("Retry-After"))


def _number(value: str | None) -> int | None:
    return int(value) if value is not None and re.fullmatch(r"[0-9]{1,9}", value) else None


def _meta(answer: httpx.Response) -> Meta:
    headers = answer.headers
    found = _NEXT.search(headers.get("Link", ""))
    return Meta(
        request_id=headers.get("X-Request-Id"),
        snapshot_id=headers.get("X-Snapshot-Id"),
        credits_cost=_number(headers.get("X-Credits-Cost")),
        credits_remaining=_number(headers.get("X-Credits-Remaining")),
        # The address in it is not followed: a key goes to the service it was given for, and nowhere else.
        next_query=urlsplit(found[1]).query if found else None,
    )

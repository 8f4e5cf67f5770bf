"""One call over HTTP: what is sent, whether to wait and try again, and what its answer means."""

import random
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx

from serving.client.calls import Call, Result
from serving.client.connection import Connection, Patience
from serving.client.errors import (
    BY_STATUS,
    ConnectionFailedError,
    LegalError,
    MalformedAnswerError,
    ServiceError,
)
from serving.client.results import Meta

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
class Kept:
    """An answer from before, which the service may say is still good."""

    etag: str
    body: Any
    meta: Meta


class Cache:
    """Answers from before, by what was asked. That one is still good costs nothing to be told."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, address: str) -> Kept | None:
        """Return the answer that is kept, if there is one."""
        return self._kept.get(address)

    def keep(self, address: str, kept: Kept) -> None:
        """Keep an answer; the oldest go."""
        with self._lock:
            self._kept.pop(address, None)
            self._kept[address] = kept
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)


def common_headers(connection: Connection) -> dict[str, str]:
    """Return the headers of every call."""
    headers = {"Accept": "application/json", "User-Agent": _user_agent()}
    if connection.key is not None:
        headers["Authorization"] = f"Bearer {connection.key}"
    return headers


def _user_agent() -> str:
    try:
        return f"legal-client/{version('legal-research-api')}"
    except PackageNotFoundError:
        return "legal-client"


def address_of(connection: Connection, call: Call[Result]) -> str:
    """Return the address of a call."""
    query = call.query
    if connection.snapshot is not None and call.pinnable and "snapshot" not in dict(query):
        query = (*query, ("snapshot", connection.snapshot))
    address = f"{connection.base_url}{call.path}"
    return f"{address}?{urlencode(query, quote_via=quote)}" if query else address


def headers_of(kept: Kept | None) -> dict[str, str]:
    """Return the headers of a call beyond those of every call."""
    return {} if kept is None else {"If-None-Match": kept.etag}


def read_answer(answer: httpx.Response, kept: Kept | None) -> Kept:
    """Return the JSON body of an answer with what its headers say; its entity tag is empty where it has none.

    Raises:
        LegalError: it is no success.
    """
    meta = _meta(answer)
    if answer.status_code == 304 and kept is not None:
        return replace(kept, meta=replace(meta, next_query=kept.meta.next_query))
    if answer.status_code != 200:
        raise _error(answer, meta)
    try:
        body = answer.json()
    except ValueError:
        raise MalformedAnswerError(
            "The answer is no JSON; is the address that of the service?",
            status=answer.status_code,
            request_id=meta.request_id,
        ) from None
    return Kept(answer.headers.get("ETag", ""), body, meta)


def not_answered(error: httpx.HTTPError) -> LegalError:
    """Return the error of a call that was not answered."""
    said = str(error) or type(error).__name__
    return ConnectionFailedError(f"The service was not reached: {said}")


def not_readable(error: httpx.DecodingError) -> LegalError:
    """Return the error of an answer that is not in the encoding that it names."""
    return MalformedAnswerError(f"The answer cannot be read: {error}")


def _error(answer: httpx.Response, meta: Meta) -> LegalError:
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
        request_id=meta.request_id,
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

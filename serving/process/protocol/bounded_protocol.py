"""Uvicorn's protocol over httptools, with one request at a time and limits on each.

Uvicorn parses all that it reads: every request of a pipeline, and heads of any size. Here the parser is given
the bytes of one request; those after it wait, unparsed and unread, until it is answered. The size of a head
is limited. A client that keeps the server waiting too long is disconnected when `Connections` next checks it.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from serving.api.errors import STATUS
from serving.api.request_ids import HEADER, chosen_id
from serving.contract.errors import LawError
from serving.process.protocol.acceptance import is_usual, require_host, require_open_to_all
from serving.process.protocol.address_reader import AddressReader
from serving.process.protocol.addresses import origin_form, split_address
from serving.process.protocol.connections import LOOK_SECONDS, MOST_HELD, Admission, Connections
from serving.process.protocol.deadlines import ON_ITS_WAY_SECONDS, Deadlines, Overdue
from serving.process.protocol.early_answers import reaches_the_next, telling
from serving.process.protocol.heads import END, end_of_head
from serving.process.protocol.phases import ANSWER, BODY, HEAD, IDLE, LAST, LEAVING
from serving.process.protocol.reading_control import ReadingControl
from serving.process.protocol.refusals import (
    HeadersTooLargeError,
    MalformedRequestError,
    Refusals,
    Refused,
    RequestTimeoutError,
)
from serving.process.protocol.sizes import MAX_HEAD, MAX_HEADERS, MAX_URL, SLICE
from serving.process.protocol.transport import JoiningTransport

if TYPE_CHECKING:
    from serving.counting.requests import Requests

_REQUEST_ID = HEADER.lower().encode("ascii")
_FRAMING = frozenset((b"content-length", b"transfer-encoding", b"expect"))
_log = logging.getLogger(__name__)


class _SurplusError(Exception):
    """Another request begins among the chunks of a body."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection of a client.

    Args:
        connections: the connections of this process.

    Attributes:
        phase: the present phase.
        since: time at which it began, by `Connections.now`.
        is_for_all: False if only `acceptance.OPEN_TO_ALL` may be asked for.
        is_usual: whether the newest request is HTTP/1.1 and does not ask for another protocol.
    """

    transport: JoiningTransport
    flow: ReadingControl
    cycle: Any
    """Cycle of the newest request: uvicorn's own, or a substitute for it."""

    def __init__(self, *args: Any, connections: Connections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = connections
        self._counts: Requests | None = getattr(self.config.app, "requests", None)
        self._refusals: Refusals = getattr(self.config.app, "refusals", None) or Refusals()
        self.phase = IDLE
        self.since = connections.now
        self.is_for_all = True
        self.is_usual = False
        self.url = b""
        self._address = AddressReader(self, connections)
        # What was read and is not parsed: the bytes from `_at` on.
        self._rest = b""
        self._at = 0
        self._held = 0
        # Of a head, how much was parsed, and its end; of a chunked body, the bytes since its last piece.
        self._fed = 0
        self._tail = b""
        # Of a body, the bytes that are to come, None where only its chunks tell, and those that came.
        self._body_left: int | None = 0
        self._body_bytes = 0
        # Input that was dropped since the last look.
        self._dropped = 0
        self._deadlines = Deadlines(connections.limits, self.since)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn serves no other transports
        """Start the connection, if there is room for it."""
        super().connection_made(JoiningTransport(transport, self.loop, lingers=self._lingers))
        self.flow = ReadingControl(self.transport)
        self.since = self._connections.now
        admission = self._connections.admit(self)
        self.is_for_all = admission is Admission.ALL
        if admission is Admission.NOTHING:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and its unparsed bytes."""
        self.phase = LEAVING
        super().connection_lost(exc)
        self._drop()
        self._connections.leave(self)

    def data_received(self, data: bytes) -> None:
        """Parse the bytes up to the end of a request; keep the rest until that request is answered."""
        if self.phase == IDLE and data.find(END) + 4 == len(data) <= MAX_HEAD and not self.flow.write_paused:
            # Nearly always: one request, all of it, without a body.
            self._parse_head(data, 0, len(data))
        elif self.phase < LAST:
            self._rest = self._rest[self._at :] + data
            self._at = 0
            self._parse()
        else:
            self._dropped += len(data)

    def resume_writing(self) -> None:
        """Continue with work that waited for the client to read."""
        super().resume_writing()
        self._parse()

    def shutdown(self) -> None:
        """Answer the request under way, or on its way from a client that has just come, then close."""
        self.loop.call_later(ON_ITS_WAY_SECONDS if self.phase <= HEAD else 0, self._end)

    def _end(self) -> None:
        if self.phase == LEAVING:
            self.transport.abort()
            return
        super().shutdown()
        if self.phase == ANSWER:
            self.phase = LAST
            self._drop()

    @property
    def is_waiting(self) -> bool:
        """Return whether the server is waiting for the client."""
        return self.phase in (IDLE, HEAD, BODY, LEAVING)

    def give_way(self) -> None:
        """Close at once."""
        self.transport.abort()

    def look(self, now: float) -> None:
        """Close the connection if the client has kept the server waiting too long."""
        if self.phase == BODY and self.flow.read_paused:
            # The application takes its time, and the client cannot help it.
            self.since, self._body_bytes = now, 0
        if self._deadlines.is_stuck(self.transport.get_write_buffer_size(), now):
            self.transport.abort()
            return
        came = self._body_bytes if self.phase == BODY else self._dropped
        self._dropped = 0
        match self._deadlines.missed(self.phase, now - self.since - LOOK_SECONDS, came):
            case Overdue.ABORT:
                self.transport.abort()
            case Overdue.CLOSE:
                self.transport.close()
            case Overdue.REFUSE:
                self._refuse(RequestTimeoutError("The request took too long to come."))

    # What the parser calls

    def on_message_begin(self) -> None:
        """Begin a request, if one may begin now."""
        if self.phase > HEAD:
            raise _SurplusError
        self._body_left = 0
        self._address.begin()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Add a piece to the address. One that is not taken is refused behind its headers, which say how."""
        self.url = self._address.added(self.url, url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header."""
        headers = self.headers
        if len(headers) >= MAX_HEADERS:
            raise HeadersTooLargeError(f"There are more than {MAX_HEADERS} headers.")
        name = name.lower()
        if name in _FRAMING and self.phase <= HEAD:
            self._frame(name, value)
        headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Check the request, and have it answered if it is acceptable."""
        self._check()
        self.begin_answer()
        if self._body_left != 0:
            self.phase, self.since = BODY, self._connections.now
            self._fed = self._body_bytes = 0
            # A trailer is counted as headers are, and told nobody.
            self.headers = []

    def begin_answer(self) -> None:
        """Have the application answer the request."""
        if not self._address.is_long:
            super().on_headers_complete()
            return
        # The parser of addresses takes 65,535 bytes: it is given the path alone.
        self.url, query = split_address(self.url)
        super().on_headers_complete()
        self.scope["query_string"] = query

    def on_body(self, body: bytes) -> None:
        """Pass on a piece of the body."""
        self._fed = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop parsing until the request is answered."""
        cycle = self.cycle
        cycle.more_body = False
        cycle.message_event.set()
        self._fed, self._tail = 0, b""
        if cycle.response_complete:
            self._rest_from_request()
        else:
            self.phase = ANSWER if cycle.keep_alive else LAST

    # What a request calls

    def on_response_complete(self) -> None:
        """Continue with bytes that waited for the answer."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.since = self._connections.now
        # Uvicorn pauses it while the application leaves much of a body unread, which it may do for good.
        self.flow.resume_reading()
        if self.phase == ANSWER:
            self._rest_from_request()
            if self._rest:
                self._parse()
        else:
            self._body_bytes = 0

    def _rest_from_request(self) -> None:
        """Begin to wait for another request. Its address is not known yet, nor are its headers."""
        self.phase, self.since = IDLE, self._connections.now
        self.url, self._address.size = b"", 0

    # Parsing

    @property
    def _most_of_head(self) -> int:
        """Most bytes of the present head, with what came of its address, which has a bound of its own."""
        return MAX_HEAD + min(self._address.size, MAX_URL)

    def _parse(self) -> None:
        while self._at < len(self._rest):
            if self.phase <= HEAD and not self.flow.write_paused:
                start = self._at
                self._at = end_of_head(self._rest, start, self._tail, start + self._most_of_head - self._fed)
                self._parse_head(self._rest, start, self._at)
            elif self.phase == BODY:
                self._parse_body()
            else:
                break
        if self._at >= len(self._rest) or self.phase >= LAST:
            self._drop()
        elif not self._held:
            self._hold()

    def _parse_head(self, data: bytes, start: int, end: int) -> None:
        """Parse a head or a part of it, never more bytes than a head may have."""
        self._feed(data if end - start == len(data) else memoryview(data)[start:end])
        if self.phase > HEAD:
            return
        self._fed += end - start
        self._tail = (self._tail + data[max(start, end - 3) : end])[-3:]
        if self.phase == IDLE:
            self.phase, self.since = HEAD, self._connections.now
        if self._fed >= self._most_of_head:
            too_large = HeadersTooLargeError(f"The headers have more than {MAX_HEAD:,} bytes.")
            self._refuse(self._address.refusal or too_large)

    def _parse_body(self) -> None:
        """Parse the available body; of a chunked one, whose end only the parser recognises, one slice."""
        start, left = self._at, self._body_left
        self._at = min(len(self._rest), start + (left or SLICE))
        if left:
            self._body_left = left - (self._at - start)
        else:
            self._fed += self._at - start
        self._feed(memoryview(self._rest)[start : self._at])
        if self.phase != BODY:
            return
        if not left and self._fed > MAX_HEAD:
            self._refuse(HeadersTooLargeError(f"More than {MAX_HEAD:,} bytes stand where the body goes on."))

    def _feed(self, data: bytes | memoryview) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # HTTP lets a server go on with the protocol that it speaks.
            return
        except httptools.HttpParserCallbackError as error:
            self._fail(error.__context__ or error)
        except httptools.HttpParserError as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """End a connection whose input is not a request, or not one that is accepted."""
        if self.phase > BODY:
            # It came with the end of a chunked body, and the parser does not tell where it begins: the client
            # has to send it again.
            self._stop_reading()
        elif isinstance(error, LawError):
            self._refuse(error)
        elif isinstance(error, httptools.HttpParserError):
            self._refuse(MalformedRequestError(f"This is no request of HTTP/1.1: {error}."))
        else:
            _log.error("request_not_parsed", exc_info=error)
            self._refuse(LawError("The server failed to read the request."))

    def _frame(self, name: bytes, value: bytes) -> None:
        """Record a header that determines the length of the body."""
        if name == b"content-length":
            self._body_left = int(value)
        elif name == b"transfer-encoding":
            if value.strip().lower() != b"chunked":
                raise MalformedRequestError("Bodies come as they are or in chunks, in no other coding.")
            self._body_left = None
        elif value.lower() == b"100-continue":
            self.expect_100_continue = True

    def _check(self) -> None:
        """Raise an error for a request that cannot be accepted, before the application sees it.

        Raises:
            MalformedRequestError: 400.
            OverloadedError: 503.
            UriTooLongError: 414.
        """
        if self._address.refusal is not None:
            raise self._address.refusal
        self.is_usual = is_usual(self.parser, has_body=self._body_left != 0)
        require_host(self.parser.get_http_version(), self.headers)
        if not self.url.startswith(b"/"):
            self.url = origin_form(self.url)
        if not self.is_for_all:
            require_open_to_all(self.url)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        def ends() -> bool:
            return self.phase == BODY and not reaches_the_next(self._body_left)

        super()._start_asgi_task(cycle, app if self._body_left == 0 else telling(app, cycle, ends))

    # What waits

    def _hold(self) -> None:
        """Pause reading until the bytes already read are parsed."""
        self._held = len(self._rest)
        self._connections.held += self._held
        self.flow.hold()
        if self._connections.held > MOST_HELD:
            self._stop_reading()

    def _drop(self) -> None:
        """Drop all unparsed bytes."""
        self._dropped += max(0, len(self._rest) - self._at)
        self._rest, self._at = b"", 0
        self._connections.held -= self._held
        self._held = 0
        if self.flow is not None:
            self.flow.release()

    def _stop_reading(self) -> None:
        """Accept no more requests, and close once the present one is answered."""
        is_under_way = self.cycle is not None and not self.cycle.response_complete
        self.phase = LAST
        self._drop()
        if is_under_way:
            self.cycle.keep_alive = False
        else:
            self._linger()

    # What ends a connection

    def _refuse(self, error: LawError) -> None:
        """Answer the request that is being read with an error, and close the connection."""
        cycle = self.cycle if self.phase == BODY else None
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.close()
                return
        if cycle is None or not cycle.response_complete:
            # Of a request whose address has not come, no header has: those of the one before are not its own.
            headers = self.scope["headers"] if self.url else ()
            asked = Refused(self.url, {name: value.decode("latin-1") for name, value in headers})
            request_id = chosen_id(asked.headers.get(_REQUEST_ID))
            usual = self.server_state.default_headers
            self.transport.write_now(self._refusals.answer(error, asked, usual, request_id))
            self._tell(error, request_id)
        self._linger()

    def _linger(self) -> None:
        """Send the end of the stream, drop further input, and close when the client does, or soon after."""
        self.phase, self.since = LEAVING, self._connections.now
        self._drop()
        if not self.transport.is_closing():
            self.transport.write_eof()
            self.flow.resume_reading()

    def _lingers(self) -> bool:
        """Linger where more comes than is read; return whether the connection lingers."""
        if self.phase == BODY or self._dropped:
            self._linger()
        return self.phase == LEAVING

    def _tell(self, error: LawError, request_id: str) -> None:
        """Count and log a refusal."""
        if self._counts is not None:
            self._counts.count(None, STATUS[error.code], 0.0)
        client = self.client and self.client[0]
        told = {"request_id": request_id, "error": error.code, "problem": error.message, "client": client}
        _log.info("request_refused", extra=told)

"""The protocol of a connection with a fast path for plain reads, which bypasses the application.

The head of each GET is shown to the application's `plain_reads`, if it has any, which may answer it directly.
All other requests are answered by the application, as are plain reads whose charge fails.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from serving.contract.errors import LawError
from serving.http.charging import COUNTED
from serving.metering.records import Outcome, Settled
from serving.process.protocol.bounded_protocol import BoundedProtocol

if TYPE_CHECKING:
    # Gunicorn's master loads this module, and nothing that opens LanceDB may be loaded before the fork.
    from serving.process.protocol.plain_reads import PlainRead, PlainReads

_OK = STATUS_LINE[200]


class Protocol(BoundedProtocol):
    """One connection of a client. The newest request's cycle is uvicorn's own, or a `_PlainCycle`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._plain_reads: PlainReads | None = getattr(self.config.app, "plain_reads", None)

    def begin_answer(self) -> None:
        """Answer by the fast path if it is open to the request, else by the application."""
        if self._plain_reads is None or not self._goes_short(self._plain_reads):
            super().begin_answer()

    def _goes_short(self, reads: "PlainReads") -> bool:
        """Begin to answer a plain read; return False, with nothing done, if the request is not one."""
        if not self.is_usual or self.parser.get_method() != b"GET":
            return False
        read = reads.begin(self.url, self.headers)
        if read is None:
            return False
        self.cycle = cycle = _PlainCycle(self, read)
        try:
            reads.submit(read, cycle)
        except LawError as error:
            cycle.take(error)
        return True

    def answer(self, cycle: "_PlainCycle", outcome: Outcome | Exception) -> None:
        """Answer a plain read, given the outcome of its charge."""
        if cycle.disconnected or self.transport.is_closing():
            return
        if not isinstance(outcome, Settled):
            self._go_the_long_way(cycle, outcome)
            return
        usual = b"".join([b"%b: %b\r\n" % header for header in self.server_state.default_headers])
        closing = b"" if cycle.keep_alive else b"connection: close\r\n"
        head = cycle.read.head(outcome)
        self.transport.write_now(b"".join((_OK, usual, head, closing, b"\r\n", cycle.read.body)))
        cycle.response_complete = True
        cycle.read.log(outcome, self.client and self.client[0])
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _go_the_long_way(self, short: "_PlainCycle", counted: Outcome | Exception) -> None:
        """Have the application answer a request that was already counted."""
        path = short.url.decode("ascii")
        scope = short.scope | {"method": "GET", "path": path, "raw_path": short.url, "query_string": b""}
        scope["state"][COUNTED] = counted
        cycle = RequestResponseCycle(
            scope=scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=short.keep_alive,
            on_response=self.on_response_complete,
        )
        cycle.more_body = False
        cycle.message_event.set()
        if self.cycle is short:
            self.cycle = cycle
        self._start_asgi_task(cycle, self.app)


class _PlainCycle:
    """A plain read on its connection, in place of uvicorn's cycle, with the attributes that uvicorn uses."""

    __slots__ = (
        "_protocol",
        "disconnected",
        "keep_alive",
        "more_body",
        "read",
        "response_complete",
        "scope",
        "url",
    )

    def __init__(self, protocol: Protocol, read: "PlainRead") -> None:
        self._protocol = protocol
        self.read = read
        self.url = protocol.url
        self.scope = protocol.scope
        self.keep_alive = protocol.parser.should_keep_alive()
        self.disconnected = False
        self.more_body = True
        self.response_complete = False

    @property
    def message_event(self) -> "_PlainCycle":
        """Event that uvicorn sets when more of the request arrives: here nobody waits for it."""
        return self

    def set(self) -> None:
        """Do nothing, since nobody waits."""

    def cancelled(self) -> bool:
        """Return whether the client is gone."""
        return self.disconnected

    def take(self, outcome: Outcome | Exception) -> None:
        """Answer with the outcome of the charge."""
        self._protocol.answer(self, outcome)

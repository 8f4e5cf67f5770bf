"""When a connection reads and when it does not, on a transport that notes it."""

import asyncio
from typing import Any

import pytest
import pytest_asyncio
from uvicorn.config import Config
from uvicorn.server import ServerState

from serving.process.protocol.bounded_protocol import BoundedProtocol
from serving.process.protocol.connections import MOST_HELD, Connections, Limits
from serving.process.protocol.phases import ANSWER, BODY, IDLE, LAST
from serving.process.protocol.sizes import LONG_URL, MAX_HEAD

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\n"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Wire(asyncio.Transport):
    """A transport whose other end reads all that is written."""

    def __init__(self) -> None:
        super().__init__()
        self.is_read = True
        self.is_closed = False
        self.written = b""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("192.0.2.1", 7) if name == "peername" else default

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def writelines(self, list_of_data: Any) -> None:
        self.written += b"".join(list_of_data)

    def write_eof(self) -> None:
        self.is_closed = True

    def close(self) -> None:
        self.is_closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_closed

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def get_write_buffer_size(self) -> int:
        return 0


class Application:
    """Answers when it is told to, and reads bodies when it is told to."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.may_read = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        reading = asyncio.create_task(self._read(receive))
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        reading.cancel()

    async def _read(self, receive: Any) -> None:
        await self.may_read.wait()
        while (await receive())["type"] == "http.request":
            pass


@pytest_asyncio.fixture
async def connection() -> Any:
    application = Application()
    config = Config(application, http="httptools", ws="none", log_config=None)
    config.load()
    config.loaded_app = application
    protocol = BoundedProtocol(config, ServerState(), {}, connections=Connections(Limits()))
    wire = Wire()
    protocol.connection_made(wire)
    yield protocol, wire, application
    protocol.connection_lost(None)
    application.may_answer.set()
    await passes()


async def passes() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_long_address_is_held_until_the_next_request_begins(connection):
    protocol, _, application = connection
    application.may_answer.set()
    connections = protocol._connections
    for _ in range(2):
        protocol.data_received(b"GET /?" + b"a" * LONG_URL)
        assert list(connections._long) == [protocol]
        protocol.data_received(b" HTTP/1.1\r\nHost: a\r\n\r\n")
        await passes()
        assert protocol.phase == IDLE
        protocol.data_received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert not connections._long
        await passes()


@pytest.mark.asyncio
async def test_an_address_for_which_there_is_no_room_is_refused_and_let_go(connection, monkeypatch):
    protocol, wire, _ = connection
    monkeypatch.setattr("serving.process.protocol.connections.MOST_LONG", 0)
    protocol.data_received(b"GET /api/v1/resolve?" + b"a" * LONG_URL)
    assert len(protocol.url) == LONG_URL
    protocol.data_received(b"a" * MAX_HEAD)
    assert len(protocol.url) == LONG_URL
    protocol.data_received(b" HTTP/1.1\r\nHost: a\r\n\r\n")
    answer = wire.written
    assert b" 503 " in answer
    assert b"retry-after: 1\r\n" in answer
    assert b"access-control-allow-origin: *\r\n" in answer
    assert b'"retryAfterSec":1' in answer


@pytest.mark.asyncio
async def test_body_is_read_as_fast_as_the_application_takes_it(connection):
    protocol, wire, application = connection
    protocol.data_received(HEAD + b"Content-Length: 1000000\r\n\r\n")
    protocol.data_received(b"a" * 200_000)
    assert (protocol.phase, wire.is_read) == (BODY, False)
    application.may_read.set()
    await passes()
    assert wire.is_read


@pytest.mark.asyncio
async def test_connection_reads_on_after_a_body_that_the_application_left_unread(connection):
    protocol, wire, application = connection
    protocol.data_received(HEAD + b"Content-Length: 200000\r\n\r\n")
    protocol.data_received(b"a" * 200_000)
    assert (protocol.phase, wire.is_read) == (ANSWER, False)
    application.may_answer.set()
    await passes()
    assert (protocol.phase, wire.is_read) == (IDLE, True)


@pytest.mark.asyncio
async def test_nothing_is_read_while_a_request_waits_for_the_answer_to_another(connection):
    protocol, wire, application = connection
    application.may_read.set()
    protocol.data_received(GET)
    await passes()
    assert (protocol.phase, wire.is_read) == (ANSWER, True), "whether the client leaves is to be noticed"
    protocol.data_received(GET + GET[:9])
    await passes()
    assert not wire.is_read, "though the application asks whether the client is there"
    assert protocol._connections.held == len(GET) + 9
    application.may_answer.set()
    await passes()
    assert wire.written.count(b"204") == 2
    assert wire.is_read
    assert protocol._connections.held == 0


@pytest.mark.asyncio
async def test_requests_wait_for_the_client_to_read(connection):
    protocol, wire, application = connection
    application.may_answer.set()
    protocol.pause_writing()
    protocol.data_received(GET)
    await passes()
    assert (protocol.phase, wire.is_read, wire.written) == (IDLE, False, b"")
    protocol.resume_writing()
    await passes()
    assert wire.is_read
    assert wire.written.count(b"204") == 1


@pytest.mark.asyncio
async def test_what_waits_on_all_connections_is_bounded(connection):
    protocol, wire, application = connection
    protocol._connections.held = MOST_HELD
    protocol.data_received(GET + GET)
    assert protocol.phase == LAST
    assert protocol._connections.held == MOST_HELD
    application.may_answer.set()
    await passes()
    assert wire.written.count(b"204") == 1
    assert b"connection: close" in wire.written
    assert wire.is_closed


@pytest.mark.asyncio
@pytest.mark.parametrize("after", [GET, b"\0", b"nothing known", b"\r\n\r\n\x16"])
async def test_what_comes_with_the_end_of_a_chunked_body_is_not_answered(connection, after):
    protocol, wire, application = connection
    protocol.data_received(HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + after)
    application.may_answer.set()
    await passes()
    assert wire.written.count(b"HTTP/1.1") == 1
    assert b"204" in wire.written
    assert wire.is_closed


@pytest.mark.asyncio
async def test_failure_of_ours_is_logged_and_answered(connection, caplog, monkeypatch):
    protocol, wire, _ = connection
    monkeypatch.setattr(protocol, "begin_answer", lambda: 1 / 0)
    protocol.data_received(GET)
    assert wire.written.startswith(b"HTTP/1.1 500 ")
    assert b'"internal_error"' in wire.written
    assert "ZeroDivisionError" in caplog.text

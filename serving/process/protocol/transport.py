"""A transport that joins small writes into one.

Uvicorn writes the head and the body of an answer one after the other, and each write is a call to the kernel
and a packet: a seventh of the processor time of a short answer.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

_Piece = bytes | bytearray | memoryview


class JoiningTransport(asyncio.Transport):
    """Collects the writes of one pass of the event loop, and passes them on to another transport together.

    Args:
        transport: the other transport.
        loop: of both.
        lingers: returns whether the protocol ends the connection by itself, rather than by a `close`.
    """

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, *, lingers: Callable[[], bool]
    ) -> None:
        super().__init__()
        self._lingers = lingers
        self._transport = transport
        self._loop = loop
        self._pieces: list[_Piece] = []

    def write(self, data: _Piece) -> None:
        """Collect data, to be written at the end of the pass."""
        if not self._pieces:
            self._loop.call_soon(self._flush)
        self._pieces.append(data)

    def write_now(self, data: _Piece) -> None:
        """Write a whole answer, after the data collected before it."""
        if self._pieces:
            self._pieces.append(data)
        else:
            self._transport.write(data)

    def writelines(self, list_of_data: Iterable[_Piece]) -> None:
        """Collect several pieces of data."""
        for data in list_of_data:
            self.write(data)

    def close(self) -> None:
        """Write the collected data, then close, unless the protocol lingers."""
        if not self._lingers():
            self._flush()
            self._transport.close()

    def abort(self) -> None:
        """Close at once, dropping the collected data."""
        self._pieces = []
        self._transport.abort()

    def write_eof(self) -> None:
        """Write the collected data, then send the end of the stream."""
        self._flush()
        self._transport.write_eof()

    def can_write_eof(self) -> bool:
        """Return whether the other transport can send the end of the stream."""
        return self._transport.can_write_eof()

    def get_write_buffer_size(self) -> int:
        """Return the number of bytes that wait for the client, without those collected in this pass."""
        return self._transport.get_write_buffer_size()

    def is_closing(self) -> bool:
        """Return whether the other transport is closing or closed."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return a fact about the other transport."""
        return self._transport.get_extra_info(name, default)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the protocol of the other transport."""
        return self._transport.get_protocol()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Set the protocol of the other transport."""
        self._transport.set_protocol(protocol)

    def pause_reading(self) -> None:
        """Pause reading on the other transport."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Resume reading on the other transport."""
        self._transport.resume_reading()

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        if pieces and not self._transport.is_closing():
            self._transport.writelines(pieces)

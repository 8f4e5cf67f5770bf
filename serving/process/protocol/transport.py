"""A transport that sends together what is written together.

Uvicorn writes the head and the body of an answer one after the other, and each write is a call to the kernel
and a packet: a seventh of the processor time of a short answer.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

_Piece = bytes | bytearray | memoryview


class JoiningTransport(asyncio.Transport):
    """Passes on to another transport what is written within one pass of the event loop, at once."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._pieces: list[_Piece] = []

    def write(self, data: _Piece) -> None:
        """Take a piece, to be written at the end of the pass."""
        if not self._pieces:
            self._loop.call_soon(self._flush)
        self._pieces.append(data)

    def write_now(self, data: _Piece) -> None:
        """Write a whole answer, after what was taken before it."""
        if self._pieces:
            self._pieces.append(data)
        else:
            self._transport.write(data)

    def writelines(self, list_of_data: Iterable[_Piece]) -> None:
        """Take pieces as `write` does."""
        for data in list_of_data:
            self.write(data)

    def close(self) -> None:
        """Write what was taken, then close."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._pieces = []
        self._transport.abort()

    def write_eof(self) -> None:
        """Write what was taken, then say that nothing follows."""
        self._flush()
        self._transport.write_eof()

    def can_write_eof(self) -> bool:
        """Ask the other transport."""
        return self._transport.can_write_eof()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes were written and wait for the client, but for those of this pass."""
        return self._transport.get_write_buffer_size()

    def is_closing(self) -> bool:
        """Whether the other transport is closing or closed."""
        return self._transport.is_closing()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Ask the other transport."""
        return self._transport.get_extra_info(name, default)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Ask the other transport."""
        return self._transport.get_protocol()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Tell the other transport."""
        self._transport.set_protocol(protocol)

    def pause_reading(self) -> None:
        """Tell the other transport."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Tell the other transport."""
        self._transport.resume_reading()

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        if pieces and not self._transport.is_closing():
            self._transport.writelines(pieces)

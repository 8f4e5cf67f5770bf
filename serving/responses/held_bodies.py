"""Large ready bodies, held in memory while they are in demand, so that sending one makes no copy."""

from collections import OrderedDict


class HeldBodies:
    """The bodies asked for last, up to a total number of bytes. For use from one event loop.

    Args:
        capacity: bytes held in all; a body of more than half of that is never held.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._held: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, etag: str, body: bytes | memoryview) -> bytes | None:
        """Return the body with that entity tag and hold it; None if it is too large to hold."""
        if isinstance(body, bytes):
            return body
        held = self._held.get(etag)
        if held is not None:
            self._held.move_to_end(etag)
            return held
        if len(body) > self._capacity // 2:
            return None
        held = self._held[etag] = bytes(body)
        self._bytes += len(held)
        while self._bytes > self._capacity:
            self._bytes -= len(self._held.popitem(last=False)[1])
        return held

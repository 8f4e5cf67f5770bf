"""The address of a request as it comes in pieces: kept up to its bound, and a long one where few are held.

What is not kept is counted on, and told once the headers came, which say how the client takes a refusal.
"""

from serving.contract.errors import LawError
from serving.process.protocol.connections import Connection, Connections
from serving.process.protocol.refusals import UriTooLongError
from serving.process.protocol.sizes import LONG_URL, MAX_URL


class AddressReader:
    """Reads the addresses of a connection's requests, one after the other.

    Args:
        connection: the connection.
        connections: all of this process, few of which hold a long address.

    Attributes:
        size: bytes that came of the newest address, whether they were kept or not.
        is_long: whether the connection holds a long address.
        refusal: the reason for which the newest address is not taken, after which no other is read.
    """

    __slots__ = ("_connection", "_connections", "is_long", "refusal", "size")

    def __init__(self, connection: Connection, connections: Connections) -> None:
        self._connection = connection
        self._connections = connections
        self.size = 0
        self.is_long = False
        self.refusal: LawError | None = None

    def begin(self) -> None:
        """Begin another address; one that was long is held no more."""
        self.size = 0
        if self.is_long:
            self.is_long = False
            self._connections.drop_address(self._connection)

    def added(self, url: bytes, piece: bytes) -> bytes:
        """Return an address with a piece added, or the beginning of one that is not taken.

        Args:
            url: all that was kept of the address.
            piece: its next bytes.
        """
        self.size += len(piece)
        if self.refusal is not None:
            return url
        url += piece
        return url if len(url) <= LONG_URL else self._held(url)

    def _held(self, url: bytes) -> bytes:
        try:
            if len(url) > MAX_URL:
                raise UriTooLongError(f"The address has more than {MAX_URL:,} bytes; ask for less at a time.")
            if not self.is_long:
                self._connections.hold_address(self._connection)
                self.is_long = True
        except LawError as error:
            self.refusal = error
            return url[:LONG_URL]
        return url

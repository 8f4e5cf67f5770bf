"""Headers of every answer at `/mcp`, errors included: its id, the snapshot, what pages may read of it."""

from collections.abc import Callable

from serving.api.origins import OriginPolicy
from serving.api.security_headers import security_headers

_EXPOSED = b"Retry-After, WWW-Authenticate, X-Request-Id, X-Snapshot-Id"
"""Headers of an answer that pages of allowed origins may read."""


class EndpointHeaders:
    """The headers that all answers have.

    Args:
        public_url: address of the service.
        origins: the origins of pages that may call.
        current_snapshot: returns the id of the snapshot in service, if there is one.
    """

    def __init__(
        self, public_url: str, origins: OriginPolicy, current_snapshot: Callable[[], str | None]
    ) -> None:
        self._origins = origins
        self._current_snapshot = current_snapshot
        self._usual = [
            (b"cache-control", b"no-store"),
            (b"vary", b"Accept-Encoding"),
            *((name.lower().encode(), value.encode()) for name, value in security_headers(public_url)),
        ]

    def of(self, request_id: str, origin: str | None) -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer.

        Args:
            request_id: names the request.
            origin: of the page that asks, if it is said.
        """
        headers = [(b"x-request-id", request_id.encode()), *self._usual]
        if origin is not None and self._origins.allows(origin):
            headers += [
                (b"access-control-allow-origin", origin.encode("latin-1")),
                (b"access-control-expose-headers", _EXPOSED),
                (b"vary", b"Origin"),
            ]
        snapshot = self._current_snapshot()
        return headers if snapshot is None else [*headers, (b"x-snapshot-id", snapshot.encode())]

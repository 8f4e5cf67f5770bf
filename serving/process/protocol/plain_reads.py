"""Node reads in their plainest form, answered from the bytes of their head without calling the framework.

Most requests read a ready node, and a framework's request and response objects cost more than charging for it
does. A read is plain if the node exists, the key is in memory and has the scope, JSON is accepted and there
are no parameters. Everything else, and every read whose charge fails, is answered by the application's own
route: this module knows only the one good answer.
"""

import re
from collections.abc import Sequence
from time import perf_counter

from serving.api import operations
from serving.api.encodings import IDENTITY
from serving.api.request_ids import chosen_id
from serving.api.security_headers import security_headers
from serving.contract.errors import NoSnapshotError
from serving.counting.requests import Requests
from serving.http.charging import counted_headers
from serving.http.middleware.access_log import Record, is_logged, log_request
from serving.http.middleware.cors import EXPOSED
from serving.http.middleware.envelope import VARY
from serving.metering.gate import Caller, Gate
from serving.metering.group_commit import Taker
from serving.metering.records import Settled
from serving.responses.bodies import KEYED, WHOLE, best_stored
from serving.services.snapshots import SnapshotHolder

_URL = re.compile(rb"/api/v1/node/([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})")
_TEMPLATE = "/api/v1/node/{node_id}"
_BEARER = b"bearer "
_JSON = (b"*/*", b"application/json")
_LONG_WAY = frozenset((b"content-length", b"expect", b"if-none-match", b"transfer-encoding", b"upgrade"))
"""Headers that make a read not plain."""
_FORWARDED = b"x-forwarded-for"
_ALWAYS = (
    f"cache-control: {KEYED}\r\ncontent-type: application/json\r\nvary: {VARY}\r\n"
    f"access-control-allow-origin: *\r\naccess-control-expose-headers: {EXPOSED}\r\n"
)


class PlainRead:
    """A plain read under way: the caller, and the body that is ready."""

    __slots__ = (
        "_always",
        "_counts",
        "_encoding",
        "_etag",
        "_path",
        "_started",
        "body",
        "caller",
        "request_id",
        "snapshot_id",
    )

    def __init__(
        self,
        caller: Caller,
        request_id: str,
        path: bytes,
        snapshot_id: str,
        encoding: str,
        body: bytes,
        etag: str,
        always: str,
        counts: Requests,
    ) -> None:
        self._started = perf_counter()
        self._always = always
        self._counts = counts
        self.snapshot_id = snapshot_id
        self._path = path
        self._encoding = encoding
        self._etag = etag
        self.body = body
        self.caller = caller
        self.request_id = request_id

    def head(self, settled: Settled) -> bytes:
        """Return the header lines of the answer to a settled read."""
        counted = "".join([f"{name}: {value}\r\n" for name, value in counted_headers(settled)])
        encoding = "" if self._encoding == IDENTITY else f"content-encoding: {self._encoding}\r\n"
        return (
            f"etag: {self._etag}\r\n{encoding}{self._always}{counted}x-request-id: {self.request_id}\r\n"
            f"x-snapshot-id: {self.snapshot_id}\r\ncontent-length: {len(self.body)}\r\n"
        ).encode("ascii")

    def log(self, settled: Settled, client: str | None) -> None:
        """Count the answer, and log it if requests are logged."""
        self._counts.count(_TEMPLATE, 200, perf_counter() - self._started)
        if is_logged():
            log_request(
                Record(
                    request_id=self.request_id,
                    method="GET",
                    path=self._path.decode("ascii"),
                    status=200,
                    started=self._started,
                    bytes=len(self.body),
                    client=client,
                    snapshot=self.snapshot_id,
                    account=settled.account_id,
                    cost=settled.cost,
                )
            )


class PlainReads:
    """Recognises plain reads, and has them charged."""

    def __init__(self, gate: Gate, snapshots: SnapshotHolder, counts: Requests, *, public_url: str) -> None:
        self._always = _ALWAYS + "".join(
            [f"{name.lower()}: {value}\r\n" for name, value in security_headers(public_url)]
        )
        self._gate = gate
        self._counts = counts
        self._snapshots = snapshots

    def begin(self, url: bytes, headers: Sequence[tuple[bytes, bytes]]) -> PlainRead | None:
        """Return the answer to a GET of a URL, to be sent once it is charged; None if the read is not plain.

        Args:
            url: the URL in the request line.
            headers: pairs of a name in lower case and a value.
        """
        asked = _URL.fullmatch(url)
        if asked is None:
            return None
        given = dict(headers)
        if len(given) != len(headers) or not _LONG_WAY.isdisjoint(given):
            return None
        if given.get(b"accept", b"*/*") not in _JSON or (_FORWARDED in given and is_logged()):
            return None
        caller = self._caller(given.get(b"authorization", b""))
        if caller is None:
            return None
        high, low = int(asked[1] + asked[2] + asked[3], 16), int(asked[4] + asked[5], 16)
        found = self._stored(high, low, _text(given.get(b"accept-encoding")))
        return found and PlainRead(
            caller, chosen_id(_text(given.get(b"x-request-id"))), url, *found, self._always, self._counts
        )

    def submit(self, read: PlainRead, taker: Taker) -> None:
        """Have a read charged; `taker` receives the outcome.

        Raises:
            LawError: it cannot be charged now; nothing was counted.
        """
        self._gate.submit(
            read.caller,
            operations.NODE,
            request_id=read.request_id,
            snapshot=read.snapshot_id,
            taker=taker,
        )

    def _stored(self, high: int, low: int, encodings: str | None) -> tuple[str, str, bytes, str] | None:
        """Return the snapshot's id, and the encoding, the bytes and the entity tag of a node's body."""
        try:
            lease = self._snapshots.try_lease()
        except NoSnapshotError:
            return None
        if lease is None:
            return None
        with lease as snapshot:
            row = snapshot.nodes.find_halves(high, low)
            if row is None:
                return None
            encoding, body, etag = best_stored(snapshot.nodes.body(row), encodings)
            if len(body) > WHOLE:
                return None
            return snapshot.id, encoding, bytes(body), etag

    def _caller(self, authorization: bytes) -> Caller | None:
        if authorization[: len(_BEARER)].lower() != _BEARER:
            return None
        caller = self._gate.known(authorization[len(_BEARER) :].strip().decode("latin-1"))
        return None if caller is None or caller.lacks_scope(operations.NODE) is not None else caller


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")

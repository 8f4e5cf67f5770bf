"""Metered requests over HTTP: the key comes in a header, and headers of the answer report the charge."""

from functools import lru_cache
from types import TracebackType

import falcon
import falcon.asgi

from serving.api import parameters
from serving.api.charging import Charging
from serving.http.request_ids import request_id
from serving.metering.clock import DAY, MINUTE, SECOND
from serving.metering.gate import Caller, Counted, Gate, Operation
from serving.metering.records import RateLimited, Refunded, Settled, WindowState

CREDITS_REMAINING = "X-Credits-Remaining"
ALLOTMENT_REMAINING = "X-Research-Allotment-Remaining"
CREDITS_COST = "X-Credits-Cost"
HEADERS = (
    CREDITS_REMAINING,
    ALLOTMENT_REMAINING,
    CREDITS_COST,
    "X-RateLimit-Limit",
    "RateLimit",
    "RateLimit-Policy",
)
"""The headers that metered answers carry beyond those of every answer."""
COUNTED = "counted"
"""Name under which a request's state holds the outcome of counting, if the request was counted before."""


class Meter:
    """Charges the requests of an application."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def charging(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, operation: Operation
    ) -> "MeteredRequest":
        """Return the context in which a request is checked and its answer prepared.

        At its end the request is counted, and charged if an answer is ready that is not 304. Call `settle`
        first for an answer that is expensive to make; the charge is refunded if it fails.
        """
        return MeteredRequest(self._gate, req, resp, operation)


class MeteredRequest:
    """One metered request, as a context manager; the headers of its answer report the charge."""

    __slots__ = ("_caller", "_charging", "_gate", "_operation", "_req", "_resp")

    def __init__(
        self, gate: Gate, req: falcon.asgi.Request, resp: falcon.asgi.Response, operation: Operation
    ) -> None:
        self._gate = gate
        self._req = req
        self._resp = resp
        self._operation = operation
        self._caller: Caller | None = None
        self._charging: Charging | None = None

    @property
    def caller(self) -> Caller:
        """The identity behind the key."""
        if self._caller is None:
            raise RuntimeError("the caller is known inside of the context only")
        return self._caller

    async def __aenter__(self) -> "MeteredRequest":
        """Identify the caller.

        Raises:
            InvalidApiKeyError: 401.
            RateLimitedError: the network sent too many unknown keys.
            InsufficientScopeError: the key does not open this endpoint; the request is counted.
        """
        parameters.refuse_key(self._req.params)
        self._caller = await self._gate.identify(_bearer(self._req), address=self._req.remote_addr)
        self._req.context.account_id = self._caller.account_id
        self._req.context.caller, self._req.context.operation = self._caller, self._operation.name
        self._charging = Charging(
            self._gate,
            self._caller,
            self._operation,
            request_id=request_id(self._req),
            receipts=self,
            counted=self._req.scope.get("state", {}).get(COUNTED),
        )
        await self._charging.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._charging is not None:
            await self._charging.end(error, free=self._resp.status_code == 304)

    async def settle(self) -> Settled:
        """Charge now, before the answer is made.

        Raises:
            LawError: 401, 402 or 429.
        """
        if self._charging is None:
            raise RuntimeError("a request is charged inside of the context only")
        return await self._charging.settle()

    @property
    def snapshot(self) -> str | None:
        """Id of the snapshot that the request has leased; None before."""
        found: str | None = getattr(self._req.context, "snapshot_id", None)
        return found

    def counted(self, outcome: Counted) -> None:
        """Set the headers that report the charge."""
        for name, value in counted_headers(outcome):
            self._resp.set_header(name, value)
        self._req.context.cost = outcome.cost if isinstance(outcome, Settled) else 0

    def refunded(self, refunded: Refunded) -> None:
        """Set the headers that report the refund."""
        self._req.context.cost = 0
        for name, value in _balance_headers(refunded.allotment, refunded.wallet, cost=0):
            self._resp.set_header(name, value)


def _bearer(req: falcon.asgi.Request) -> str | None:
    scheme, _, key = (req.get_header("Authorization") or "").strip().partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def counted_headers(outcome: Counted) -> tuple[tuple[str, str], ...]:
    """Return the headers that report the cost of a call and the credits that are left."""
    minute, day = outcome.windows.minute, outcome.windows.day
    told = (
        ("X-RateLimit-Limit", str(minute.limit)),
        ("RateLimit-Policy", _policy(minute.limit, day.limit)),
        ("RateLimit", f"{_left('minute', minute)}, {_left('day', day)}"),
    )
    if isinstance(outcome, RateLimited):
        return told
    cost = outcome.cost if isinstance(outcome, Settled) else 0
    return told + _balance_headers(outcome.allotment, outcome.wallet, cost=cost)


def _balance_headers(allotment: int, wallet: int, *, cost: int) -> tuple[tuple[str, str], ...]:
    return (
        (CREDITS_REMAINING, str(allotment + wallet)),
        (ALLOTMENT_REMAINING, str(allotment)),
        (CREDITS_COST, str(cost)),
    )


def _left(name: str, window: WindowState) -> str:
    return f'"{name}";r={window.remaining};t={window.reset_seconds}'


@lru_cache(maxsize=64)
def _policy(per_minute: int, per_day: int) -> str:
    return f'"minute";q={per_minute};w={MINUTE // SECOND}, "day";q={per_day};w={DAY // SECOND}'

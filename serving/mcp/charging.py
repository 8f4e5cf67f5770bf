"""Metered requests of MCP: charged as REST's are, with the charge reported in the answer's `_meta`."""

from types import TracebackType
from typing import Any

import anyio

from serving.api.charging import Charging
from serving.api.errors import status_of
from serving.contract.errors import AbandonedError
from serving.mcp.callers import McpCaller
from serving.metering.gate import Counted, Gate, Operation
from serving.metering.records import RateLimited, Refunded, Settled, Windows
from serving.metering.request_log import RequestLog


class MeteredCall:
    """One metered request, as a context manager.

    At its end the request is counted, and charged unless it failed.

    Attributes:
        caller: the caller who made the request.

        snapshot: id of the snapshot that was read; None where none was, or none is known.

    Args:
        gate: counts and charges.
        log: the log that account holders read.
        caller: the caller who made the request.
        operation: the operation that is called, with its price and its scopes.
    """

    def __init__(self, gate: Gate, log: RequestLog, caller: McpCaller, operation: Operation) -> None:
        self.caller = caller
        self.snapshot: str | None = None
        self._log = log
        self._operation = operation
        self._charging = Charging(
            gate, caller.identity, operation, request_id=caller.request_id, receipts=self
        )
        self._windows: Windows | None = None
        self._left: tuple[int, int] | None = None

    async def __aenter__(self) -> "MeteredCall":
        """Check the scope.

        Raises:
            InsufficientScopeError: the key does not open this operation; the request is counted.
        """
        try:
            await self._charging.begin()
        except Exception as error:
            self._note(error)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The transport cancels a request that nobody waits for. It counts all the same, and what it paid is
        # given back.
        with anyio.CancelScope(shield=True):
            if error is not None and not isinstance(error, Exception):
                error = AbandonedError("The request was abandoned.")
            try:
                await self._charging.end(error)
            except AbandonedError as abandoned:
                error = abandoned
            except Exception as failure:
                self._note(failure)
                raise
            self._note(error)

    def _note(self, error: Exception | None) -> None:
        """Note a request that cost nothing, for the account's holder; the ledger has the others."""
        if self.caller.cost:
            return
        self._log.note(
            account_id=self.caller.identity.account_id,
            key_id=self.caller.identity.key_id,
            endpoint=self._operation.name,
            status=200 if error is None else status_of(error),
            snapshot=self.snapshot,
            request_id=self.caller.request_id,
        )

    async def settle(self, *, times: int = 1) -> None:
        """Charge now, before the answer is made: the operation's cost, `times` over.

        Raises:
            LawError: 401, 402 or 429.
        """
        with anyio.CancelScope(shield=True):
            await self._charging.settle(times=times)

    def counted(self, outcome: Counted) -> None:
        """Record the cost of the call and the credits that are left."""
        self._windows = outcome.windows
        if not isinstance(outcome, RateLimited):
            self.caller.cost = outcome.cost if isinstance(outcome, Settled) else 0
            self._left = (outcome.allotment, outcome.wallet)

    def refunded(self, refunded: Refunded) -> None:
        """Record that the call costs nothing."""
        self.caller.cost = 0
        self._left = (refunded.allotment, refunded.wallet)

    def credits(self) -> dict[str, int]:
        """Return the cost of the call and the credits that are left."""
        return {"cost": self.caller.cost or 0, "left": sum(self._left or ())}

    def told(self) -> dict[str, Any]:
        """Return the cost of the call and the credits that are left, for the answer's `_meta`."""
        told: dict[str, Any] = {"requestId": self.caller.request_id}
        if self.caller.cost is not None and self._left is not None:
            told |= {
                "creditsCost": self.caller.cost,
                "creditsRemaining": sum(self._left),
                "researchAllotmentRemaining": self._left[0],
            }
        if self._windows is not None:
            minute, day = self._windows.minute, self._windows.day
            told["rateLimit"] = {
                "requestsPerMinute": minute.limit,
                "remainingThisMinute": minute.remaining,
                "requestsPerDay": day.limit,
                "remainingToday": day.remaining,
            }
        return told

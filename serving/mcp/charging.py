"""The life of one metered request of the protocol: scope, count, charge, and a refund if it fails.

The rules are those of REST, by the same gate (`serving.http.charging`): what is refused is counted and not
charged, and an answer that is dear to make is charged before it is made.
"""

import asyncio
import contextlib
from dataclasses import replace
from types import TracebackType
from typing import Any

import anyio

from serving.contract.errors import AbandonedError
from serving.mcp.visits import Visit
from serving.metering.gate import Gate, Operation, verdict
from serving.metering.records import RateLimited, Settled, Windows


class Charging:
    """One request on its way through the meter, as a context.

    At its end the request is counted, and charged unless it failed.

    Attributes:
        visit: who asks.

    Args:
        gate: counts and charges.
        operation: what is asked for.
    """

    def __init__(self, gate: Gate, visit: Visit, operation: Operation) -> None:
        self.visit = visit
        self._gate = gate
        self._operation = operation
        self._counted = False
        self._settled: Settled | None = None
        self._windows: Windows | None = None
        self._left: tuple[int, int] | None = None

    async def __aenter__(self) -> "Charging":
        """Check the scope.

        Raises:
            InsufficientScopeError: the key does not open this operation; the request is counted.
        """
        problem = self.visit.caller.lacks_scope(self._operation)
        if problem is not None:
            await self._count(problem)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The transport cancels a request that nobody waits for. It counts all the same, and what it paid is
        # given back.
        with anyio.CancelScope(shield=True):
            if self._settled is not None:
                if error is not None:
                    await asyncio.shield(self._refund(self._settled))
            elif not self._counted and (error is None or isinstance(error, Exception)):
                await self._count(error)
            elif not self._counted:
                with contextlib.suppress(AbandonedError):
                    await self._count(AbandonedError("The request was abandoned."))

    async def settle(self, *, times: int = 1) -> None:
        """Charge now, for an answer that is still to be made, or so many times the operation's cost.

        Raises:
            LawError: 401, 402 or 429.
        """
        self._operation = replace(self._operation, cost=times * self._operation.cost)
        self._counted = True  # whatever comes of it: a call that is refused here counts once as well
        with anyio.CancelScope(shield=True):
            self._settled = await self._count(None)

    def told(self) -> dict[str, Any]:
        """Return what the call cost and what is left, for the answer's `_meta`."""
        told: dict[str, Any] = {"requestId": self.visit.request_id}
        if self.visit.cost is not None and self._left is not None:
            told |= {
                "creditsCost": self.visit.cost,
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

    async def _count(self, problem: Exception | None) -> Settled:
        """Count the request and charge it, or raise what it fails with, `problem` or another."""
        outcome = await self._gate.settle(
            self.visit.caller,
            self._operation,
            request_id=self.visit.request_id,
            problem=problem,
            free=self._operation.cost == 0,
        )
        self._windows = outcome.windows
        if not isinstance(outcome, RateLimited):
            self.visit.cost = outcome.cost if isinstance(outcome, Settled) else 0
            self._left = (outcome.allotment, outcome.wallet)
        result = verdict(outcome, self._operation, problem)
        if isinstance(result, Settled):
            return result
        raise result

    async def _refund(self, settled: Settled) -> None:
        if settled.receipt is None:
            return
        refunded = await self._gate.refund(settled.receipt, request_id=self.visit.request_id)
        if refunded is not None:
            self.visit.cost = 0
            self._left = (refunded.allotment, refunded.wallet)

"""The charge of one metered request: check its scope, count it, charge it, and refund it if the answer fails.

Every door goes by these rules: a refused request is counted and not charged, and an answer that is expensive
to make is charged before it is made.
"""

import asyncio
from dataclasses import replace
from typing import Protocol

from serving.metering.gate import Caller, Counted, Gate, Operation, verdict
from serving.metering.records import Outcome, Refunded, Settled


class Receipts(Protocol):
    """Receives the outcome of a request's charge and tells the client of it, in the form of one door."""

    @property
    def snapshot(self) -> str | None:
        """Id of the snapshot that the request reads; None as long as that is not known."""

    def counted(self, outcome: Counted) -> None:
        """Record that the request was counted, and with what outcome."""

    def refunded(self, refunded: Refunded) -> None:
        """Record that the charge was refunded."""


class Charging:
    """One request on its way through the meter.

    Args:
        gate: counts and charges.
        caller: the identity behind the key.
        operation: the operation that is called, with its price and its scopes.
        request_id: id of the request in the ledger.
        receipts: receives the outcome of the charge.
        counted: the outcome, where the request was counted before it came here.
    """

    __slots__ = (
        "_caller",
        "_gate",
        "_is_counted",
        "_known",
        "_operation",
        "_receipts",
        "_request_id",
        "_settled",
    )

    def __init__(
        self,
        gate: Gate,
        caller: Caller,
        operation: Operation,
        *,
        request_id: str,
        receipts: Receipts,
        counted: Outcome | Exception | None = None,
    ) -> None:
        self._gate = gate
        self._caller = caller
        self._operation = operation
        self._request_id = request_id
        self._receipts = receipts
        self._known = counted
        self._is_counted = False
        self._settled: Settled | None = None

    async def begin(self) -> None:
        """Check the scope.

        Raises:
            InsufficientScopeError: the key does not open this operation; the request is counted.
        """
        problem = self._caller.lacks_scope(self._operation)
        if problem is not None:
            await self._count(problem)

    async def settle(self, *, times: int = 1) -> Settled:
        """Charge now, before the answer is made: the operation's cost, `times` over.

        Raises:
            LawError: 401, 402 or 429.
        """
        if times != 1:
            self._operation = replace(self._operation, cost=times * self._operation.cost)
        self._is_counted = True  # whatever comes of it: a call that is refused here counts once as well
        self._settled = await self._count(None)
        return self._settled

    async def end(self, problem: BaseException | None, *, free: bool = False) -> None:
        """Count an unsettled request, and charge it if it succeeded; refund a settled one that failed since.

        Args:
            problem: the failure of the answer; None where there is an answer.
            free: the answer costs nothing, such as 304.

        Raises:
            Exception: the failure to report to the client: `problem`, or one that arose in counting.
        """
        if self._settled is not None:
            if problem is not None:
                self._gate.tally.refused(problem)
                await asyncio.shield(self._refund(self._settled))
        elif not self._is_counted and (problem is None or isinstance(problem, Exception)):
            await self._count(problem, free=free)

    async def _count(self, problem: Exception | None, *, free: bool = False) -> Settled:
        """Count the request and charge it; raise its failure, which is `problem` or one of the charge."""
        if self._known is not None:
            outcome = self._gate.counted(self._caller, self._known)
        else:
            outcome = await self._gate.settle(
                self._caller,
                self._operation,
                request_id=self._request_id,
                problem=problem,
                free=free or self._operation.cost == 0,
                snapshot=self._receipts.snapshot,
            )
        self._receipts.counted(outcome)
        result = verdict(outcome, self._operation, problem)
        if isinstance(result, Settled):
            return result
        if result is problem:
            self._gate.tally.refused(problem)
        raise result

    async def _refund(self, settled: Settled) -> None:
        if settled.receipt is None:
            return
        refunded = await self._gate.refund(settled.receipt, request_id=self._request_id)
        if refunded is not None:
            self._receipts.refunded(refunded)

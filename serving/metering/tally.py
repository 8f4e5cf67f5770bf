"""Counts of what the meter settled and refused in this process, for the operator's monitoring."""

from collections import Counter
from dataclasses import dataclass, field

from serving.contract.errors import LawError, StoreUnavailableError
from serving.metering.records import (
    Charge,
    InsufficientCredits,
    KeyRefused,
    Outcome,
    RateLimited,
    Refunded,
    Settled,
    Work,
)

REFUSALS = (
    *("insufficient_credits", "insufficient_scope", "invalid_api_key", "overloaded", "rate_limited"),
    "store_unavailable",
)
"""Reasons for which the meter refuses a request: codes of errors, and the store that gives up."""
_REFUSED = {
    InsufficientCredits: "insufficient_credits",
    KeyRefused: "invalid_api_key",
    RateLimited: "rate_limited",
}


@dataclass(slots=True)
class Tally:
    """Counts since they were last taken, for use on the event loop alone.

    Attributes:
        charges: charges that took credits, by operation.
        credits: credits that they took, by operation.
        refunds: charges that were given back.
        refusals: refused requests, by reason.
    """

    charges: Counter[str] = field(default_factory=Counter)
    credits: Counter[str] = field(default_factory=Counter)
    refunds: int = 0
    refusals: Counter[str] = field(default_factory=Counter)

    def settled(self, work: Work, outcome: Outcome | Exception) -> None:
        """Count the outcome of a piece of work. A failure is counted where it refuses the request."""
        if isinstance(outcome, Settled):
            if outcome.cost and isinstance(work, Charge):
                self.charges[work.endpoint] += 1
                self.credits[work.endpoint] += outcome.cost
        elif isinstance(outcome, Refunded):
            self.refunds += 1
        elif type(outcome) in _REFUSED:
            self.refusals[_REFUSED[type(outcome)]] += 1

    def refused(self, error: BaseException) -> None:
        """Count a request that ends in an error, if that is a reason for which the meter refuses."""
        if isinstance(error, LawError):
            reason = "store_unavailable" if isinstance(error, StoreUnavailableError) else error.code
            if reason in REFUSALS:
                self.refusals[reason] += 1

    def take(self) -> "Tally":
        """Return the counts since the last call."""
        taken = Tally(self.charges, self.credits, self.refunds, self.refusals)
        self.charges, self.credits, self.refunds, self.refusals = Counter(), Counter(), 0, Counter()
        return taken

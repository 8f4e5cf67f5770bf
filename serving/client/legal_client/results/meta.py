"""The headers of an answer, as a record."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meta:
    """Headers of an answer.

    Attributes:
        request_id: names the call in the service's log and in the ledger.
        snapshot_id: snapshot that the answer was read from.
        credits_cost: what the call cost; 0 for an answer that was still good from before.
        credits_remaining: credits left after the call; None on answers that need no key.
        next_query: query of the page after this one; None on the last.
    """

    request_id: str | None = None
    snapshot_id: str | None = None
    credits_cost: int | None = None
    credits_remaining: int | None = None
    next_query: str | None = None

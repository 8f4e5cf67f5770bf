"""What the meter settles and refuses is counted once, by operation and by reason."""

from serving.contract.errors import AbandonedError, NotFoundError, OverloadedError, StoreUnavailableError
from serving.metering.records import Charge, Refund
from serving.metering.tally import REFUSALS, Tally


def test_charges_refunds_and_refusals_are_told_apart(meter):
    tally = Tally()
    _, rich = meter.key(wallet=10_000)
    charges = [Charge(rich, cost, name, f"r{cost}") for name, cost in (("node", 1), ("gis", 5), ("me", 0))]
    outcomes = meter.store.settle(charges)
    for work, outcome in zip(charges, outcomes, strict=True):
        tally.settled(work, outcome)
    refund = Refund(outcomes[1].receipt, "back")
    tally.settled(refund, meter.store.settle([refund])[0])
    for charge in (Charge("0" * 64, 1, "node", "r"), Charge(rich, 10**9, "node", "r")):
        tally.settled(charge, meter.store.settle([charge])[0])
    for error in (
        OverloadedError("full", retry_after_seconds=1),
        StoreUnavailableError("away"),
        AbandonedError("gone"),
        NotFoundError("none", kind="node"),
        ValueError("ours"),
    ):
        tally.refused(error)
    taken = tally.take()
    assert taken.charges == {"node": 1, "gis": 1}
    assert taken.credits == {"node": 1, "gis": 5}
    assert taken.refunds == 1
    assert taken.refusals == {
        "invalid_api_key": 1,
        "insufficient_credits": 1,
        "overloaded": 1,
        "store_unavailable": 1,
    }
    assert set(taken.refusals) <= set(REFUSALS)
    assert tally.take() == Tally()

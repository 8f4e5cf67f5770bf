"""Orders of an account: packs of credits with their receipts, and formations with their stages."""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.accounts.orders import CANCELED, STAGES
from serving.metering.records import Order, Purchase

NAMES = {
    "details": "Details",
    "payment": "Payment",
    "setup": "Setup",
    "final_review": "Final review",
    "filing": "Filing",
    "filed": "Filed with the state",
    "completed": "Documents delivered",
    "canceled": "Canceled",
}
"""Names of the stages on the pages."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of an order; `at` is the instant at which it was reached, None where it is to come."""

    name: str
    at: int | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class TrackedOrder:
    """One order with all of its stages, those to come included."""

    order: Order
    steps: Sequence[Step]

    @property
    def stage(self) -> str:
        """Name of the stage that it is at."""
        return NAMES[self.order.state]


@dataclass(frozen=True, slots=True)
class OrdersPage:
    """Everything that an account has ordered, the newest first."""

    purchases: Sequence[Purchase]
    orders: Sequence[TrackedOrder]


def tracked(order: Order) -> TrackedOrder:
    """Return an order with its stages; one that is canceled has none to come."""
    reached = {stage.state: stage.at for stage in order.stages}
    stages = reached if order.state == CANCELED else STAGES
    steps = [Step(NAMES[state], reached.get(state), state == order.state) for state in stages]
    return TrackedOrder(order, steps)

"""Numbers of a worker beside its requests: the families, and their way to the counters that workers share."""

from collections.abc import Callable

from serving.accounts.billing import Billing
from serving.api import operations
from serving.counting.counters import Counters
from serving.counting.families import Family
from serving.counting.requests import Requests, request_families
from serving.metering.health import CAUSES
from serving.metering.tally import REFUSALS
from serving.services.snapshots import SnapshotHolder
from serving.services.timings import ARMS, Timings

METERED = tuple(operation.name for operation in (*operations.ALL, *operations.OF_AGENTS))
QUEUES = (
    *("accounts", "addresses", "charges", "checkouts", "downloads", "feeds", "key_lookups", "mails"),
    *("page_searches", "pages", "payments", "searches", "sign_ins", "token_exchanges", "visits"),
)
"""Queues of a worker: work of each kind that runs or waits."""

ARM_SECONDS = Family(
    "law_search_arm_seconds", "Time of each arm of a search.", "histogram", ("arm",), (ARMS,)
)
CHARGES = Family("law_charges_total", "Charges that took credits.", "counter", ("operation",), (METERED,))
CREDITS = Family(
    "law_credits_charged_total", "Credits that charges took.", "counter", ("operation",), (METERED,)
)
REFUNDS = Family("law_refunds_total", "Charges that were given back.", "counter", (), ())
REFUSED = Family(
    "law_refusals_total", "Requests that the meter refused, by reason.", "counter", ("reason",), (REFUSALS,)
)
FAILURES = Family(
    "law_store_failures_total",
    "Transactions that the store of accounts did not take, by cause.",
    "counter",
    ("cause",),
    (tuple(CAUSES),),
)
OPEN_SNAPSHOTS = Family(
    "law_open_snapshots", "Snapshots that workers hold open, all workers together.", "gauge", (), ()
)
QUEUED = Family(
    "law_queue_depth", "Work that runs or waits, all workers together.", "gauge", ("queue",), (QUEUES,)
)


class Measures:
    """The numbers of one worker.

    Args:
        labels: labels under which requests are counted.
        statuses: statuses that are counted apart.
        snapshots: the open snapshots.
        billing: the accounts.
        timings: durations of the arms of searches.

    Attributes:
        counters: the numbers of all workers.
        requests: counts the requests.
        timings: as given.
        queues: how deep each queue is; the parts of the server that have one add it.
    """

    def __init__(
        self,
        labels: tuple[str, ...],
        statuses: tuple[int, ...],
        snapshots: SnapshotHolder,
        billing: Billing,
        timings: Timings,
    ) -> None:
        families = request_families(labels, statuses)
        told = (ARM_SECONDS, CHARGES, CREDITS, REFUNDS, REFUSED, FAILURES, OPEN_SNAPSHOTS, QUEUED)
        self.counters = Counters((*families, *told))
        self.requests = Requests(families, self.counters)
        self.queues: dict[str, Callable[[], int]] = {}
        self._snapshots = snapshots
        self._billing = billing
        self.timings = timings

    def share(self) -> None:
        """Bring what was counted since the last call to the shared counters, and say what is open now."""
        self.requests.flush()
        counters = self.counters
        for arm, seconds in self.timings.take().items():
            counters.observe(ARM_SECONDS.name, (arm,), seconds)
        tally = self._billing.tally.take()
        for family, counted in (
            (CHARGES, tally.charges),
            (CREDITS, tally.credits),
            (REFUSED, tally.refusals),
            (FAILURES, self._billing.health.take_failures()),
        ):
            for value, number in counted.items():
                counters.add(family.name, (value,), number)
        counters.add(REFUNDS.name, (), tally.refunds)
        counters.set(OPEN_SNAPSHOTS.name, (), len(self._snapshots.opened()))
        for queue, depth in self._billing.waiting().items():
            counters.set(QUEUED.name, (queue,), depth)
        for queue, depth_of in self.queues.items():
            counters.set(QUEUED.name, (queue,), depth_of())

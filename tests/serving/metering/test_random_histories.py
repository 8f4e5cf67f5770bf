"""Random histories on both engines beside a model that is slow and obvious."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serving.accounts.accounts import Accounts
from serving.accounts.credits import Credits
from serving.metering.clock import DAY, MINUTE, month_of
from serving.metering.database import Database
from serving.metering.records import Charge, InsufficientCredits, RateLimited, Refund, Refunded, Settled
from serving.metering.store import store_opener
from tests.serving.metering.posted import post_all, tables_of

LIMITS = {"free": (30, 1_000), "starter": (60, 5_000)}


@dataclass
class ModelAccount:
    """Every pass and every entry, kept forever and counted anew each time."""

    month: int
    allotment: int = 1000
    wallet: int = 0
    tier: str = "free"
    passes: dict[str, list[int]] = field(default_factory=dict)

    def charge(self, key: str, cost: int, now: int) -> tuple[str, int]:
        passed = self.passes.setdefault(key, [])
        per_minute, per_day = LIMITS[self.tier]
        if (
            sum(now - at < MINUTE for at in passed) >= per_minute
            or sum(now - at < DAY for at in passed) >= per_day
        ):
            return "limited", 0
        passed.append(now)
        self.renew(now)
        if cost > self.allotment + self.wallet:
            return "insufficient", self.allotment + self.wallet
        taken = min(cost, self.allotment)
        self.allotment -= taken
        self.wallet -= cost - taken
        return "settled", self.allotment + self.wallet

    def renew(self, now: int) -> None:
        if month_of(now) > self.month:
            self.month, self.allotment = month_of(now), 1000


NAMES: dict[str, type[Any]] = {
    "limited": RateLimited,
    "insufficient": InsufficientCredits,
    "settled": Settled,
}
charges = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 1, 1, 5, 450])), min_size=1, max_size=45
)
steps = st.one_of(
    st.tuples(st.just("charge"), charges),
    st.tuples(
        st.just("wait"),
        st.sampled_from([1, 999_999, MINUTE // 2, MINUTE - 1, MINUTE, DAY // 3, DAY, 20 * DAY]),
    ),
    st.tuples(st.just("grant"), st.integers(1, 20)),
    st.tuples(st.just("refund"), st.integers(0, 5)),
    st.tuples(st.just("buy"), st.just("starter")),
    st.tuples(st.just("post"), st.sampled_from(["credits", "marks", "half"])),
    st.tuples(st.just("change_store"), st.integers(0, 2)),
)


class History:
    """Two accounts with three keys in the store and in the model, and what a step does to both."""

    def __init__(self, meter):
        self.meter = meter
        self.accounts = [meter.key()[0] for _ in range(2)]
        self.owners = [self.accounts[0], self.accounts[0], self.accounts[1]]
        self.keys = [
            meter.accounts.create_key(owner, name="k", scopes=["node"])[1].digest for owner in self.owners
        ]
        self.models = {account: ModelAccount(month_of(meter.clock.instant)) for account in self.accounts}
        self.receipts = []
        self.bought = 0
        # Three workers: each follows what the others settled, and one of them begins anew.
        self.stores = [meter.store, *(store_opener(meter.url, clock=meter.clock)() for _ in range(2))]
        self.store = self.stores[0]

    def change_store(self, number):
        """Let another worker settle, the third a new one."""
        if number == 2:
            self.stores[2].close()
            self.stores[2] = store_opener(self.meter.url, clock=self.meter.clock)()
        self.store = self.stores[number]

    def post(self, what):
        """Post as the process does that posts, or as one that is killed on the way."""
        if what != "half":
            post_all(self.meter.url, marks=what == "marks")
            return
        tables = tables_of(self.meter.url)
        posting = tables.waiting_credits(1)
        tables.enter(posting.entries)
        if posting.number:
            tables.post_credits(posting)
        tables.enter(tables.waiting_credits(1).entries[:1])
        marks = tables.waiting_marks(1)
        if marks is not None:
            tables.post_marks(marks.rows[: len(marks.rows) // 2])
        tables.close()

    def close(self):
        for store in self.stores[1:]:
            store.close()

    def charge(self, batch):
        outcomes = self.store.settle([Charge(self.keys[number], cost, "node", "r") for number, cost in batch])
        for (number, cost), outcome in zip(batch, outcomes, strict=True):
            model = self.models[self.owners[number]]
            expected, balance = model.charge(self.keys[number], cost, self.meter.clock.instant)
            assert type(outcome) is NAMES[expected]
            if expected != "limited":
                assert outcome.balance == balance
            if isinstance(outcome, Settled) and outcome.receipt:
                self.receipts.append((outcome.receipt, model.month))

    def wait(self, microseconds):
        self.meter.clock.instant += microseconds

    def grant(self, amount):
        self.meter.credits.grant(self.accounts[0], amount)
        self.models[self.accounts[0]].renew(self.meter.clock.instant)
        self.models[self.accounts[0]].wallet += amount

    def buy(self, pack):
        self.bought += 1
        self.meter.credits.purchase(self.accounts[0], pack, event_id=f"{self.accounts[0]}-{self.bought}")
        self.models[self.accounts[0]].renew(self.meter.clock.instant)
        self.models[self.accounts[0]].wallet += 1000
        self.models[self.accounts[0]].tier = pack

    def refund(self, number):
        if number >= len(self.receipts):
            return
        receipt, month = self.receipts.pop(number)
        entries = self.meter.accounts.ledger(receipt.account_id, limit=10_000)
        entry = next(entry for entry in entries if entry.entry_no == receipt.entry_no)
        model = self.models[receipt.account_id]
        model.allotment -= entry.allotment if month == model.month else 0
        model.wallet -= entry.wallet
        expected = Refunded(receipt.account_id, model.allotment, model.wallet)
        assert self.store.settle([Refund(receipt, "r")] * 2) == [expected] * 2

    def check(self):
        for account, model in self.models.items():
            entries = self.meter.accounts.ledger(account, limit=10_000)
            assert sum(entry.wallet for entry in entries) == model.wallet
            assert sum(entry.allotment for entry in entries) == model.allotment
            running = 0
            for entry in reversed(entries):
                running += entry.allotment + entry.wallet
                assert running == entry.balance_after >= 0
        assert not self.meter.credits.check_ledger()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps_taken=st.lists(steps, min_size=1, max_size=24))
def test_every_history_is_settled_as_the_model_does(meter, steps_taken):
    history = History(meter)
    for kind, what in steps_taken:
        getattr(history, kind)(what)
    history.check()
    history.close()


def test_a_server_that_tells_its_own_time_agrees(url):
    """Without an injected clock the engine's own is used: requests pass up to the limit and no further."""
    database = Database(url)
    account = Accounts(database).create()
    _, minted = Accounts(database).create_key(account.account_id, name="k", scopes=["node"])
    store = store_opener(url)()
    outcomes = [store.settle([Charge(minted.digest, 1, "node", "r")])[0] for _ in range(31)]
    assert [type(outcome) for outcome in outcomes] == [Settled] * 30 + [RateLimited]
    last = outcomes[-1]
    assert isinstance(last, RateLimited)
    assert 1 <= last.retry_after_seconds <= 60
    assert not Credits(database).check_ledger()
    store.close()
    database.close()

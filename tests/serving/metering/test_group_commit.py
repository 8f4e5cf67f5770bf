"""Group commit in one event loop: who waits together goes together, and everyone gets an own answer."""

import asyncio
import threading
from datetime import UTC, datetime

import pytest

from serving.contract.errors import OverloadedError, StoreUnavailableError
from serving.metering.clock import SECOND
from serving.metering.group_commit import GroupCommit
from serving.metering.records import Charge, InsufficientCredits, KeyRefused, Settled, nobody
from serving.metering.store import store_opener


class Gate:
    """Wraps a real store: notes its batches and holds each until the test lets it go."""

    def __init__(self, store):
        self.store = store
        self.batches = []
        self.open = threading.Event()
        self.entered = threading.Semaphore(0)
        self.joins = False

    def try_settle(self, work):
        return None

    def settle(self, work, joining=nobody):
        self.batches.append([item.request_id for item in work])
        self.entered.release()
        assert self.open.wait(60)
        return self.store.settle(work, joining if self.joins else nobody)

    def close(self):
        self.store.close()


async def gated(meter, **bounds):
    """A running group commit whose store is behind a gate."""
    gates = []

    def open_gate():
        gates.append(Gate(store_opener(meter.url, clock=meter.clock)()))
        return gates[0]

    group = GroupCommit(open_gate, **bounds)
    await group.start()
    return group, gates[0]


def charge(key, name, cost=1):
    return Charge(key, cost, "node", name)


@pytest.mark.asyncio
async def test_waiting_requests_share_the_next_transaction(meter):
    _, key = meter.key()
    group, gate = await gated(meter)
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    others = [asyncio.create_task(group.settle(charge(key, f"{number}"))) for number in range(9)]
    await asyncio.sleep(0)
    assert not first.done()
    gate.open.set()
    outcomes = await asyncio.gather(first, *others)
    assert gate.batches == [["first"], [f"{number}" for number in range(9)]]
    assert [outcome.balance for outcome in outcomes] == list(range(999, 989, -1))
    await group.close()


@pytest.mark.asyncio
async def test_everyone_gets_an_own_outcome(meter):
    _, key = meter.key()
    _, poor = meter.key()
    group = GroupCommit(store_opener(meter.url, clock=meter.clock))
    await group.start()
    work = [charge(poor, "a", 1000), charge(poor, "b"), charge("no key", "c"), charge(key, "d")]
    outcomes = await asyncio.gather(*(group.settle(item) for item in work))
    assert [type(outcome) for outcome in outcomes] == [Settled, InsufficientCredits, KeyRefused, Settled]
    await group.close()


@pytest.mark.asyncio
async def test_a_cancelled_caller_disturbs_nobody_and_pays_nothing(meter):
    account, key = meter.key()
    group, gate = await gated(meter)
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    gone, stays = (asyncio.create_task(group.settle(charge(key, name))) for name in ("gone", "stays"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    gate.open.set()
    assert (await stays).balance == 998
    assert (await first).balance == 999
    assert gate.batches == [["first"], ["stays"]]
    with pytest.raises(asyncio.CancelledError):
        await gone
    await group.close()
    assert meter.accounts.get(account).allotment == 998


@pytest.mark.asyncio
async def test_a_caller_cancelled_in_its_transaction_does_not_break_it(meter):
    account, key = meter.key()
    group, gate = await gated(meter)
    gone = asyncio.create_task(group.settle(charge(key, "gone")))
    await asyncio.to_thread(gate.entered.acquire)
    gone.cancel()
    gate.open.set()
    assert (await group.settle(charge(key, "next"))).balance == 998
    await group.close()
    assert meter.accounts.get(account).allotment == 998


@pytest.mark.asyncio
async def test_too_many_waiting_are_turned_away(meter):
    _, key = meter.key()
    group, gate = await gated(meter, max_waiting=2)
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    waiting = [asyncio.create_task(group.settle(charge(key, f"{number}"))) for number in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(OverloadedError, match="nothing was charged"):
        await group.settle(charge(key, "one too many"))
    gate.open.set()
    assert [outcome.balance for outcome in await asyncio.gather(first, *waiting)] == [999, 998, 997]
    await group.close()


@pytest.mark.asyncio
async def test_a_batch_is_bounded(meter):
    _, key = meter.key()
    group, gate = await gated(meter, max_batch=4)
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    rest = [asyncio.create_task(group.settle(charge(key, f"{number}"))) for number in range(9)]
    await asyncio.sleep(0)
    gate.open.set()
    await asyncio.gather(first, *rest)
    assert [len(batch) for batch in gate.batches] == [1, 4, 4, 1]
    await group.close()


@pytest.mark.asyncio
async def test_what_gathers_until_the_transaction_has_its_turn_goes_along(meter):
    account, key = meter.key()
    group, gate = await gated(meter, max_batch=4)
    gate.joins = True
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    gone, *rest = [asyncio.create_task(group.settle(charge(key, f"{number}"))) for number in range(9)]
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    gate.open.set()
    outcomes = await asyncio.gather(first, *rest)
    assert [outcome.balance for outcome in outcomes] == list(range(999, 990, -1))
    # Of 0, who is gone, 1 and 2, two went with the first, then four by themselves, then the other two.
    assert gate.batches == [["first"], ["3", "4", "5", "6"], ["7", "8"]]
    await group.close()
    assert meter.accounts.get(account).allotment == 991


@pytest.mark.asyncio
async def test_one_bad_request_that_joins_a_batch_fails_alone(meter):
    account, key = meter.key()
    group, gate = await gated(meter)
    gate.joins = True
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    no_number = Charge(key, "one", "node", "bad")  # type: ignore[arg-type]  # on purpose
    bad = asyncio.create_task(group.settle(no_number))
    good = asyncio.create_task(group.settle(charge(key, "good")))
    await asyncio.sleep(0)
    gate.open.set()
    with pytest.raises(TypeError):
        await bad
    assert {(await first).balance, (await good).balance} == {999, 998}
    await group.close()
    assert gate.batches == [["first"], ["first"], ["bad"], ["good"]]
    assert meter.accounts.get(account).allotment == 998


@pytest.mark.asyncio
async def test_one_bad_request_fails_alone(meter):
    account, key = meter.key()
    group, gate = await gated(meter)
    first = asyncio.create_task(group.settle(charge(key, "first")))
    await asyncio.to_thread(gate.entered.acquire)
    bad = asyncio.create_task(group.settle(charge(key, "bad", cost=2**70)))
    no_number = Charge(key, "one", "node", "worse")  # type: ignore[arg-type]  # on purpose
    worse = asyncio.create_task(group.settle(no_number))
    good = asyncio.create_task(group.settle(charge(key, "good")))
    await asyncio.sleep(0)
    gate.open.set()
    assert isinstance(await bad, InsufficientCredits)
    with pytest.raises(TypeError):
        await worse
    assert (await good).balance == 998
    assert (await first).balance == 999
    await group.close()
    assert meter.accounts.get(account).allotment == 998


@pytest.mark.asyncio
async def test_a_store_that_cannot_be_opened_fails_the_start():
    def fails():
        raise StoreUnavailableError("gone")

    group = GroupCommit(fails)
    with pytest.raises(StoreUnavailableError, match="gone"):
        await group.start()


@pytest.mark.asyncio
async def test_closing_settles_what_waits(meter):
    _, key = meter.key()
    group, gate = await gated(meter)
    tasks = [asyncio.create_task(group.settle(charge(key, f"{number}"))) for number in range(5)]
    await asyncio.sleep(0)
    gate.open.set()
    await group.close()
    assert all(isinstance(outcome, Settled) for outcome in await asyncio.gather(*tasks))
    with pytest.raises(StoreUnavailableError, match="not running"):
        await group.settle(charge(key, "late"))


class RunningClock:
    """Starts five seconds before December and goes on a tenth of a second each time it is asked."""

    def __init__(self):
        self.lock = threading.Lock()
        self.instant = int(datetime(2026, 11, 30, 23, 59, 55, tzinfo=UTC).timestamp()) * SECOND

    def now(self):
        with self.lock:
            self.instant += SECOND // 10
            return self.instant


@pytest.mark.asyncio
async def test_the_month_turns_once_under_load(meter):
    account, key = meter.key(tier="bulk")
    clock = RunningClock()
    groups = [GroupCommit(store_opener(meter.url, clock=clock), max_batch=3) for _ in range(2)]
    await asyncio.gather(*(group.start() for group in groups))
    work = [group.settle(charge(key, f"{number}")) for number in range(140) for group in groups]
    outcomes = await asyncio.gather(*work)
    await asyncio.gather(*(group.close() for group in groups))
    assert {type(outcome) for outcome in outcomes} == {Settled}
    entries = meter.accounts.ledger(account, limit=1000)[::-1]
    kinds = [entry.kind for entry in entries if entry.kind != "charge"]
    assert kinds == ["allotment", "purchase", "expiry", "allotment"]
    turn = next(number for number, entry in enumerate(entries) if entry.kind == "expiry")
    november = sum(entry.kind == "charge" for entry in entries[:turn])
    assert 0 < november < 280
    assert entries[turn].allotment == november - 1000
    assert entries[-1].balance_after == 1000 - (280 - november) + 15_000
    assert not meter.credits.check_ledger()

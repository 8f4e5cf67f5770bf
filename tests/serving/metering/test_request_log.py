"""The log of requests: written apart from the calls, bounded, read by its holder alone, and removed in time."""

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from serving.accounts import request_history
from serving.accounts.request_history import NEWEST, Place, RequestHistory, Wanted
from serving.metering import request_log, schema
from serving.metering.records import Charge, Settled
from serving.metering.request_log import RequestLog

DAYS = 30
DAY_SECONDS = 86_400


def written(meter, *noted, days: int = DAYS) -> None:
    """Note requests in a process that then ends."""

    async def run() -> None:
        log = RequestLog(meter.database, days=days, clock=meter.clock)
        log.start()
        for request in noted:
            log.note(**request)
        await log.close()

    asyncio.run(run())


def charged(meter, key_hash: str, request_id: str = "r") -> Settled:
    """A call that is charged."""
    (settled,) = meter.store.settle([Charge(key_hash, 1, "search", request_id, "2026.11.2-1")])
    assert isinstance(settled, Settled)
    return settled


def request(account: int, key: int, status: int = 304, **more) -> dict[str, Any]:
    fields = {"endpoint": "node", "snapshot": "2026.11.1-1", "request_id": "r"}
    return {"account_id": account, "key_id": key, "status": status} | fields | more


def read(
    meter,
    account: int,
    wanted: Wanted | None = None,
    *,
    days: int = DAYS,
    limit: int = 50,
    before: Place = NEWEST,
):
    history = RequestHistory(meter.database, days=days)
    return history.page(account, wanted or Wanted(), before=before, limit=limit)


def rows(meter) -> int:
    with meter.database.reading() as connection:
        query = sa.select(sa.func.count()).select_from(schema.requests)
        return int(connection.execute(query).scalar_one())


def test_charged_and_free_requests_are_read_together_newest_first(meter):
    (mine, key), (other, _) = meter.key(), meter.key()
    noted = [
        request(other, 4),
        request(mine, 3, 404, snapshot=None, request_id="third"),
    ]
    settled = charged(meter, key, "first")
    meter.clock.pass_(1)
    written(meter, request(mine, 3, request_id="second"))
    meter.clock.pass_(1)
    written(meter, *noted)
    meter.clock.pass_(1)
    charged(meter, key, "fourth")
    found = read(meter, mine)
    assert found.older is None
    told = [(one.request_id, one.status, one.cost, one.snapshot, one.endpoint) for one in found.requests]
    assert told == [
        ("fourth", 200, 1, "2026.11.2-1", "search"),
        ("third", 404, 0, None, "node"),
        ("second", 304, 0, "2026.11.1-1", "node"),
        ("first", 200, 1, "2026.11.2-1", "search"),
    ]
    assert {one.key_id for one in found.requests} == {3, settled.key_id}


def test_a_charge_that_was_given_back_is_no_charged_request(meter):
    account, key = meter.key()
    settled = charged(meter, key)
    assert len(read(meter, account).requests) == 1
    meter.refund(settled.receipt)
    assert read(meter, account).requests == []


def test_requests_are_chosen_by_key_and_status(meter):
    account, _ = meter.key()
    written(meter, *(request(account, key, status) for key in (1, 2) for status in (304, 404, 422, 503)))

    def chosen(**wanted) -> list[tuple[int, int]]:
        return [(one.key_id, one.status) for one in read(meter, account, Wanted(**wanted)).requests]

    assert chosen(key_id=2, statuses=(404, 404)) == [(2, 404)]
    assert chosen(statuses=(400, 499)) == [(2, 422), (2, 404), (1, 422), (1, 404)]
    assert len(chosen(key_id=1)) == 4
    assert chosen(key_id=3) == []


def test_pages_follow_each_other_without_a_gap(meter, monkeypatch):
    monkeypatch.setattr(request_history, "LOOKED_THROUGH", 10)
    account, key = meter.key()
    for number in range(45):
        meter.clock.pass_(1)
        if number % 4 == 1:
            charged(meter, key, str(number))
        else:
            written(meter, request(account, 1, 304 if number % 9 else 500, request_id=str(number)))
    failed = [number for number in range(0, 45, 9) if number % 4 != 1]
    paid = range(1, 45, 4)
    for wanted, expected in (
        (Wanted(), range(45)),
        (Wanted(statuses=(500, 500)), failed),
        (Wanted(statuses=(200, 200)), paid),
        (Wanted(key_id=99), []),
    ):
        for limit in (1, 4, 100):
            seen, before = [], NEWEST
            while True:
                page = read(meter, account, wanted, limit=limit, before=before)
                seen += [int(one.request_id) for one in page.requests]
                if page.older is None:
                    break
                assert page.older < before
                before = page.older
            assert sorted(seen, reverse=True) == list(expected)[::-1]
            assert limit > 10 or seen == list(expected)[::-1]


def test_refusals_that_no_limit_counts_make_one_row(meter):
    account, _ = meter.key()
    noted = [request(account, 1, 429, request_id=str(n)) for n in range(1_000)]
    written(meter, *noted, request(account, 1, 401), request(account, 2, 429))
    assert [(one.key_id, one.status, one.times) for one in read(meter, account).requests] == [
        (2, 429, 1),
        (1, 401, 1),
        (1, 429, 1_000),
    ]


def test_no_more_wait_than_may(meter, monkeypatch):
    monkeypatch.setattr(request_log, "MAX_WAITING", 7)
    account, _ = meter.key()
    written(meter, *(request(account, 1, request_id=str(n)) for n in range(20)))
    assert [one.request_id for one in read(meter, account).requests] == ["6", "5", "4", "3", "2", "1", "0"]


def test_old_requests_are_neither_shown_nor_kept(meter):
    account, _ = meter.key()
    written(meter, *(request(account, 1, request_id="old") for _ in range(1_200)))
    meter.clock.pass_(DAYS * DAY_SECONDS - 1)
    written(meter, request(account, 1, request_id="new"))
    assert len(read(meter, account, limit=2_000).requests) == 1_201
    meter.clock.pass_(2)
    assert [one.request_id for one in read(meter, account).requests] == ["new"]
    for _ in range(3):
        written(meter)  # nothing is noted, and old ones go all the same
    assert rows(meter) == 1


def test_an_operator_may_keep_none(meter):
    account, key = meter.key()
    written(meter, request(account, 1))
    charged(meter, key)
    meter.clock.pass_(1)
    assert read(meter, account, days=0).requests == []
    written(meter, request(account, 1), days=0)
    assert rows(meter) == 0


def test_a_store_that_fails_loses_requests_and_nothing_else(meter, caplog):
    account, _ = meter.key()
    with meter.database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE requests RENAME TO elsewhere"))
    written(meter, request(account, 1))
    assert "requests_not_logged" in caplog.text
    with meter.database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE elsewhere RENAME TO requests"))
    written(meter, request(account, 1))
    assert rows(meter) == 1


@pytest.mark.parametrize("noted", [0, 1])
def test_closing_what_was_never_started_writes_nothing(meter, noted):
    async def run() -> None:
        log = RequestLog(meter.database, days=DAYS, clock=meter.clock)
        for _ in range(noted):
            log.note(**request(1, 1))
        await log.close()

    asyncio.run(run())
    assert rows(meter) == 0

"""Sessions from their start to their end, on both engines."""

import sqlalchemy as sa

from serving.accounts.sessions import LIFETIME, Session, Sessions
from serving.metering import schema


def stored(meter) -> int:
    with meter.database.reading() as connection:
        count: int = connection.execute(sa.select(sa.func.count()).select_from(schema.sessions)).scalar_one()
    return count


def test_a_session_is_found_by_its_token_for_fourteen_days(meter):
    sessions = Sessions(meter.database)
    account = meter.accounts.create().account_id
    started = sessions.start(account)
    now = meter.clock.instant
    assert started.expires_at == now + LIFETIME
    assert sessions.find(started.token) == Session(account, now, started.expires_at)
    meter.clock.pass_(14 * 24 * 3600 - 0.000001)
    assert sessions.find(started.token) is not None
    meter.clock.pass_(0.000001)
    assert sessions.find(started.token) is None


def test_no_other_token_finds_a_session(meter):
    sessions = Sessions(meter.database)
    started = sessions.start(meter.accounts.create().account_id)
    with meter.database.reading() as connection:
        held = connection.execute(sa.select(schema.sessions.c.session_hash)).scalar_one()
    for wrong in ("", started.token[:-1], started.token + "x", held, "%", "é"):
        assert sessions.find(wrong) is None


def test_a_session_that_was_ended_is_gone_and_the_others_stay(meter):
    sessions = Sessions(meter.database)
    account, other = (meter.accounts.create().account_id for _ in range(2))
    laptop, phone, stranger = sessions.start(account), sessions.start(account), sessions.start(other)
    sessions.end(laptop.token)
    sessions.end(laptop.token)
    sessions.end("unknown")
    assert sessions.find(laptop.token) is None
    assert sessions.find(phone.token) is not None
    sessions.end_all(account)
    assert sessions.find(phone.token) is None
    kept = sessions.find(stranger.token)
    assert kept is not None
    assert kept.account_id == other


def test_the_token_is_shown_nowhere_but_where_it_is_asked_for(meter):
    started = Sessions(meter.database).start(meter.accounts.create().account_id)
    assert started.token not in f"{started!r} {started}"
    with meter.database.reading() as connection:
        assert started.token not in str(connection.exec_driver_sql("SELECT * FROM sessions").all())


def test_sessions_that_expired_do_not_pile_up(meter):
    sessions = Sessions(meter.database)
    account = meter.accounts.create().account_id
    for _ in range(5):
        sessions.start(account)
        meter.clock.pass_(1)
    meter.clock.pass_(14 * 24 * 3600 - 3)
    kept = sessions.start(account)
    assert stored(meter) == 3
    meter.clock.pass_(3)
    assert sessions.find(kept.token) is not None
    sessions.start(account)
    assert stored(meter) == 2

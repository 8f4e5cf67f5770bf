"""Deliveries: signed, tried again for days, and one event under one id whatever happens in between."""

import json
from datetime import datetime

import pytest
import standardwebhooks.webhooks as library
from standardwebhooks import Webhook

from serving.contract.errors import NotFoundError, ValidationError
from serving.metering.clock import DAY, HOUR, SECOND
from serving.services.snapshots import SnapshotHolder
from serving.watches.deliveries import DELAYS, UNDER_WAY, Delivered, Deliveries
from serving.watches.matching import Matcher
from serving.watches.subjects import NODE, Subject
from serving.watches.watches import MOST, OVERLAP
from tests.serving.watches.test_matching import DUES, FIRST
from tests.serving.watches.test_matching import SECOND as SECOND_SNAPSHOT

SUBJECT = Subject(NODE, DUES)


@pytest.fixture
def made(watches, account, receiver):
    return watches.create(account, SUBJECT, f"{receiver.url}/hook", seen=FIRST)


@pytest.fixture
def matched(made, meter, changed_folder):
    """A watch with two events that are due."""
    holder = SnapshotHolder(changed_folder)
    assert Matcher(meter.database, holder, public_url="https://law.example").match() == 2
    holder.close()
    return made


@pytest.fixture
def deliver(meter):
    return Deliveries(meter.database, local=True, spread=lambda: 1.0).deliver


def verified(secret, received, monkeypatch, clock):
    """The body of a delivery, verified by the reference library at the instant of the test's clock."""

    class Now(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(clock.instant / SECOND, tz)

    monkeypatch.setattr(library, "datetime", Now)
    return Webhook(secret).verify(received.body, received.headers)


def test_events_arrive_signed_and_once(matched, receiver, deliver, meter, monkeypatch):
    assert deliver() == Delivered(2, 0)
    assert deliver() == Delivered(0, 0)
    assert len(set(receiver.ids)) == 2
    bodies = [verified(matched.secret, one, monkeypatch, meter.clock) for one in receiver.received]
    assert {body["data"]["to"]["id"] for body in bodies} == {SECOND_SNAPSHOT, "2026.11.22-1"}
    assert {body["type"] for body in bodies} == {"law.changed"}
    assert {one.headers["content-type"] for one in receiver.received} == {"application/json"}


def test_a_receiver_that_fails_is_tried_for_days_under_the_same_ids(
    matched, receiver, deliver, meter, watches
):
    receiver.answers = [500]
    assert deliver() == Delivered(0, 2)
    for delay in DELAYS:
        meter.clock.pass_(delay / SECOND)
        assert deliver() == Delivered(0, 0), "up to a fifth is added"
        meter.clock.pass_(delay * 0.2 / SECOND)
        assert deliver() == Delivered(0, 2)
    meter.clock.pass_(365 * DAY / SECOND)
    assert deliver() == Delivered(0, 0)
    assert sum(DELAYS) > 3 * DAY
    assert {receiver.ids.count(one) for one in receiver.ids} == {len(DELAYS) + 1}
    _, events = watches.get(matched.watch.watch_id)
    assert {(event.outcome, event.next_at, event.delivered_at) for event in events} == {
        ("answered 500", None, None)
    }


def test_a_receiver_that_comes_back_gets_what_it_missed(matched, receiver, deliver, meter):
    receiver.answers = [503, 302, 200]
    assert deliver() == Delivered(0, 2)
    meter.clock.pass_(HOUR / SECOND)
    assert deliver() == Delivered(2, 0)
    assert sorted(receiver.ids) == sorted(receiver.ids[:2] * 2)


def test_an_attempt_whose_process_died_is_made_again_under_its_id(matched, receiver, meter):
    deliveries = Deliveries(meter.database, local=True)
    lost = deliveries._begin()
    assert lost is not None
    assert deliveries.deliver() == Delivered(1, 0), "the other one; nobody takes what is under way"
    meter.clock.pass_(UNDER_WAY / SECOND)
    assert deliveries.deliver() == Delivered(1, 0)
    assert receiver.ids[1] == lost.event_id
    assert len(set(receiver.ids)) == 2


def test_an_account_whose_receivers_hang_keeps_no_other_waiting_for_all_of_its_events(
    watches, account, meter, receiver
):
    for _ in range(3):
        mine = watches.create(account, SUBJECT, f"{receiver.url}/hangs", seen=FIRST)
        watches.test(mine.watch.watch_id)
    meter.clock.pass_(1)
    other = meter.accounts.create().account_id
    theirs = watches.create(other, SUBJECT, f"{receiver.url}/hook", seen=FIRST).watch.watch_id
    watches.test(theirs)
    deliveries = Deliveries(meter.database, local=True)
    begun = [deliveries._begin() for _ in range(4)]
    assert [attempt and attempt.watch_id == theirs for attempt in begun] == [False, True, False, False]
    assert deliveries._begin() is None


def test_a_pass_ends_so_that_changes_are_matched_though_more_is_due(matched, receiver, meter):
    assert Deliveries(meter.database, local=True, seconds=0.0).deliver() == Delivered(0, 0)
    assert receiver.received == []
    assert Deliveries(meter.database, local=True).deliver() == Delivered(2, 0)


def test_a_receiver_that_is_gone_is_left_alone_until_its_owner_renews(
    matched, receiver, deliver, meter, watches
):
    receiver.answers = [410]
    deliver()
    meter.clock.pass_(30 * DAY / SECOND)
    assert deliver() == Delivered(0, 0)
    watch, _ = watches.get(matched.watch.watch_id)
    assert watch.refused_at is not None
    receiver.answers = [200]
    watches.renew(matched.watch.watch_id)
    assert watches.replay(matched.watch.watch_id, back=31 * DAY) == 2
    assert deliver() == Delivered(2, 0)


def test_a_replay_sends_the_same_ids_again(matched, receiver, deliver, watches, meter):
    deliver()
    meter.clock.pass_(HOUR / SECOND)
    assert watches.replay(matched.watch.watch_id, back=HOUR // 2) == 0
    assert watches.replay(matched.watch.watch_id, back=DAY) == 2
    assert deliver() == Delivered(2, 0)
    assert sorted(receiver.ids[:2]) == sorted(receiver.ids[2:])


def test_a_renewed_secret_signs_at_once_and_the_one_before_for_a_day(
    made, receiver, deliver, watches, meter, monkeypatch
):
    new = watches.renew(made.watch.watch_id)
    assert new.secret != made.secret
    for secrets in ((new.secret, made.secret), (new.secret,)):
        watches.test(made.watch.watch_id)
        assert deliver() == Delivered(1, 0)
        last = receiver.received[-1]
        assert len(last.headers["webhook-signature"].split()) == len(secrets)
        for secret in secrets:
            assert verified(secret, last, monkeypatch, meter.clock)["type"] == "watch.test"
        meter.clock.pass_((OVERLAP + SECOND) / SECOND)


def test_addresses_of_this_machine_are_refused_where_the_operator_does_not_say_so(
    matched, receiver, meter, watches
):
    assert Deliveries(meter.database).deliver() == Delivered(0, 2)
    assert receiver.received == []
    _, events = watches.get(matched.watch.watch_id)
    assert {event.outcome for event in events} == {"Field `url` must be an https address."}


def test_watches_are_their_accounts_and_bounded(watches, account, meter):
    mine = watches.create(account, SUBJECT, None, seen=FIRST)
    other = meter.accounts.create().account_id
    for call in (watches.get, watches.remove, watches.renew, watches.test):
        with pytest.raises(NotFoundError):
            call(mine.watch.watch_id, account_id=other)
    with pytest.raises(ValidationError, match="feed alone"):
        watches.test(mine.watch.watch_id, account_id=account)
    for _ in range(MOST - 1):
        watches.create(account, SUBJECT, None, seen=FIRST)
    with pytest.raises(ValidationError, match="at most"):
        watches.create(account, SUBJECT, None, seen=FIRST)
    assert watches.create(other, SUBJECT, None, seen=FIRST)
    assert len(watches.list(account)) == MOST
    watches.remove(mine.watch.watch_id, account_id=account)
    with pytest.raises(NotFoundError):
        watches.of_feed(mine.feed_token)


def test_a_removed_watch_takes_its_events_with_it(matched, receiver, deliver, watches):
    watch, events = watches.of_feed(matched.feed_token)
    assert (watch.subject, len(events)) == (SUBJECT, 2)
    assert json.loads(events[0].body)["data"]["watchId"] == watch.watch_id
    assert matched.secret not in repr(matched)
    watches.remove(watch.watch_id)
    assert deliver() == Delivered(0, 0)
    assert receiver.received == []

"""Limits on attempts: sliding, exact between threads, counted in all buckets or in none; on both engines."""

import threading
from collections import Counter

import pytest
import sqlalchemy as sa

from serving.accounts.attempts import Limit, Throttle
from serving.accounts.expiry import sweep
from serving.contract.errors import TooManyAttemptsError
from serving.metering import schema
from serving.metering.clock import MINUTE

LIMIT = Limit("tries", 3, MINUTE)
WIDER = Limit("wider", 5, 2 * MINUTE)


def attempt(meter, *buckets) -> list[str]:
    with meter.database.writing() as connection:
        return list(Throttle(meter.database).take(connection, buckets))


def stored(meter) -> int:
    with meter.database.reading() as connection:
        count: int = connection.execute(sa.select(sa.func.count()).select_from(schema.attempts)).scalar_one()
    return count


def test_a_window_slides(meter):
    bucket = LIMIT.of("ada")
    for _ in range(3):
        attempt(meter, bucket)
        meter.clock.pass_(10)
    with pytest.raises(TooManyAttemptsError) as refused:
        attempt(meter, bucket)
    assert refused.value.retry_after_seconds == 30
    meter.clock.pass_(29.999999)
    with pytest.raises(TooManyAttemptsError) as refused:
        attempt(meter, bucket)
    assert refused.value.retry_after_seconds == 1
    meter.clock.pass_(0.000001)
    attempt(meter, bucket)
    with pytest.raises(TooManyAttemptsError) as refused:
        attempt(meter, bucket)
    assert refused.value.retry_after_seconds == 10


def test_subjects_and_limits_are_apart(meter):
    for _ in range(3):
        attempt(meter, LIMIT.of("ada"))
    attempt(meter, LIMIT.of("bob"))
    attempt(meter, WIDER.of("ada"))


def test_what_one_bucket_refuses_counts_in_none(meter):
    for _ in range(3):
        attempt(meter, LIMIT.of("ada"), WIDER.of("here"))
    for _ in range(10):
        with pytest.raises(TooManyAttemptsError):
            attempt(meter, LIMIT.of("ada"), WIDER.of("here"))
    assert stored(meter) == 6
    attempt(meter, WIDER.of("here"))
    attempt(meter, WIDER.of("here"))
    with pytest.raises(TooManyAttemptsError) as refused:
        attempt(meter, LIMIT.of("ada"), WIDER.of("here"))
    assert refused.value.retry_after_seconds == 120


def test_an_attempt_can_be_uncounted(meter):
    bucket = LIMIT.of("ada")
    attempts = [attempt(meter, bucket) for _ in range(3)]
    with meter.database.writing() as connection:
        Throttle(meter.database).give_back(connection, attempts[1])
    attempt(meter, bucket)
    with pytest.raises(TooManyAttemptsError):
        attempt(meter, bucket)


def test_a_bucket_can_be_emptied(meter):
    for _ in range(3):
        attempt(meter, LIMIT.of("ada"), WIDER.of("here"))
    with meter.database.writing() as connection:
        Throttle(meter.database).empty(connection, LIMIT.of("ada"))
    assert stored(meter) == 3
    attempt(meter, LIMIT.of("ada"))


def test_what_a_subject_did_from_all_networks_is_emptied_together(meter):
    for network in ("192.0.2.1", "198.51.100.1"):
        for _ in range(3):
            attempt(meter, LIMIT.of("ada", network=network))
        with pytest.raises(TooManyAttemptsError):
            attempt(meter, LIMIT.of("ada", network=network))
    attempt(meter, LIMIT.of("bob", network="192.0.2.1"))
    attempt(meter, WIDER.of("ada"))
    with meter.database.writing() as connection:
        Throttle(meter.database).empty_all(connection, LIMIT, "ada")
    assert stored(meter) == 2
    attempt(meter, LIMIT.of("ada", network="192.0.2.1"))


def test_of_what_is_noted_the_newest_are_kept(meter):
    bucket, throttle = LIMIT.of("ada"), Throttle(meter.database)
    for number in range(5):
        with meter.database.writing() as connection:
            throttle.note(connection, bucket)
        assert stored(meter) == min(number + 1, 3)
        meter.clock.pass_(1)
    with meter.database.reading() as connection:
        assert throttle.count(connection, bucket) == 3
    meter.clock.pass_(57)
    with meter.database.reading() as connection:
        assert throttle.count(connection, bucket) == 2


def test_asking_for_room_writes_nothing(meter):
    throttle = Throttle(meter.database)
    for _ in range(3):
        with meter.database.reading() as connection:
            throttle.require_room(connection, [LIMIT.of("ada")])
        attempt(meter, LIMIT.of("ada"))
    with meter.database.reading() as connection, pytest.raises(TooManyAttemptsError):
        throttle.require_room(connection, [LIMIT.of("ada")])
    assert stored(meter) == 3


def test_of_many_at_once_exactly_the_limit_passes(meter):
    wide, narrow = Limit("wide", 20, MINUTE), Limit("narrow", 7, MINUTE)
    outcomes: Counter[str] = Counter()
    barrier = threading.Barrier(8)

    def attempts(number: int) -> None:
        # Half of them name the buckets the other way round: they must not wait for each other in a ring.
        buckets = [narrow.of(f"account {number % 2}"), wide.of("here")]
        barrier.wait()
        for _ in range(6):
            try:
                attempt(meter, *(buckets if number % 4 < 2 else reversed(buckets)))
                outcomes["passed"] += 1
            except TooManyAttemptsError:
                outcomes["refused"] += 1

    threads = [threading.Thread(target=attempts, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {"passed": 14, "refused": 34}
    assert stored(meter) == 28


def test_who_attempted_is_not_kept(meter):
    attempt(meter, LIMIT.of("grace@example.org"), WIDER.of("192.0.2.7"))
    with meter.database.reading() as connection:
        rows = str(connection.exec_driver_sql("SELECT * FROM attempts").all())
    assert "grace" not in rows
    assert "192.0" not in rows


def test_attempts_that_expired_are_removed(meter):
    for number in range(150):
        attempt(meter, LIMIT.of(f"{number}"))
    meter.clock.pass_(30)
    attempt(meter, LIMIT.of("later"))
    meter.clock.pass_(30)
    for left in (51, 1, 1):
        with meter.database.writing() as connection:
            sweep(connection, schema.attempts, now=meter.clock.instant)
        assert stored(meter) == left
    meter.clock.pass_(30)
    with meter.database.writing() as connection:
        sweep(connection, schema.attempts, now=meter.clock.instant)
    assert stored(meter) == 0


def test_a_refusal_says_when_to_come_back():
    assert TooManyAttemptsError(retry_after_seconds=1).message == "Too many attempts; try again in 1 second."
    assert "59 seconds" in TooManyAttemptsError(retry_after_seconds=59).message
    assert TooManyAttemptsError(retry_after_seconds=60).message == "Too many attempts; try again in 1 minute."
    assert "15 minutes" in TooManyAttemptsError(retry_after_seconds=841).message
    assert "24 hours" in TooManyAttemptsError(retry_after_seconds=24 * 3600).message

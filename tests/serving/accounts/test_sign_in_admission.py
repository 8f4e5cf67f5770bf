"""Whose password is looked at while strangers guess, on both engines."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from serving.accounts.customers import Customers
from serving.accounts.delays import FAILURES_OF_ACCOUNT, FREE_FAILURES, LONGEST, delay
from serving.accounts.devices import MAX_DEVICES
from serving.contract.errors import SignInRefusedError, TooManyAttemptsError
from serving.metering import schema
from serving.metering.clock import SECOND
from tests.serving.accounts.simultaneous import at_once

EMAIL, PASSWORD, OTHER = "ada@example.org", "seven stones in a river", "nine herons by the water"
HERE, THERE = "192.0.2.1", "198.51.100.1"


@pytest.fixture
def customers(meter) -> Customers:
    return Customers(meter.database)


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch):
    """Argon2 is not what these tests are about, and they fail hundreds of times."""
    monkeypatch.setattr("serving.accounts.customers.hash_password", lambda text: text)
    monkeypatch.setattr("serving.accounts.customers.verify", lambda stored, text: stored == text)
    monkeypatch.setattr("serving.accounts.customers.needs_rehash", lambda stored: False)


def guess(customers, *, address: str, email: str = EMAIL, devices=()) -> int | None:
    """Guess a wrong password: the seconds to wait where it is not looked at, else None."""
    try:
        customers.sign_in(email, "not the password", address=address, devices=devices)
    except SignInRefusedError:
        return None
    except TooManyAttemptsError as refused:
        return refused.retry_after_seconds
    raise AssertionError("the guess was right")


def attack(meter, customers, failures: int) -> None:
    """Fail from networks all over the world, each waiting its turn."""
    for number in range(failures):
        address = f"2001:{number:x}::1"
        wait = guess(customers, address=address)
        if wait is not None:
            meter.clock.pass_(wait)
            assert guess(customers, address=address) is None


def stored(meter, table: sa.Table) -> int:
    with meter.database.reading() as connection:
        count: int = connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
    return count


def test_the_delay_grows_with_the_failures_and_ends_somewhere():
    assert [delay(failures) // SECOND for failures in (0, 19, 20, 21, 40, 198, 199, 10**6)] == [
        *(0, 0, 5, 10, 105, 895, 900, 900)
    ]


def test_failures_from_everywhere_slow_newcomers_and_shut_nobody_out(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    attack(meter, customers, FREE_FAILURES + 3)
    with pytest.raises(TooManyAttemptsError) as told:
        customers.sign_in(EMAIL, PASSWORD, address=HERE)
    wait = told.value.retry_after_seconds
    assert 5 <= wait <= 20
    # Others go on guessing; the owner's turn comes when it was said, and not before.
    meter.clock.pass_(wait - 1)
    for number in range(50):
        assert guess(customers, address=f"2002:{number:x}::1") is not None
    with pytest.raises(TooManyAttemptsError) as told:
        customers.sign_in(EMAIL, PASSWORD, address=HERE)
    assert told.value.retry_after_seconds == 1
    meter.clock.pass_(1)
    assert customers.sign_in(EMAIL, PASSWORD, address=HERE).account == account


def test_one_place_is_good_for_one_attempt(meter, customers):
    attack(meter, customers, FREE_FAILURES)
    wait = guess(customers, address=HERE)
    meter.clock.pass_(wait)
    assert guess(customers, address=HERE) is None
    longer = guess(customers, address=HERE)
    assert wait is not None
    assert longer is not None
    assert longer >= wait
    meter.clock.pass_(4000)
    assert guess(customers, address=HERE) is None


def test_of_many_at_once_with_one_place_one_is_looked_at(meter, customers):
    attack(meter, customers, FREE_FAILURES)
    meter.clock.pass_(guess(customers, address=HERE))
    outcomes = at_once(8, lambda number: customers.sign_in(EMAIL, f"guess {number}", address=HERE))
    assert outcomes == {"sign_in_refused": 1, "too_many_attempts": 7}


def test_of_many_networks_at_once_as_many_are_looked_at_as_may_be(meter, customers):
    outcomes = at_once(
        24, lambda number: customers.sign_in(EMAIL, f"guess {number}", address=f"2001:{number:x}::1")
    )
    assert outcomes == {"sign_in_refused": FREE_FAILURES, "too_many_attempts": 24 - FREE_FAILURES}


def test_an_address_without_an_account_is_delayed_alike(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    waits: list[list[int | None]] = []
    for email in (EMAIL, "nobody@example.org"):
        waits.append(
            [
                guess(customers, email=email, address=f"2001:{number:x}:{len(waits)}::1")
                for number in range(FREE_FAILURES + 3)
            ]
        )
    assert waits[0] == waits[1] == [None] * FREE_FAILURES + [5, 5, 5]


def test_an_hour_after_the_attack_nobody_waits(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    attack(meter, customers, FREE_FAILURES + 5)
    meter.clock.pass_(3600)
    assert customers.sign_in(EMAIL, PASSWORD, address=THERE).account == account


def test_a_browser_that_signed_in_before_never_waits_for_strangers(meter, customers):
    entered = customers.sign_up(EMAIL, PASSWORD, address=HERE)
    known = [entered.device.token]
    attack(meter, customers, FREE_FAILURES + 3)
    for _ in range(10):
        guess(customers, address=HERE)
    for number in range(40):
        guess(customers, address=HERE, email=f"person{number}@example.org")
    again = customers.sign_in(EMAIL, PASSWORD, address=HERE, devices=known)
    assert again.account == entered.account
    assert again.device.token == entered.device.token
    with pytest.raises(TooManyAttemptsError):
        customers.sign_in(EMAIL, PASSWORD, address=HERE)


def test_a_browser_that_signed_in_before_has_a_count_of_its_own(meter, customers):
    entered = customers.sign_up(EMAIL, PASSWORD, address=HERE)
    known = [entered.device.token]
    answers = [guess(customers, address=f"2001:{number:x}::1", devices=known) for number in range(12)]
    assert answers == [None] * 10 + [15 * 60] * 2
    # It is in nobody else's way, and opens no other account.
    assert customers.sign_in(EMAIL, PASSWORD, address=THERE).account == entered.account
    assert guess(customers, address=THERE, email="bob@example.org", devices=known) is None
    for _ in range(9):
        guess(customers, address=THERE, email="bob@example.org", devices=known)
    assert guess(customers, address=THERE, email="bob@example.org", devices=known) == 15 * 60


def test_a_browser_is_known_for_half_a_year_from_its_last_visit(meter, customers):
    known = [customers.sign_up(EMAIL, PASSWORD, address=HERE).device.token]
    for _ in range(3):
        meter.clock.pass_(179 * 24 * 3600)
        assert [customers.sign_in(EMAIL, PASSWORD, address=HERE, devices=known).device.token] == known
    meter.clock.pass_(180 * 24 * 3600)
    assert [customers.sign_in(EMAIL, PASSWORD, address=HERE, devices=known).device.token] != known
    assert stored(meter, schema.devices) == 1, "what expired is removed"


def test_browsers_of_an_account_are_bounded(meter, customers):
    known = [customers.sign_up(EMAIL, PASSWORD, address=HERE).device.token]
    for _ in range(MAX_DEVICES):
        meter.clock.pass_(1)
        known.append(customers.sign_in(EMAIL, PASSWORD, address=HERE).device.token)
    assert stored(meter, schema.devices) == MAX_DEVICES
    oldest, kept = known[0], known[-1]
    assert customers.sign_in(EMAIL, PASSWORD, address=HERE, devices=[kept]).device.token == kept
    assert customers.sign_in(EMAIL, PASSWORD, address=HERE, devices=[oldest]).device.token != oldest


def test_a_network_tries_few_accounts(meter, customers):
    answers = [guess(customers, address=HERE, email=f"person{number}@example.org") for number in range(32)]
    assert answers == [None] * 30 + [15 * 60] * 2
    assert guess(customers, address=THERE, email="person40@example.org") is None


@pytest.mark.parametrize("address", ["198.51.100.{}", "2001:db8:7:{}::1"])
def test_networks_side_by_side_try_few_accounts_together(meter, customers, address):
    answers = [
        guess(customers, address=address.format(number % 20), email=f"person{number}@example.org")
        for number in range(102)
    ]
    assert answers == [None] * 100 + [15 * 60] * 2
    assert guess(customers, address="198.51.101.1") is None
    assert guess(customers, address="2001:db8:8::1") is None


def test_what_is_counted_is_bounded_and_removed(meter, customers):
    for number in range(250):
        address = f"2001:{number:x}::1"
        wait = guess(customers, address=address)
        if wait:
            meter.clock.pass_(1)
    most = stored(meter, schema.attempts)
    assert most < 400
    meter.clock.pass_(2 * 3600)
    for number in range(4):
        guess(customers, address=HERE, email=f"person{number}@example.org")
    assert stored(meter, schema.attempts) == 16


def test_a_link_that_is_mailed_lets_one_browser_sign_in(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    for _ in range(10):
        guess(customers, address=THERE)
    link = customers.begin_unlock(EMAIL.upper(), address=THERE)
    assert link.email == EMAIL
    device = customers.finish_unlock(link.token)
    found = customers.sign_in(EMAIL, PASSWORD, address=THERE, devices=[device.token]).account
    assert replace(found, verified_at=None) == account
    assert found.verified_at is not None
    with pytest.raises(SignInRefusedError, match="link"):
        customers.finish_unlock(link.token)
    with pytest.raises(TooManyAttemptsError):
        customers.sign_in(EMAIL, PASSWORD, address=THERE)
    assert customers.begin_unlock("nobody@example.org", address=THERE) is None


def test_one_link_used_many_times_at_once_lets_one_browser_in(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    link = customers.begin_unlock(EMAIL, address=HERE)
    outcomes = at_once(8, lambda number: customers.finish_unlock(link.token))
    assert outcomes == {"KnownDevice": 1, "sign_in_refused": 7}
    assert stored(meter, schema.devices) == 2


def test_a_link_ends_after_an_hour_and_with_another_one(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    first, second = (customers.begin_unlock(EMAIL, address=HERE) for _ in range(2))
    with pytest.raises(SignInRefusedError):
        customers.finish_unlock(first.token)
    meter.clock.pass_(3600)
    with pytest.raises(SignInRefusedError):
        customers.finish_unlock(second.token)
    for _ in range(3):
        customers.begin_unlock("nobody@example.org", address=THERE)
    with pytest.raises(TooManyAttemptsError):
        customers.begin_unlock("nobody@example.org", address=HERE)


def test_who_set_a_password_by_mail_signs_in_from_a_closed_network(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    for number in range(30):
        guess(customers, address=THERE, email=f"person{number}@example.org")
    device = customers.finish_reset(customers.begin_reset(EMAIL, address=THERE).token, OTHER)
    found = customers.sign_in(EMAIL, OTHER, address=THERE, devices=[device.token]).account
    assert replace(found, verified_at=None) == account
    assert found.verified_at is not None


def test_the_longest_delay_is_reached_and_not_passed(meter, customers):
    with meter.database.writing() as connection:
        for number in range(300):
            connection.execute(
                sa.insert(schema.attempts).values(_failure(number, meter.clock.instant + 3600 * SECOND))
            )
    assert guess(customers, address=HERE) == LONGEST // SECOND


def _failure(number: int, expires_at: int) -> dict[str, object]:
    bucket = FAILURES_OF_ACCOUNT.of(EMAIL)
    return {
        "attempt_id": f"{number}",
        "limit_name": bucket.limit_name,
        "subject_hash": bucket.subject_hash,
        "expires_at": expires_at,
    }

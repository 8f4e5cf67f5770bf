"""Customers who sign up, sign in and forget their passwords, on both engines."""

import threading
import time
from collections import Counter
from dataclasses import replace

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from serving.accounts.customers import Customers
from serving.accounts.sessions import Sessions, end_sessions
from serving.contract.errors import (
    LawError,
    NotFoundError,
    SessionEndedError,
    SignInRefusedError,
    TooManyAttemptsError,
    ValidationError,
)
from serving.metering import schema
from serving.metering.database import sqlite_path
from tests.serving.accounts.simultaneous import at_once, of_processes

EMAIL, PASSWORD, OTHER = "ada@example.org", "seven stones in a river", "nine herons by the water"
HERE, THERE = "192.0.2.1", "198.51.100.1"


@pytest.fixture
def customers(meter) -> Customers:
    return Customers(meter.database)


def password_hash(meter) -> str:
    with meter.database.reading() as connection:
        stored: str = connection.execute(sa.select(schema.accounts.c.password_hash)).scalar_one()
    return stored


def attempts_stored(meter) -> int:
    with meter.database.reading() as connection:
        count: int = connection.execute(sa.select(sa.func.count()).select_from(schema.attempts)).scalar_one()
    return count


def fail(customers, *, email: str = EMAIL, address: str = HERE, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(SignInRefusedError):
            customers.sign_in(email, "not the password", address=address)


def test_who_signed_up_can_sign_in(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    assert (account.email, account.tier, account.allotment) == (EMAIL, "free", 1000)
    assert customers.sign_in(EMAIL, PASSWORD, address=THERE).account == account
    assert not meter.credits.check_ledger()


@pytest.mark.parametrize("typed", ["ada@example.org", "  ADA@Example.ORG\n"])
def test_an_address_is_the_same_however_it_is_typed(customers, typed):
    account = customers.sign_up(" Ada@EXAMPLE.org ", PASSWORD, address=HERE).account
    assert account.email == EMAIL
    assert customers.sign_in(typed, PASSWORD, address=HERE).account == account
    assert customers.begin_reset(typed, address=HERE).email == EMAIL
    assert customers.set_password(typed, OTHER) == account
    with pytest.raises(ValidationError, match="exists already") as refused:
        customers.sign_up(typed, PASSWORD, address=HERE)
    assert refused.value.parameter == "email"


@pytest.mark.parametrize("email", ["müller@bücher.example", "o'neill+law@mail.co.example", "a@b.example"])
def test_an_unusual_address_is_an_address(customers, email):
    assert customers.sign_up(email, PASSWORD, address=HERE).account.email == email


@pytest.mark.parametrize(
    "email",
    [
        "",
        "ada",
        "@example.org",
        "ada@",
        "ada@example",
        "ada@@example.org",
        "a b@example.org",
        ".ada@example.org",
        "ada@-example.org",
        "ada@example..org",
        "ada@example.org\nbcc: all@example.org",
        "ada\0@example.org",
        "\ud800@example.org",
        "a" * 65 + "@example.org",
        "ada@" + "example." * 40 + "org",
    ],
)
def test_what_is_no_address_is_refused_everywhere(meter, customers, email):
    for call in (
        lambda: customers.sign_up(email, PASSWORD, address=HERE),
        lambda: customers.sign_in(email, PASSWORD, address=HERE),
        lambda: customers.begin_reset(email, address=HERE),
        lambda: meter.accounts.create(email=email),
    ):
        with pytest.raises(ValidationError) as refused:
            call()
        assert refused.value.parameter == "email"


def test_a_wrong_password_and_an_unknown_address_are_answered_alike(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    meter.accounts.create(email="made.by.operator@example.org")
    refusals = []
    for number, email in enumerate((EMAIL, "nobody@example.org", "made.by.operator@example.org")):
        said = []
        for attempt in range(22):
            try:
                customers.sign_in(email, OTHER, address=f"2001:db8:{number}{attempt:02}::1")
            except LawError as refused:
                said.append((refused.code, refused.message))
        refusals.append(said)
    assert refusals[0] == refusals[1] == refusals[2]
    assert [code for code, _ in refusals[0]] == ["sign_in_refused"] * 20 + ["too_many_attempts"] * 2


def test_after_ten_failures_a_network_is_not_listened_to_and_others_are(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    fail(customers, times=10)
    with pytest.raises(TooManyAttemptsError) as refused:
        customers.sign_in(EMAIL.upper(), PASSWORD, address=HERE)
    assert refused.value.retry_after_seconds == 15 * 60
    assert customers.sign_in(EMAIL, PASSWORD, address=THERE).account == account
    meter.clock.pass_(15 * 60)
    assert customers.sign_in(EMAIL, PASSWORD, address=HERE).account == account


def test_thirty_failures_close_a_network(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=THERE).account
    for number in range(30):
        fail(customers, email=f"ada{number}@example.org", address=f"2001:db8:1:2:{number:x}::9")
    with pytest.raises(TooManyAttemptsError):
        customers.sign_in(EMAIL, PASSWORD, address="2001:db8:1:2:ffff::1")
    assert customers.sign_in(EMAIL, PASSWORD, address="2001:db8:1:3::1").account == account


def test_an_ipv4_address_is_one_however_it_is_written(customers):
    for number in range(15):
        fail(customers, email=f"ada{number}@example.org", address="192.0.2.9")
        fail(customers, email=f"bob{number}@example.org", address="::ffff:192.0.2.9")
    with pytest.raises(TooManyAttemptsError):
        fail(customers, address="192.0.2.9")
    fail(customers, address="192.0.2.10")
    fail(customers, address="the socket of a proxy")


def test_signing_in_rightly_counts_for_nothing(customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    fail(customers, times=9)
    for _ in range(4):
        customers.sign_in(EMAIL, PASSWORD, address=HERE)
    fail(customers)
    with pytest.raises(TooManyAttemptsError):
        customers.sign_in(EMAIL, PASSWORD, address=HERE)


def test_of_many_guesses_at_once_exactly_ten_are_looked_at(customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    outcomes = at_once(16, lambda number: customers.sign_in(EMAIL, f"guess {number}", address=HERE))
    assert outcomes == {"sign_in_refused": 10, "too_many_attempts": 6}


def test_of_guesses_in_four_processes_exactly_ten_are_looked_at(live_meter):
    Customers(live_meter.database).sign_up(EMAIL, PASSWORD, address=HERE)
    outcomes = of_processes(live_meter.url, 4, "sign_in", EMAIL, "guess %", "5")
    assert outcomes == {"sign_in_refused": 10, "too_many_attempts": 10}


def test_four_processes_open_exactly_three_accounts(live_meter):
    outcomes = of_processes(live_meter.url, 4, "sign_up", "ada{}of%@example.org", PASSWORD, "2")
    assert outcomes == {"done": 3, "too_many_attempts": 5}
    assert len(live_meter.accounts.list()) == 3


def test_three_accounts_a_day_are_opened_from_a_network(meter, customers):
    for number in range(3):
        customers.sign_up(f"ada{number}@example.org", PASSWORD, address=f"2001:db8::{number + 1}")
    with pytest.raises(TooManyAttemptsError) as refused:
        customers.sign_up("ada3@example.org", PASSWORD, address="2001:db8::9")
    assert refused.value.retry_after_seconds == 24 * 3600
    customers.sign_up("bob@example.org", PASSWORD, address=HERE)
    assert len(meter.accounts.list()) == 4
    meter.clock.pass_(24 * 3600)
    customers.sign_up("ada3@example.org", PASSWORD, address="2001:db8::9")


def test_an_account_that_was_not_opened_takes_no_place(customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    for _ in range(4):
        with pytest.raises(ValidationError):
            customers.sign_up(EMAIL, PASSWORD, address=HERE)
        with pytest.raises(ValidationError):
            customers.sign_up("bob@example.org", "short", address=HERE)
    customers.sign_up("bob@example.org", PASSWORD, address=HERE)


def test_asking_which_addresses_have_accounts_comes_to_an_end(customers):
    customers.sign_up(EMAIL, PASSWORD, address=THERE)
    for _ in range(20):
        with pytest.raises(ValidationError):
            customers.sign_up(EMAIL, PASSWORD, address=HERE)
    with pytest.raises(TooManyAttemptsError):
        customers.sign_up(EMAIL, PASSWORD, address=HERE)


def test_an_address_opens_one_account_however_many_ask_at_once(meter, customers):
    outcomes = at_once(6, lambda number: customers.sign_up(EMAIL, PASSWORD, address=f"192.0.2.{number}"))
    assert outcomes == {"SignedIn": 1, "validation_error": 5}
    assert len(meter.accounts.list()) == 1


def test_a_hash_of_old_parameters_is_made_again_when_its_owner_comes(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    with meter.database.writing() as connection:
        connection.execute(sa.update(schema.accounts).values(password_hash=old))
    fail(customers)
    assert password_hash(meter) == old
    assert customers.sign_in(EMAIL, PASSWORD, address=HERE).account == account
    renewed = password_hash(meter)
    assert renewed != old
    customers.sign_in(EMAIL, PASSWORD, address=HERE)
    assert password_hash(meter) == renewed


def test_a_changed_password_ends_sessions_links_browsers_and_the_old_password(meter, customers):
    entered = customers.sign_up(EMAIL, PASSWORD, address=HERE)
    elsewhere = customers.sign_in(EMAIL, PASSWORD, address=THERE)
    links = [make(EMAIL, address=HERE) for make in (customers.begin_reset, customers.begin_unlock)]
    changed = customers.change_password(entered.session.token, PASSWORD, OTHER)
    assert changed.account == entered.account
    sessions = Sessions(meter.database)
    for ended in (entered, elsewhere):
        assert sessions.find(ended.session.token) is None
    assert sessions.find(changed.session.token) is not None
    with pytest.raises(SignInRefusedError):
        customers.finish_reset(links[0].token, PASSWORD)
    with pytest.raises(SignInRefusedError):
        customers.finish_unlock(links[1].token)
    with pytest.raises(SignInRefusedError):
        customers.sign_in(EMAIL, PASSWORD, address=HERE)
    fail(customers, times=9)
    for forgotten in (entered, elsewhere):
        with pytest.raises(TooManyAttemptsError):
            customers.sign_in(EMAIL, OTHER, address=HERE, devices=[forgotten.device.token])
    again = customers.sign_in(EMAIL, OTHER, address=HERE, devices=[changed.device.token])
    assert again.account == entered.account


def test_who_changes_a_password_has_to_know_it(meter, customers):
    entered = customers.sign_up(EMAIL, PASSWORD, address=HERE)
    session = entered.session.token
    for _ in range(5):
        with pytest.raises(SignInRefusedError, match="current password"):
            customers.change_password(session, OTHER, OTHER)
    with pytest.raises(TooManyAttemptsError) as refused:
        customers.change_password(session, PASSWORD, OTHER)
    assert refused.value.retry_after_seconds == 15 * 60
    # Another session of the account is not held up by it, and who signs in is not.
    other = customers.sign_in(EMAIL, PASSWORD, address=HERE).session.token
    with pytest.raises(ValidationError):
        customers.change_password(other, PASSWORD, "short")
    meter.clock.pass_(15 * 60)
    with pytest.raises(SessionEndedError):
        customers.change_password("no session", PASSWORD, OTHER)
    changed = customers.change_password(session, PASSWORD, OTHER)
    for ended in (session, other):
        with pytest.raises(SessionEndedError):
            customers.change_password(ended, OTHER, PASSWORD)
    customers.change_password(changed.session.token, OTHER, PASSWORD)


def test_a_session_guesses_twenty_passwords_a_day(meter, customers):
    session = customers.sign_up(EMAIL, PASSWORD, address=HERE).session.token
    looked_at = 0
    for _ in range(24 * 4):
        for _ in range(6):
            try:
                customers.change_password(session, OTHER, OTHER)
            except SignInRefusedError:
                looked_at += 1
            except TooManyAttemptsError:
                break
        meter.clock.pass_(14 * 60)
    assert looked_at == 20


def test_of_many_changes_of_a_password_at_once_one_counts(meter, customers):
    session = customers.sign_up(EMAIL, PASSWORD, address=HERE).session.token
    outcomes = at_once(5, lambda number: customers.change_password(session, PASSWORD, f"{OTHER} {number}"))
    assert outcomes == {"SignedIn": 1, "session_ended": 4}
    with meter.database.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.sessions)).scalar_one() == 1


def test_who_signs_in_while_the_password_changes_gets_no_session(meter, customers):
    """The old password was right when it was looked at, and is not when the session would begin."""
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    entering = threading.Thread(
        target=lambda: at_once(
            4, lambda number: customers.sign_in(EMAIL, PASSWORD, address=f"192.0.2.{number}")
        )
    )
    changed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(OTHER)
    entering.start()
    while not attempts_stored(meter):
        time.sleep(0.005)
    with meter.database.writing() as connection:
        connection.execute(sa.update(schema.accounts).values(password_hash=changed))
        end_sessions(connection, 1)
    entering.join()
    with meter.database.reading() as connection:
        begun = connection.execute(sa.select(sa.func.count()).select_from(schema.sessions)).scalar_one()
    assert begun == 0


def test_an_operator_sets_a_password_and_opens_what_was_closed(meter, customers):
    account = meter.accounts.create(email=EMAIL)
    session = Sessions(meter.database).start(account.account_id)
    fail(customers, times=10)
    assert customers.set_password(EMAIL, PASSWORD) == account
    assert customers.sign_in(EMAIL, PASSWORD, address=HERE).account == account
    assert Sessions(meter.database).find(session.token) is None
    with pytest.raises(NotFoundError):
        customers.set_password("nobody@example.org", PASSWORD)
    with pytest.raises(ValidationError):
        customers.set_password(EMAIL, "short")


def test_a_mailed_link_sets_the_password_once(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    session = Sessions(meter.database).start(account.account_id)
    fail(customers, times=10)
    link = customers.begin_reset(EMAIL, address=HERE)
    with pytest.raises(ValidationError):
        customers.finish_reset(link.token, "short")
    assert Sessions(meter.database).find(session.token) is not None
    assert customers.finish_reset(link.token, OTHER).account_id == account.account_id
    assert Sessions(meter.database).find(session.token) is None
    found = customers.sign_in(EMAIL, OTHER, address=HERE).account
    assert found.verified_at is not None, "who used the link reads the account's mail"
    assert replace(found, verified_at=None) == account
    with pytest.raises(SignInRefusedError, match="link"):
        customers.finish_reset(link.token, PASSWORD)
    fail(customers)


def test_a_link_is_good_for_an_hour(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    early = customers.begin_reset(EMAIL, address=HERE)
    assert early.expires_at == meter.clock.instant + 3600 * 1_000_000
    meter.clock.pass_(3600 - 0.000001)
    customers.finish_reset(early.token, OTHER)
    late = customers.begin_reset(EMAIL, address=HERE)
    meter.clock.pass_(3600)
    with pytest.raises(SignInRefusedError):
        customers.finish_reset(late.token, PASSWORD)


def test_only_the_newest_link_is_good(customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account
    first, second = (customers.begin_reset(EMAIL, address=HERE) for _ in range(2))
    for wrong in (first.token, "", second.token + "x", "unknown"):
        with pytest.raises(SignInRefusedError):
            customers.finish_reset(wrong, OTHER)
    assert customers.finish_reset(second.token, OTHER).account_id == account.account_id


def test_one_link_used_many_times_at_once_works_once(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    token = customers.begin_reset(EMAIL, address=HERE).token
    outcomes: list[Counter[str]] = []
    with meter.database.writing() as connection:
        # All have found the link good before the first can use it.
        connection.execute(sa.update(schema.accounts).values(wallet=schema.accounts.c.wallet))
        users = threading.Thread(
            target=lambda: outcomes.append(
                at_once(6, lambda number: customers.finish_reset(token, f"{OTHER} {number}"))
            )
        )
        users.start()
        time.sleep(1.5)
    users.join()
    assert outcomes == [{"KnownDevice": 1, "sign_in_refused": 5}]


def test_links_and_sessions_of_one_account_at_once_do_not_hang(meter, customers):
    account = customers.sign_up(EMAIL, PASSWORD, address=HERE).account.account_id
    sessions = Sessions(meter.database)
    for _ in range(3):
        sessions.start(account)
        customers.begin_reset(EMAIL, address=HERE)
    meter.clock.pass_(15 * 24 * 3600)
    deeds = (
        lambda: customers.set_password(EMAIL, PASSWORD),
        lambda: sessions.start(account),
        lambda: customers.begin_reset(EMAIL, address=HERE),
        lambda: customers.sign_in(EMAIL, PASSWORD, address=HERE),
        lambda: sessions.end_all(account),
    )
    outcomes = at_once(20, lambda number: deeds[number % len(deeds)]())
    assert set(outcomes) <= {
        "Account", "StartedSession", "NoneType", "MailedLink", "SignedIn", "too_many_attempts", "sign_in_refused"
    }  # fmt: skip


def test_links_are_asked_for_three_times_an_hour_whether_there_is_an_account_or_not(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    for email, given in ((EMAIL, True), ("nobody@example.org", False)):
        for _ in range(3):
            assert (customers.begin_reset(email, address=f"{THERE}") is not None) == given
        with pytest.raises(TooManyAttemptsError) as refused:
            customers.begin_reset(email, address=HERE)
        assert refused.value.retry_after_seconds == 3600
    meter.clock.pass_(3600)
    assert customers.begin_reset(EMAIL, address=HERE) is not None


def test_ten_links_an_hour_are_asked_for_from_a_network(customers):
    for number in range(10):
        customers.begin_reset(f"ada{number}@example.org", address=HERE)
    with pytest.raises(TooManyAttemptsError):
        customers.begin_reset("ada11@example.org", address=HERE)
    customers.begin_reset("ada11@example.org", address=THERE)


def test_no_secret_is_in_the_store_or_in_a_repr(meter, customers):
    customers.sign_up(EMAIL, PASSWORD, address=HERE)
    typed_in_the_wrong_field = "nine.herons.by.the.water@example.net"
    fail(customers, email=typed_in_the_wrong_field)
    link = customers.begin_reset(EMAIL, address=HERE)
    unlock = customers.begin_unlock(EMAIL, address=HERE)
    entered = customers.sign_in(EMAIL, PASSWORD, address=HERE)
    shown = f"{link!r} {link} {unlock!r} {entered!r}"
    secrets = [link.token, unlock.token, entered.session.token, entered.device.token]
    assert not any(secret in shown for secret in secrets)
    secrets += [PASSWORD, "not the password", typed_in_the_wrong_field, HERE]
    path = sqlite_path(meter.url)
    if path is None:
        with meter.database.reading() as connection:
            stored = "".join(
                str(connection.execute(sa.select(table)).all()) for table in schema.metadata.sorted_tables
            ).encode()
    else:
        stored = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert EMAIL.encode() in stored
    assert [secret for secret in secrets if secret.encode() in stored] == []

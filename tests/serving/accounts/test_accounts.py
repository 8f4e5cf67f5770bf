"""Accounts, keys, credits and orders on both engines."""

import pytest

from serving.accounts.accounts import MAX_LIVE_KEYS
from serving.accounts.orders import STAGES
from serving.contract.errors import NotFoundError, SupersededError, ValidationError
from serving.metering.clock import SECOND
from serving.metering.keys import digest
from tests.serving.accounts.simultaneous import at_once, of_processes


def test_a_new_account_has_the_free_tier_and_its_allotment(meter):
    account = meter.accounts.create(email="a@example.org")
    assert (account.tier, account.allotment, account.allotment_limit, account.wallet) == (
        "free",
        1000,
        1000,
        0,
    )
    assert account == meter.accounts.get(account.account_id)
    (entry,) = meter.accounts.ledger(account.account_id)
    assert (entry.kind, entry.allotment, entry.balance_after) == ("allotment", 1000, 1000)


def test_an_address_opens_one_account(meter):
    meter.accounts.create(email="a@example.org")
    with pytest.raises(ValidationError, match="exists already"):
        meter.accounts.create(email="a@example.org")
    meter.accounts.create()
    meter.accounts.create()
    assert [account.email for account in meter.accounts.list()] == ["a@example.org", None, None]


def test_an_unknown_account_is_named(meter):
    for call in (
        lambda: meter.accounts.get(77),
        lambda: meter.accounts.create_key(77, name="k", scopes=["node"]),
        lambda: meter.credits.grant(77, 5),
        lambda: meter.credits.purchase(77, "pro", event_id="e"),
    ):
        with pytest.raises(NotFoundError, match="77") as refused:
            call()
        assert refused.value.kind == "account"


def test_a_key_is_stored_as_its_hash(meter):
    account = meter.accounts.create().account_id
    key, minted = meter.accounts.create_key(account, name="laptop", scopes=["node", "search"])
    assert key.scopes == ("search", "node")
    assert meter.accounts.find_key(minted.digest) == key
    assert meter.accounts.find_key(digest("other")) is None
    with meter.database.reading() as connection:
        stored = connection.exec_driver_sql("SELECT * FROM keys").one()
    assert minted.text not in str(stored)


def test_a_key_shows_its_last_use(meter):
    account, key = meter.key()
    assert meter.accounts.list_keys(account)[0].last_used_at is None
    meter.charge(key, times=3)
    listed = meter.accounts.list_keys(account)[0]
    assert (listed.last_used_at, listed.passed) == (meter.clock.instant, 3)


def test_ten_keys_live_at_most(meter):
    account = meter.accounts.create().account_id
    keys = [meter.accounts.create_key(account, name=f"{n}", scopes=["node"])[0] for n in range(9)]
    meter.accounts.create_key(account, name="short", scopes=["node"], expires_at=meter.clock.instant + SECOND)
    with pytest.raises(ValidationError, match="at most 10 live keys"):
        meter.accounts.create_key(account, name="one too many", scopes=["node"])
    meter.clock.pass_(1)
    meter.accounts.create_key(account, name="after one expired", scopes=["node"])
    meter.accounts.revoke_key(account, keys[0].key_id)
    meter.accounts.create_key(account, name="after one was revoked", scopes=["node"])
    assert len(meter.accounts.list_keys(account)) == 12


def test_a_key_cannot_end_in_the_past(meter):
    account = meter.accounts.create().account_id
    with pytest.raises(ValidationError, match="past"):
        meter.accounts.create_key(account, name="k", scopes=["node"], expires_at=meter.clock.instant)


def test_only_its_account_revokes_a_key(meter):
    mine, _ = meter.key()
    other, _ = meter.key()
    (key,) = meter.accounts.list_keys(mine)
    with pytest.raises(NotFoundError):
        meter.accounts.revoke_key(other, key.key_id)
    revoked = meter.accounts.revoke_key(mine, key.key_id)
    meter.clock.pass_(9)
    assert meter.accounts.revoke_key(mine, key.key_id) == revoked


@pytest.mark.parametrize("amount", [0, -5, 10**12])
def test_an_absurd_grant_is_refused(meter, amount):
    account = meter.accounts.create().account_id
    with pytest.raises(ValidationError, match="Grant between"):
        meter.credits.grant(account, amount)


def test_a_grant_fills_the_wallet(meter):
    account = meter.accounts.create().account_id
    assert meter.credits.grant(account, 250, reference="welcome") == 1250
    entry = meter.accounts.ledger(account)[0]
    assert (entry.kind, entry.wallet, entry.request_id) == ("grant", 250, "welcome")


def test_a_purchase_is_credited_once(meter):
    account = meter.accounts.create().account_id
    first = meter.credits.purchase(account, "pro", event_id="evt_1")
    assert meter.credits.purchase(account, "pro", event_id="evt_1") == first
    assert (meter.accounts.get(account).wallet, meter.accounts.get(account).tier) == (5000, "pro")
    with pytest.raises(ValidationError, match="another purchase"):
        meter.credits.purchase(account, "bulk", event_id="evt_1")
    with pytest.raises(ValidationError, match="starter, pro, bulk"):
        meter.credits.purchase(account, "mega", event_id="evt_2")


def test_the_tier_is_the_largest_pack_ever_bought(meter):
    account = meter.accounts.create().account_id
    tiers = []
    for number, pack in enumerate(("starter", "bulk", "pro")):
        meter.credits.purchase(account, pack, event_id=f"evt_{number}")
        tiers.append(meter.accounts.get(account).tier)
    assert tiers == ["starter", "bulk", "bulk"]
    assert meter.accounts.get(account).wallet == 21_000


def test_the_ledger_is_append_only(meter):
    meter.key()
    for statement in ("UPDATE ledger SET wallet = 5", "DELETE FROM ledger"):
        with pytest.raises(Exception, match="append-only"), meter.database.writing() as connection:
            connection.exec_driver_sql(statement)


def test_the_check_finds_a_balance_without_entries(meter):
    account, _ = meter.key(wallet=5)
    meter.key()
    assert not meter.credits.check_ledger()
    with meter.database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE accounts SET wallet = 6 WHERE account_id = {account}")
    (found,) = meter.credits.check_ledger()
    assert (found.account_id, found.wallet, found.wallet_entries) == (account, 6, 5)


def open_order(meter, account):
    return meter.orders.create(account, entity_name="Ada LLC", entity_type="llc", filing_jurisdiction="dc")


def test_an_order_opens_to_its_token_only(meter):
    account = meter.accounts.create().account_id
    opened, other = open_order(meter, account), open_order(meter, account)
    assert meter.orders.find(opened.order.order_id, opened.token) == opened.order
    assert meter.orders.find(opened.order.order_id, other.token) is None
    assert meter.orders.find("00000000-0000-0000-0000-000000000000", opened.token) is None
    assert meter.orders.find("00000000-0000-0000-0000-000000000000", "no order") is None
    assert opened.token not in repr(opened)
    with meter.database.reading() as connection:
        assert opened.token not in str(connection.exec_driver_sql("SELECT * FROM orders").all())
    assert {order.order_id for order in meter.orders.list(account)} == {
        opened.order.order_id,
        other.order.order_id,
    }


def test_an_order_goes_through_its_stages_one_by_one(meter):
    account = meter.accounts.create().account_id
    order = open_order(meter, account).order
    for state in STAGES[1:]:
        for wrong in {*STAGES, "canceled", "lost"} - {state}:
            with pytest.raises(ValidationError, match="next stage"):
                meter.orders.advance(order.order_id, wrong)
        meter.clock.pass_(3600)
        order = meter.orders.advance(order.order_id, state)
        assert (order.state, order.updated_at) == (state, meter.clock.instant)
    assert [stage.state for stage in order.stages] == list(STAGES)
    assert [stage.at for stage in order.stages] == [
        meter.clock.instant - 3600 * SECOND * n for n in range(6, -1, -1)
    ]
    with pytest.raises(ValidationError, match="no further"):
        meter.orders.advance(order.order_id, "details")


def test_an_order_is_canceled_before_filing_only(meter):
    account = meter.accounts.create().account_id
    for state in STAGES:
        order_id = open_order(meter, account).order.order_id
        for later in STAGES[1 : STAGES.index(state) + 1]:
            meter.orders.advance(order_id, later)
        if STAGES.index(state) < STAGES.index("filing"):
            assert meter.orders.cancel(order_id).stages[-1].state == "canceled"
        with pytest.raises(ValidationError, match="before filing"):
            meter.orders.cancel(order_id)
    with pytest.raises(NotFoundError):
        meter.orders.cancel("nothing")


def test_a_filed_order_raises_the_allotment_for_good(meter):
    account, key = meter.key()
    meter.charge(key, cost=200)
    for _ in range(2):
        order_id = open_order(meter, account).order.order_id
        for state in STAGES[1:6]:
            meter.orders.advance(order_id, state)
    assert (meter.accounts.get(account).allotment_limit, meter.accounts.get(account).allotment) == (
        5000,
        4800,
    )
    meter.clock.pass_(40 * 86_400)
    assert meter.charge(key)[0].balance == 4999
    assert not meter.credits.check_ledger()


def test_an_unknown_entity_type_is_refused(meter):
    account = meter.accounts.create().account_id
    with pytest.raises(ValidationError, match="llc, nonprofit"):
        meter.orders.create(account, entity_name="A", entity_type="band", filing_jurisdiction="dc")


def test_an_account_is_found_by_its_address(meter):
    account = meter.accounts.create(email="a@example.org")
    meter.accounts.create()
    assert meter.accounts.find("a@example.org") == account
    assert meter.accounts.find("b@example.org") is None


@pytest.mark.parametrize("name", ["", " ", "n" * 101, "a\x07b"])
def test_a_key_has_a_name_that_can_be_read(meter, name):
    account = meter.accounts.create().account_id
    with pytest.raises(ValidationError, match="1 to 100 characters") as refused:
        meter.accounts.create_key(account, name=name, scopes=["node"])
    assert refused.value.parameter == "name"


def test_the_oldest_keys_of_a_name_are_retired(meter):
    mine, other = meter.accounts.create().account_id, meter.accounts.create().account_id
    for account in (mine, other):
        for name in ("demo", "demo", "laptop", "demo", "demo"):
            meter.accounts.create_key(account, name=name, scopes=["node"])
    assert meter.accounts.create_key(mine, name="demo", scopes=["node"], keep=2)[0].key_id == 11
    live = {
        a: [key.key_id for key in meter.accounts.list_keys(a) if key.revoked_at is None]
        for a in (mine, other)
    }
    assert live == {mine: [11, 5, 4, 3], other: [10, 9, 8, 7, 6]}
    with pytest.raises(NotFoundError):
        meter.accounts.create_key(77, name="demo", scopes=["node"], keep=2)


def test_a_key_that_follows_one_is_created_once(meter):
    account = meter.accounts.create().account_id
    first, _ = meter.accounts.create_key(account, name="first", scopes=["node"], after=0)
    for outdated in (0, first.key_id + 1):
        with pytest.raises(SupersededError):
            meter.accounts.create_key(account, name="again", scopes=["node"], after=outdated)
    meter.accounts.revoke_key(account, first.key_id)
    with pytest.raises(SupersededError):
        meter.accounts.create_key(account, name="again", scopes=["node"], after=0)
    meter.accounts.create_key(account, name="second", scopes=["node"], after=first.key_id)
    assert len(meter.accounts.list_keys(account)) == 2


def test_the_account_of_this_machine_is_opened_once_by_many_at_once(meter):
    outcomes = at_once(8, lambda number: meter.accounts.of_this_machine("demo"))
    assert outcomes == {"Account": 8}
    assert len(meter.accounts.list()) == 1


def test_of_demo_keys_made_at_once_no_more_live_than_may(meter):
    account = meter.accounts.create().account_id
    outcomes = at_once(
        8, lambda number: meter.accounts.create_key(account, name="demo", scopes=["node"], keep=2)
    )
    assert outcomes == {"tuple": 8}
    assert sum(key.revoked_at is None for key in meter.accounts.list_keys(account)) == 3


@pytest.mark.parametrize(("after", "made"), [("0", 1), ("", MAX_LIVE_KEYS)])
def test_of_eight_processes_as_many_keys_are_created_as_may_be(live_meter, after, made):
    account = live_meter.accounts.create().account_id
    outcomes = of_processes(live_meter.url, 8, "create_key", str(account), after, "2")
    assert outcomes == {"done": made, "superseded" if after else "validation_error": 16 - made}
    assert len(live_meter.accounts.list_keys(account)) == made

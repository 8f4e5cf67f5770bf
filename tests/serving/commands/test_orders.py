"""`lawctl orders`, over both engines."""

import pytest

from serving.accounts.orders import STAGES, Orders
from serving.cli import main
from serving.metering.database import Database

ADA = ("--entity-name", "Ada LLC", "--entity-type", "llc", "--jurisdiction", "DC")


@pytest.fixture
def account(lawctl):
    return str(lawctl("accounts", "create", "--email", "a@example.org", "--json").json["id"])


def opens(url: str, order: str, token: str) -> bool:
    database = Database(url)
    try:
        return Orders(database).find(order, token) is not None
    finally:
        database.close()


def test_an_order_is_opened_with_a_token_that_is_printed_once(lawctl, url, account):
    made = lawctl("orders", "create", "a@example.org", *ADA)
    (_, order), (_, token) = (line.split() for line in made.out.splitlines())
    assert opens(url, order, token)
    assert not opens(url, order, token[:-1])
    assert "never shown again" in made.err
    assert token not in made.err
    for words in (
        ("list",),
        ("show", order),
        ("list", "--json"),
        ("show", order, "--json"),
        ("advance", order),
    ):
        assert token not in lawctl("orders", *words).out


def test_an_order_goes_through_its_stages_with_their_times(lawctl, account):
    made = lawctl("orders", "create", account, *ADA, "--json").json
    order = made["orderId"]
    assert (made["state"], made["filingJurisdiction"], made["entityType"]) == ("details", "dc", "llc")
    for state in STAGES[1:]:
        moved = lawctl("orders", "advance", order.upper(), state, "--json").json
        assert (moved["state"], "token" in moved) == (state, False)
    assert [stage["state"] for stage in moved["stages"]] == list(STAGES)
    shown = lawctl("orders", "show", order).out.splitlines()
    assert [line.split()[1] for line in shown[3:]] == list(STAGES)
    assert shown[3].split()[0] == moved["stages"][0]["at"][:19] + "Z"
    allotment = lawctl("accounts", "show", account, "--json").json["researchAllotment"]
    assert (allotment["limit"], allotment["remaining"]) == (5000, 5000)


def test_an_order_is_listed_by_account_and_canceled(lawctl, account):
    other = lawctl("accounts", "create", "--json").json["id"]
    first, second = (lawctl("orders", "create", str(one), *ADA, "--json").json for one in (account, other))
    lawctl("orders", "advance", first["orderId"])
    assert {order["orderId"] for order in lawctl("orders", "list", "--json").json} == {
        *(first["orderId"], second["orderId"])
    }
    (listed,) = lawctl("orders", "list", "--account", "a@example.org", "--json").json
    assert (listed["orderId"], listed["state"]) == (first["orderId"], "payment")
    lines = lawctl("orders", "list").out.splitlines()
    assert len(lines) == 3
    assert "Ada LLC" in lines[1]
    assert "canceled" in lawctl("orders", "cancel", first["orderId"]).out
    assert "before filing" in lawctl("orders", "cancel", first["orderId"], fails=True).err
    assert "goes no further" in lawctl("orders", "advance", first["orderId"], fails=True).err


def test_a_stage_that_is_not_next_is_refused(lawctl, account):
    order = lawctl("orders", "create", account, *ADA, "--json").json["orderId"]
    assert "next stage is payment, not filed" in lawctl("orders", "advance", order, "filed", fails=True).err
    assert "There is no order nothing" in lawctl("orders", "show", "nothing", fails=True).err


def test_bad_values_are_refused(lawctl, account):
    for name, code, match in (("", "dc", "An entity's name"), ("Ada", "district", "short code")):
        words = ("--entity-name", name, "--entity-type", "llc", "--jurisdiction", code)
        assert match in lawctl("orders", "create", account, *words, fails=True).err


@pytest.mark.parametrize("words", [("create", "1"), ("advance", "x", "lost"), ("advance", "x", "details")])
def test_misuse_is_status_2(capsys, words):
    with pytest.raises(SystemExit) as misused:
        main(["orders", *words])
    assert misused.value.code == 2

"""`lawctl credits` and `lawctl ledger`, over both engines."""

import pytest

from serving.accounts.credits import Credits
from serving.cli import main
from serving.metering.database import Database
from serving.metering.records import Reversal


@pytest.fixture
def account(lawctl):
    return str(lawctl("accounts", "create", "--email", "a@example.org", "--json").json["id"])


def corrupt(url: str, statement: str) -> None:
    database = Database(url)
    with database.writing() as connection:
        connection.exec_driver_sql(statement)
    database.close()


def test_credits_are_granted_with_a_note(lawctl, account):
    granted = lawctl("credits", "grant", "a@example.org", "250", "--note", " thank  you ")
    assert granted.out == "Granted 250 credits to account 1: it has 1,250.\n"
    assert lawctl("credits", "grant", account, "5", "--json").json == {
        "account": 1,
        "granted": 5,
        "creditsRemaining": 1255,
    }
    newest, noted, _ = lawctl("ledger", "show", account, "--json").json
    assert (noted["kind"], noted["wallet"], noted["balanceAfter"], noted["requestId"]) == (
        *("grant", 250),
        *(1250, "thank you"),
    )
    assert newest["requestId"] is None
    titles, first, *_ = lawctl("ledger", "show", account, "--limit", "2").out.splitlines()
    assert titles.split()[:3] == ["ENTRY", "AT", "KIND"]
    assert first.split()[2:] == ["grant", "0", "5", "1,255"]


def test_packs_are_shown_as_they_are_sold(capsys):
    assert main(["credits", "packs"]) == 0
    assert "pro      $20.00    5,000         120   20,000" in capsys.readouterr().out


def test_purchases_are_listed_with_what_was_taken_back(lawctl, url, account):
    database = Database(url)
    credits_ = Credits(database)
    credits_.purchase(1, "starter", event_id="evt_1", payment_id="pi_1")
    credits_.purchase(1, "pro", event_id="evt_2", payment_id="pi_2")
    credits_.reverse(Reversal("ch_1", "refunds", "pi_1", 250, 5, "evt_3"))
    database.close()
    found = {one["paymentId"]: one for one in lawctl("credits", "purchases", account, "--json").json}
    assert {name: (one["credits"], one["takenBack"]) for name, one in found.items()} == {
        "pi_1": (1000, 500),
        "pi_2": (5000, 0),
    }
    titles, *lines = lawctl("credits", "purchases", "a@example.org").out.splitlines()
    assert titles.split()[:3] == ["AT", "PACK", "PRICE"]
    assert any(line.split()[1:] == ["starter", "$5.00", "1,000", "500", "500", "pi_1"] for line in lines)
    assert "no account 9" in lawctl("credits", "purchases", "9", fails=True).err


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("grant", "1", "1000000001"), "Grant between"),
        (("grant", "9", "5"), "no account 9"),
        (("grant", "1", "5", "--note", "a\x1bb"), "A note"),
    ],
)
def test_what_cannot_be_granted_is_refused(lawctl, account, words, match):
    assert match in lawctl("credits", *words, fails=True).err


@pytest.mark.parametrize("amount", ["0", "-5", "1.5", "many", "9" * 40])
def test_an_amount_that_is_none_is_misuse(amount):
    with pytest.raises(SystemExit) as misused:
        main(["credits", "grant", "1", amount])
    assert misused.value.code == 2


def test_a_sound_ledger_is_proved(lawctl, account):
    lawctl("credits", "grant", account, "5")
    lawctl("accounts", "create")
    assert lawctl("ledger", "check").out == (
        "Every balance equals its entries. Checked: 2 accounts, 3 entries.\n"
    )
    assert lawctl("ledger", "check", "--json").json == {
        "clean": True,
        "accounts": 2,
        "entries": 3,
        "imbalances": [],
        "wrongEntries": [],
    }


def test_an_imbalance_is_named(lawctl, url, account):
    corrupt(url, "UPDATE accounts SET wallet = 6 WHERE account_id = 1")
    found = lawctl("ledger", "check", fails=True)
    assert found.status == 1
    assert "account 1: allotment 1,000, its entries 1,000; wallet 6, its entries 0\n" in found.out
    assert "NOT every balance equals its entries. Checked: 1 account, 1 entry." in found.out
    (wrong,) = lawctl("ledger", "check", "--json", fails=True).json["imbalances"]
    assert (wrong["account"], wrong["wallet"], wrong["walletEntries"]) == (1, 6, 0)


def test_a_wrong_entry_is_named(lawctl, url, account):
    corrupt(
        url,
        "INSERT INTO ledger (account_id, entry_no, at, kind, allotment, wallet, balance_after) "
        "VALUES (1, 2, 0, 'grant', 0, 0, 5)",
    )
    found = lawctl("ledger", "check", fails=True)
    assert found.out.startswith("account 1, entry 2: balance 5, the entries up to it 1,000\n")

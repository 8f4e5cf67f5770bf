"""`lawctl ledger`: show an account's entries, and prove that every balance equals its entries."""

import argparse
from typing import Any

from serving.accounts.accounts import RECENT_ENTRIES, Accounts
from serving.accounts.audit import Audit, audit
from serving.commands.accounts import ACCOUNT_HELP
from serving.commands.output import counted, exact, moment, print_json, print_list, print_text
from serving.commands.stores import find_account, open_database
from serving.commands.verbs import Parsers, add_noun, add_store_verb, whole_number
from serving.metering.records import Entry


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "ledger", "show an account's entries, and prove all balances")
    show = add_store_verb(verbs, "show", _show, "show an account's entries, the newest first")
    show.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    show.add_argument(
        "--limit",
        type=whole_number,
        default=RECENT_ENTRIES,
        metavar="N",
        help=f"how many at most (default: {RECENT_ENTRIES})",
    )
    add_store_verb(
        verbs,
        "check",
        _check,
        "prove that every balance equals its entries",
        more="Status 1 means that one does not; the accounts and entries are named.",
    )


def _show(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
        entries = Accounts(database).ledger(account.account_id, limit=options.limit)
    print_list(
        entries,
        ("ENTRY", "AT", "KIND", "ALLOTMENT", "WALLET", "BALANCE", "ENDPOINT", "REQUEST"),
        lambda entry: (
            *(entry.entry_no, moment(entry.at), entry.kind, entry.allotment, entry.wallet),
            *(entry.balance_after, entry.endpoint, entry.request_id),
        ),
        _as_json,
        as_json=options.json,
    )
    return 0


def _check(options: argparse.Namespace) -> int:
    with open_database(options) as database, database.reading() as connection:
        found = audit(connection)
    if options.json:
        print_json(_audit_as_json(found))
    else:
        _print_audit(found)
    return 0 if found.is_clean else 1


def _print_audit(found: Audit) -> None:
    for wrong in found.imbalances:
        print_text(
            f"account {wrong.account_id}: allotment {wrong.allotment:,}, its entries "
            f"{wrong.allotment_entries:,}; wallet {wrong.wallet:,}, its entries {wrong.wallet_entries:,}"
        )
    for entry in found.wrong_entries:
        print_text(
            f"account {entry.account_id}, entry {entry.entry_no}: balance {entry.balance_after:,}, "
            f"the entries up to it {entry.entries_so_far:,}"
        )
    checked = f"{counted(found.accounts, 'account')}, {counted(found.entries, 'entry', 'entries')}"
    verdict = "Every" if found.is_clean else "NOT every"
    print_text(f"{verdict} balance equals its entries. Checked: {checked}.")


def _audit_as_json(found: Audit) -> dict[str, Any]:
    return {
        "clean": found.is_clean,
        "accounts": found.accounts,
        "entries": found.entries,
        "imbalances": [
            {
                "account": wrong.account_id,
                "allotment": wrong.allotment,
                "allotmentEntries": wrong.allotment_entries,
                "wallet": wrong.wallet,
                "walletEntries": wrong.wallet_entries,
            }
            for wrong in found.imbalances
        ],
        "wrongEntries": [
            {
                "account": entry.account_id,
                "entry": entry.entry_no,
                "balanceAfter": entry.balance_after,
                "entriesSoFar": entry.entries_so_far,
            }
            for entry in found.wrong_entries
        ],
    }


def _as_json(entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry.entry_no,
        "at": exact(entry.at),
        "kind": entry.kind,
        "endpoint": entry.endpoint,
        "allotment": entry.allotment,
        "wallet": entry.wallet,
        "balanceAfter": entry.balance_after,
        "requestId": entry.request_id,
        "key": entry.key_id,
        "refersTo": entry.refers_to,
    }

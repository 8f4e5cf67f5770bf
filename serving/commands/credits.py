"""`lawctl credits`: grant credits, show what was bought, and the packs that are sold."""

import argparse

from serving.accounts.credits import Credits
from serving.accounts.names import clean_name
from serving.commands.accounts import ACCOUNT_HELP
from serving.commands.output import exact, moment, print_json, print_table, print_text
from serving.commands.stores import find_account, open_database
from serving.commands.verbs import Parsers, add_noun, add_store_verb, add_verb, whole_number
from serving.metering.tiers import PACKS, TIERS

MAX_NOTE = 200
"""Characters of the note on a grant."""


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "credits", "grant credits, show what was bought, and the packs that are sold")
    grant = add_store_verb(verbs, "grant", _grant, "put credits that never expire into an account's wallet")
    grant.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    grant.add_argument("amount", metavar="AMOUNT", type=whole_number, help="credits")
    grant.add_argument("--note", help="why, as the ledger shows it in the place of a request's id")
    purchases = add_store_verb(
        verbs, "purchases", _purchases, "list what an account bought, the newest first"
    )
    purchases.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    add_verb(verbs, "packs", _packs, "show the packs, their prices and the rate limits that they bring")


def _grant(options: argparse.Namespace) -> int:
    note = options.note
    if note is not None:
        note = clean_name(note, what="A note", limit=MAX_NOTE, parameter="note")
    with open_database(options) as database:
        account = find_account(database, options.account)
        balance = Credits(database).grant(account.account_id, options.amount, reference=note)
    if options.json:
        print_json({"account": account.account_id, "granted": options.amount, "creditsRemaining": balance})
    else:
        print_text(f"Granted {options.amount:,} credits to account {account.account_id}: it has {balance:,}.")
    return 0


def _purchases(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
        bought = Credits(database).list_purchases(account.account_id)
    if options.json:
        print_json(
            [
                {
                    "paymentId": one.payment_id,
                    "eventId": one.event_id,
                    "at": exact(one.at),
                    "pack": one.pack,
                    "priceCents": one.price_cents,
                    "credits": one.credits,
                    "reversed": one.reversed,
                    "reversedAt": exact(one.reversed_at),
                    "takenBack": one.taken_back,
                }
                for one in bought
            ]
        )
        return 0
    print_table(
        ("AT", "PACK", "PRICE", "CREDITS", "REVERSED", "TAKEN BACK", "PAYMENT"),
        [
            (
                *(moment(one.at), one.pack, f"${one.price_cents / 100:,.2f}", one.credits, one.reversed),
                *(one.taken_back, one.payment_id),
            )
            for one in bought
        ],
    )
    return 0


def _packs(options: argparse.Namespace) -> int:
    sold = [(pack, TIERS[pack.name]) for pack in PACKS.values()]
    if options.json:
        print_json(
            [
                {
                    "pack": pack.name,
                    "priceCents": pack.price_cents,
                    "credits": pack.credits,
                    "rateLimit": {"requestsPerMinute": tier.per_minute, "requestsPerDay": tier.per_day},
                }
                for pack, tier in sold
            ]
        )
        return 0
    print_table(
        ("PACK", "PRICE", "CREDITS", "PER MINUTE", "PER DAY"),
        [
            (pack.name, f"${pack.price_cents / 100:,.2f}", pack.credits, tier.per_minute, tier.per_day)
            for pack, tier in sold
        ],
    )
    return 0

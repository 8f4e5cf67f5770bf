"""`lawctl accounts`: open accounts, look at them, set their passwords."""

import argparse
import getpass
import sys
from typing import Any

from serving.accounts.accounts import Accounts
from serving.accounts.customers import Customers
from serving.commands.output import exact, moment, print_json, print_list, print_text
from serving.commands.stores import find_account, open_database
from serving.commands.verbs import Parsers, add_noun, add_store_verb
from serving.contract.errors import ValidationError
from serving.metering.addresses import normal_email
from serving.metering.records import Account

ACCOUNT_HELP = "id or e-mail address of the account"
_LONGEST_LINE = 4_096


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "accounts", "open accounts, look at them, set their passwords")
    create = add_store_verb(
        verbs, "create", _create, "open an account with this month's allotment of credits"
    )
    create.add_argument("--email", help="address to sign in with, once it has a password")
    add_store_verb(verbs, "list", _list, "list the accounts in the order in which they were opened")
    show = add_store_verb(verbs, "show", _show, "show an account's tier and credits")
    show.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    password = add_store_verb(
        verbs,
        "set-password",
        _set_password,
        "set the password of an account and end its sessions",
        more="The password is asked for, and never taken from the command line.",
    )
    password.add_argument("email", metavar="EMAIL", help="e-mail address of the account")
    password.add_argument("--stdin", action="store_true", help="read the password from standard input")


def _create(options: argparse.Namespace) -> int:
    email = None if options.email is None else normal_email(options.email)
    with open_database(options) as database:
        account = Accounts(database).create(email=email)
    if options.json:
        print_json(_as_json(account))
    else:
        print_text(f"Opened account {account.account_id}{f' for {email}' if email else ''}.")
    return 0


def _list(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        accounts = Accounts(database).list()
    print_list(
        accounts,
        ("ID", "EMAIL", "TIER", "ALLOTMENT", "WALLET", "OPENED"),
        lambda one: (
            *(str(one.account_id), one.email, one.tier, one.allotment, one.wallet),
            moment(one.created_at),
        ),
        _as_json,
        as_json=options.json,
    )
    return 0


def _show(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
    if options.json:
        print_json(_as_json(account))
        return 0
    renewal = f"of {account.allotment_limit:,}, renewed {moment(account.renews_at)}"
    print_text(f"account    {account.account_id}{f'  {account.email}' if account.email else ''}")
    print_text(f"opened     {moment(account.created_at)}")
    print_text(f"tier       {account.tier}")
    print_text(f"allotment  {account.allotment:,} {renewal}")
    print_text(f"wallet     {account.wallet:,}")
    return 0


def _set_password(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        # Before anybody types a password for nothing.
        find_account(database, normal_email(options.email))
        account = Customers(database).set_password(options.email, _read_password(options))
    if options.json:
        print_json(_as_json(account))
    else:
        print_text(f"The password of account {account.account_id} is set; its sessions have ended.")
    return 0


def _read_password(options: argparse.Namespace) -> str:
    if options.stdin:
        try:
            return sys.stdin.readline(_LONGEST_LINE).rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ValidationError("The password is not UTF-8 text.", parameter="password") from error
    password = getpass.getpass("New password: ")
    if getpass.getpass("Once more: ") != password:
        raise ValidationError("The two passwords differ; nothing was changed.", parameter="password")
    return password


def _as_json(account: Account) -> dict[str, Any]:
    return {
        "id": account.account_id,
        "email": account.email,
        "tier": account.tier,
        "creditsRemaining": account.allotment + account.wallet,
        "researchAllotment": {
            "limit": account.allotment_limit,
            "remaining": account.allotment,
            "renewsAt": exact(account.renews_at),
        },
        "wallet": account.wallet,
        "createdAt": exact(account.created_at),
    }

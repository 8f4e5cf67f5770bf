"""Access to the store of accounts for one command, and to the account that the command names."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from serving.accounts.accounts import Accounts
from serving.commands.verbs import settings_of
from serving.contract.errors import NotFoundError, ValidationError
from serving.metering.addresses import normal_email
from serving.metering.database import Database
from serving.metering.migrations import migrate
from serving.metering.records import Account


@contextmanager
def open_database(options: argparse.Namespace) -> Iterator[Database]:
    """Open the store that the command names, after bringing a new or older one up to date.

    Raises:
        StoreRevisionError: a newer version of this software made it.
        StoreUnavailableError: it cannot be reached.
    """
    url = settings_of(options).database_url
    migrate(url)
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


def find_account(database: Database, text: str) -> Account:
    """Return the account that an id or an e-mail address names.

    Raises:
        NotFoundError: there is none.
        ValidationError: the text is neither.
    """
    accounts = Accounts(database)
    if text.isascii() and text.isdecimal() and len(text) <= 18:
        return accounts.get(int(text))
    if "@" not in text:
        raise ValidationError(f"{text!r} is neither the id of an account nor an e-mail address.")
    account = accounts.find(_as_stored(text))
    if account is None:
        raise NotFoundError(f"There is no account {text}.", kind="account")
    return account


def wanted_account(database: Database, options: argparse.Namespace) -> int | None:
    """Return the id of the account that the option `--account` names; None where it is not given.

    Raises:
        NotFoundError: there is none.
        ValidationError: the option names neither an id nor an e-mail address.
    """
    return None if options.account is None else find_account(database, options.account).account_id


def _as_stored(email: str) -> str:
    try:
        return normal_email(email)
    except ValidationError:
        # The demo account's address is none that mail could go to.
        return email

"""`lawctl keys`: make, list and revoke the API keys of an account."""

import argparse
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

from serving.accounts.accounts import Accounts
from serving.commands.accounts import ACCOUNT_HELP
from serving.commands.output import exact, moment, print_json, print_list, print_text, remark
from serving.commands.stores import find_account, open_database
from serving.commands.verbs import Parsers, add_noun, add_store_verb, whole_number
from serving.metering.clock import DAY, SECOND
from serving.metering.database import Database
from serving.metering.keys import SCOPES
from serving.metering.records import Key


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "keys", "make, list and revoke the API keys of an account")
    create = add_store_verb(
        verbs,
        "create",
        _create,
        "make a key and print it, once",
        more="Standard output gets the key alone. It is stored as a hash and can never be shown again.",
    )
    create.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    create.add_argument("--name", required=True, help="what it is for, as lists show it")
    create.add_argument(
        "--scopes",
        required=True,
        type=lambda text: [scope.strip() for scope in text.split(",") if scope.strip()],
        metavar="SCOPE,...",
        help=f"what it opens: {','.join(SCOPES)}",
    )
    create.add_argument(
        "--expires",
        type=_lifetime,
        metavar="90d|DATE",
        help="days that it lives, or the date (2030-12-31, UTC) at whose beginning it ends; default: no end",
    )
    listing = add_store_verb(verbs, "list", _list, "list an account's keys, the newest first")
    listing.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    revoke = add_store_verb(verbs, "revoke", _revoke, "end a key at once and for good")
    revoke.add_argument("account", metavar="ACCOUNT", help=ACCOUNT_HELP)
    revoke.add_argument(
        "key_id", metavar="KEY_ID", type=whole_number, help="id of the key, as `list` shows it"
    )


def _lifetime(text: str) -> timedelta | date:
    days = re.fullmatch(r"([1-9][0-9]{0,4})d", text, re.ASCII)
    if days is not None:
        return timedelta(days=int(days[1]))
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number of days such as 90d nor a date such as 2030-12-31"
        ) from None


def _end(lifetime: timedelta | date | None, *, now: int) -> int | None:
    if lifetime is None:
        return None
    if isinstance(lifetime, timedelta):
        return now + lifetime.days * DAY
    return int(datetime(lifetime.year, lifetime.month, lifetime.day, tzinfo=UTC).timestamp()) * SECOND


def _create(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
        now = _now(database)
        key, minted = Accounts(database).create_key(
            account.account_id,
            name=options.name,
            scopes=options.scopes,
            expires_at=_end(options.expires, now=now),
        )
    if options.json:
        print_json({**_as_json(key, now=now), "key": minted.text})
        return 0
    end = f"until {moment(key.expires_at)}" if key.expires_at else "until it is revoked"
    print_text(minted.text)
    remark(f"Key {key.key_id} of account {account.account_id} opens {', '.join(key.scopes)} {end}.")
    remark("Keep it now: it is stored as a hash and is never shown again.")
    return 0


def _list(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
        keys = Accounts(database).list_keys(account.account_id)
        now = _now(database)
    print_list(
        keys,
        ("ID", "KEY", "STATE", "SCOPES", "CREATED", "EXPIRES", "LAST USED", "NAME"),
        lambda key: (
            *(str(key.key_id), f"{key.prefix}…", _state(key, now=now), ",".join(key.scopes)),
            *(moment(key.created_at), moment(key.expires_at) or "never", moment(key.last_used_at)),
            key.name,
        ),
        lambda key: _as_json(key, now=now),
        as_json=options.json,
    )
    return 0


def _revoke(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        account = find_account(database, options.account)
        key = Accounts(database).revoke_key(account.account_id, options.key_id)
        now = _now(database)
    if options.json:
        print_json(_as_json(key, now=now))
    else:
        print_text(f"Key {key.key_id} ({key.prefix}…) has been revoked since {moment(key.revoked_at)}.")
    return 0


def _now(database: Database) -> int:
    with database.reading(behind=True) as connection:
        return database.now(connection)


def _state(key: Key, *, now: int) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "live"


def _as_json(key: Key, *, now: int) -> dict[str, Any]:
    return {
        "id": key.key_id,
        "account": key.account_id,
        "name": key.name,
        "keyPrefix": key.prefix,
        "state": _state(key, now=now),
        "scopes": list(key.scopes),
        "createdAt": exact(key.created_at),
        "expiresAt": exact(key.expires_at),
        "revokedAt": exact(key.revoked_at),
        "lastUsedAt": exact(key.last_used_at),
        "requests": key.passed,
    }

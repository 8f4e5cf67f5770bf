"""`lawctl store`: migrate the store of accounts, back it up, restore it, move it to another database."""

import argparse
from pathlib import Path

from serving.accounts.backup_file import Header
from serving.accounts.inspection import StoreStatus, status
from serving.accounts.transfer import backup, restore
from serving.commands.output import counted, exact, print_json, print_table, print_text, remark
from serving.commands.verbs import Parsers, add_noun, add_store_verb, settings_of
from serving.metering.migrations import migrate, revisions


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "store", "migrate the store of accounts, back it up, restore or move it")
    add_store_verb(
        verbs,
        "migrate",
        _migrate,
        "make the store, or bring an older one up to date",
        more="`serve` and all commands on accounts do that themselves.",
    )
    add_store_verb(
        verbs,
        "status",
        _status,
        "say where the store is, at which revision, and what it holds",
        more="Status 1 means that it is not there or not up to date. Nothing is changed.",
    )
    saving = add_store_verb(
        verbs,
        "backup",
        _backup,
        "write all accounts into one file while servers go on",
        more="It fits either engine. It holds addresses and hashes of keys and passwords: keep it safe.",
    )
    saving.add_argument("file", type=Path, metavar="FILE", help="file to write, readable by you alone")
    saving.add_argument("--force", action="store_true", help="replace the file if it exists")
    restoring = add_store_verb(
        verbs,
        "restore",
        _restore,
        "fill an empty store with a backup",
        more="All of it or nothing. With another URL than the backup was made from, the accounts move there.",
    )
    restoring.add_argument("file", type=Path, metavar="FILE", help="file that `backup` wrote")


def _migrate(options: argparse.Namespace) -> int:
    url = settings_of(options).database_url
    before = status(url)
    migrate(url)
    now = revisions()[-1]
    if options.json:
        print_json({"store": before.location, "before": before.revision, "revision": now})
    elif before.revision == now:
        print_text(f"{before.location} is up to date, at revision {now}.")
    else:
        origin = f"from revision {before.revision}" if before.revision else "which is new"
        print_text(f"{before.location}, {origin}, is now at revision {now}.")
    return 0


def _status(options: argparse.Namespace) -> int:
    found = status(settings_of(options).database_url)
    if options.json:
        print_json(
            {
                "store": found.location,
                "state": _state(found),
                "revision": found.revision,
                "newestRevision": found.newest,
                "rows": dict(found.rows),
            }
        )
        return 0 if found.is_ready else 1
    print_text(f"store     {found.location}")
    print_text(f"revision  {found.revision or 'none'}; this software works with {found.newest}")
    print_text(f"state     {_STATES[_state(found)]}")
    if found.rows:
        print_table(("TABLE", "ROWS"), sorted(found.rows.items()))
    return 0 if found.is_ready else 1


_STATES = {
    "ready": "ready",
    "missing": "not there; `lawctl store migrate` makes it",
    "older": "older; `lawctl store migrate` brings it up to date",
    "newer": "made by a newer version of this software; use that",
}


def _state(found: StoreStatus) -> str:
    if found.is_ready:
        return "ready"
    if found.revision is None:
        return "missing"
    return "older" if found.revision in revisions() else "newer"


def _backup(options: argparse.Namespace) -> int:
    header = backup(settings_of(options).database_url, options.file, force=options.force)
    if header.imbalanced:
        named = ", ".join(map(str, header.imbalanced[:10]))
        remark(f"Beware: the balances of accounts {named} are not those of their entries.")
    _print_header(header, options, f"Wrote {options.file}")
    return 0


def _restore(options: argparse.Namespace) -> int:
    header = restore(options.file, settings_of(options).database_url)
    _print_header(header, options, f"Restored {options.file}")
    return 0


def _print_header(header: Header, options: argparse.Namespace, done: str) -> None:
    rows = {shape.name: shape.rows for shape in header.tables}
    if options.json:
        print_json(
            {
                "file": str(options.file),
                "revision": header.revision,
                "createdAt": exact(header.created_at),
                "rows": rows,
                "imbalanced": list(header.imbalanced),
            }
        )
    else:
        held = (
            counted(rows.get("accounts", 0), "account"),
            counted(rows.get("keys", 0), "key"),
            counted(rows.get("ledger", 0), "ledger entry", "ledger entries"),
        )
        print_text(f"{done}: {', '.join(held)}, {counted(header.row_count, 'row')} in all.")

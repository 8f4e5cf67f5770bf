"""`lawctl snapshot`: put snapshots in service, keep them, and remove old ones."""

import argparse
from datetime import UTC, datetime, timedelta

from serving.commands.output import print_json, print_text
from serving.commands.verbs import Parsers, add_snapshots, add_verb, settings_of, whole_number
from serving.snapshot.lifecycle import (
    Moved,
    Retention,
    only_writer,
    pin,
    promote,
    prune,
    removable,
    roll_back,
    unpin,
)


def add(verbs: Parsers) -> None:
    """Add the verbs that change the folder of snapshots."""
    promoted = add_verb(
        verbs,
        "promote",
        _promote,
        "put a retained snapshot in service",
        more="Every worker reads it within LAW_POLL_SECONDS and the time to open it; no request fails.",
    )
    promoted.add_argument("id", help="snapshot id, as `list` has it")
    add_snapshots(promoted)
    back = add_verb(
        verbs,
        "rollback",
        _roll_back,
        "put the newest snapshot older than the one in service back",
        more="Again, and the one before follows; `promote` goes to any.",
    )
    add_snapshots(back)
    kept = add_verb(verbs, "pin", _pin, "keep a snapshot until it is unpinned, whatever is published")
    kept.add_argument("id", help="snapshot id")
    kept.add_argument("--reason", required=True, help="what needs it, such as 'cited in a brief'")
    add_snapshots(kept)
    freed = add_verb(verbs, "unpin", _unpin, "let a pinned snapshot go with the others")
    freed.add_argument("id", help="snapshot id")
    add_snapshots(freed)
    pruned = add_verb(
        verbs,
        "prune",
        _prune,
        "remove old snapshots",
        more="The one in service and pinned ones stay, whatever their age.",
    )
    pruned.add_argument(
        "--keep",
        type=whole_number,
        required=True,
        metavar="N",
        help="keep the newest N, the current one included",
    )
    pruned.add_argument("--days", type=whole_number, metavar="D", help="keep those of the last D days, too")
    pruned.add_argument("--dry-run", action="store_true", help="say what would be removed, and stop")
    add_snapshots(pruned)


def _promote(options: argparse.Namespace) -> int:
    return _tell(options, promote(settings_of(options).snapshots, options.id))


def _roll_back(options: argparse.Namespace) -> int:
    return _tell(options, roll_back(settings_of(options).snapshots))


def _tell(options: argparse.Namespace, moved: Moved) -> int:
    if options.json:
        print_json({"before": moved.before, "current": moved.now})
    else:
        print_text(f"{moved.now} is in service; before: {moved.before or 'none'}.")
    return 0


def _pin(options: argparse.Namespace) -> int:
    pin(settings_of(options).snapshots, options.id, options.reason)
    return _say(options, f"{options.id} stays until it is unpinned.", pinned=True)


def _unpin(options: argparse.Namespace) -> int:
    unpin(settings_of(options).snapshots, options.id)
    return _say(options, f"{options.id} is no longer pinned.", pinned=False)


def _say(options: argparse.Namespace, said: str, *, pinned: bool) -> int:
    if options.json:
        print_json({"id": options.id, "pinned": pinned})
    else:
        print_text(said)
    return 0


def _prune(options: argparse.Namespace) -> int:
    folder, now = settings_of(options).snapshots, datetime.now(UTC)
    age = timedelta(days=min(options.days or 0, timedelta.max.days))
    retention = Retention(options.keep, age)
    if options.dry_run:
        gone = removable(folder, retention, now)
    else:
        with only_writer(folder):
            gone = prune(folder, retention, now)
    if options.json:
        print_json({"removed": gone, "dryRun": options.dry_run})
    elif not gone:
        print_text("Nothing to remove.")
    else:
        print_text(f"{'Would remove' if options.dry_run else 'Removed'} {', '.join(gone)}.")
    return 0

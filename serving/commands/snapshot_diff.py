"""`lawctl snapshot diff`: what changed from one published snapshot to another."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from serving.commands.output import print_json, print_text
from serving.commands.verbs import whole_number
from serving.comparison.compared_law import open_law
from serving.comparison.comparison import Comparison
from serving.contract.changes import KINDS, Change
from serving.contract.errors import NotFoundError
from serving.snapshot.lifecycle import require_retained

MOST = 50
"""Changes of each code body that are listed unless more are asked for."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    verb.add_argument("before", help="id of the earlier snapshot")
    verb.add_argument("after", help="id of the later one")
    verb.add_argument("--code-body", metavar="KEY", help="this code body alone, such as us-usc")
    verb.add_argument("--kind", choices=KINDS, help="list changes of this kind alone")
    verb.add_argument(
        "--most",
        type=whole_number,
        default=MOST,
        metavar="N",
        help=f"changes to list of each code body ({MOST})",
    )


def compare(folder: Path, options: argparse.Namespace) -> int:
    """Print the changes between two snapshots in a folder; those of an earlier version take longer."""
    before, after = (require_retained(folder, snapshot) for snapshot in (options.before, options.after))
    comparison = Comparison(open_law(before), open_law(after))
    _require_held(comparison, options.code_body)
    compared: list[dict[str, Any]] = []
    for body in comparison.code_bodies:
        if options.code_body not in (None, body.key):
            continue
        differences = comparison.differences(body.id)
        chosen = [one for one in differences if options.kind in (None, one.kind)]
        changes = [comparison.describe(body, one) for one in chosen[: options.most]]
        summary = comparison.summary(body, differences)
        compared.append({**summary, "total": len(chosen), "changes": changes})
    if options.json:
        print_json({"from": options.before, "to": options.after, "codeBodies": compared})
        return 0
    for entry in compared:
        print_text(f"{entry['name']}: {counted_kinds(entry)}")
        for title in entry["staleTitles"]:
            print_text(f"  {title} is kept from an earlier edition: nothing is known of its changes")
        for change in entry["changes"]:
            print_text(f"  {_line(change)}")
        if entry["total"] > len(entry["changes"]):
            print_text(f"  and {entry['total'] - len(entry['changes']):,} more (--most)")
    return 0


def counted_kinds(body: Mapping[str, Any]) -> str:
    """Return the numbers of a code body's changes in words."""
    counts = body["counts"]
    return ", ".join(f"{counts[kind]:,} {kind}" for kind in KINDS if kind in counts) or "nothing changed"


def _require_held(comparison: Comparison, key: str | None) -> None:
    """Check that one of the snapshots has a code body.

    Raises:
        NotFoundError: neither has one of this key.
    """
    held = [body.key for body in comparison.code_bodies]
    if key is not None and key not in held:
        raise NotFoundError(f"Neither snapshot has {key}; they have {', '.join(held)}.", kind="code_body")


def _line(change: Change) -> str:
    before, after = change["before"], change["after"]
    shown = after or before
    if shown is None:
        return f"{change['kind']:<11} all of it, {change['nodeCount']:,} provisions"
    was = f", was {before['citation']}" if before and change["kind"] == "renumbered" else ""
    fields = f" ({', '.join(change['fields'])})" if change["fields"] else ""
    return f"{change['kind']:<11} {shown['citation']} {shown['heading']}{was}{fields}"

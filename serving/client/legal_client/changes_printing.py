"""Printing of what changed between two snapshots, and of the history of a provision."""

from legal_client import results
from legal_client.printing import counted, print_line, print_table


def print_change(change: results.Change) -> None:
    """Print one change."""
    shown = change.after or change.before
    name = change.code_body.name if shown is None else f"{shown.citation}  {shown.heading}"
    print_line(f"{change.kind}: {name}".rstrip())
    if change.kind == "renumbered" and change.before is not None:
        print_line(f"   was {change.before.citation}")
    if change.fields:
        print_line(f"   {', '.join(change.fields)}")
    for words in change.words:
        print_line(f"   - {words.removed}" if words.removed else "   -")
        print_line(f"   + {words.added}" if words.added else "   +")
    if change.words_left_out:
        print_line(f"   {counted(change.words_left_out, 'place')} more")
    for part in change.credit_added:
        print_line(f"   by {part}")
    print_line(f"   published {change.published_on}, known {change.known_on}")


def print_history(found: results.NodeHistory) -> None:
    """Print the history of a provision."""
    rows = [
        (one.snapshot, one.citation if one.held else "not held", one.status, one.current_through)
        for one in found.states
    ]
    print_table(("snapshot", "citation", "status", "current through"), rows)
    for one in found.changes:
        print_line()
        print_line(f"{one.from_.id} to {one.to.id}")
        print_change(one.change)
    print_line(f"Nothing is known here of what was before {found.known_since}.")

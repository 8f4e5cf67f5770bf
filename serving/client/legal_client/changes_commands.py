"""The commands `changes` and `history` of `legal`."""

import argparse
from typing import Any

from legal_client import calls, results
from legal_client.calls import Call
from legal_client.code_bodies import code_body_id
from legal_client.metered_client import MeteredClient
from legal_client.printing import counted, print_json, print_line, print_table, remark
from legal_client.resolutions import find_node
from legal_client.results import Meta
from legal_client.showing import DONE, NOT_FOUND, show


def changes(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print what changed between two snapshots, page after page up to `--most`."""
    wanted: int = options.most
    body = options.code_body
    container = None if options.container is None else find_node(client, options.container, options)
    if container is None and options.container is not None:
        return NOT_FOUND
    call: Call[results.ChangesPage] | None = calls.changes(
        options.since,
        options.until,
        jurisdiction=options.jurisdiction,
        code_body=None if body is None else code_body_id(client, body),
        container=None if container is None else container[0],
        kind=options.kind,
        limit=calls.page_for(wanted),
    )
    whole: dict[str, Any] = {}
    found: list[results.Change] = []
    meta = Meta()
    while call is not None and len(found) < wanted:
        answer = client.fetch(call)
        meta = answer.meta
        found += call.parse(answer.body, meta).results[: wanted - len(found)]
        shown = [*whole.get("results", ()), *answer.body["results"]][:wanted]
        whole = {**(whole or answer.body), "results": shown}
        call = calls.following(call, meta)
    if options.json:
        print_json(whole)
        return DONE
    for change in found:
        _print_change(change)
    if whole["from"] is None:
        print_line(f"Nothing to compare {whole['to']['id']} with: {whole['reason']}.")
        remark(client.cost)
    else:
        between = f"from {whole['from']['id']} to {whole['to']['id']}"
        remark(f"{len(found):,} of {counted(int(whole['total']), 'change')} {between}. {client.cost}")
    return DONE


def history(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print a provision's state in every retained snapshot, and what changed in it."""
    named = find_node(client, options.node, options)
    if named is None:
        return NOT_FOUND
    return show(client, calls.history(named[0]), options, _print_history)


def _print_change(change: results.Change) -> None:
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


def _print_history(found: results.NodeHistory) -> None:
    rows = [
        (one.snapshot, one.citation if one.held else "not held", one.status, one.current_through)
        for one in found.states
    ]
    print_table(("snapshot", "citation", "status", "current through"), rows)
    for one in found.changes:
        print_line()
        print_line(f"{one.from_.id} to {one.to.id}")
        _print_change(one.change)
    print_line(f"Nothing is known here of what was before {found.known_since}.")

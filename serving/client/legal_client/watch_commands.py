"""The commands `watch ...` of `legal`."""

import argparse
from collections.abc import Callable
from typing import Any

from legal_client import calls, results
from legal_client.code_bodies import code_body_id
from legal_client.metered_client import MeteredClient
from legal_client.printing import counted, print_line, print_table
from legal_client.resolutions import find_node
from legal_client.showing import NOT_FOUND, show

Add = Callable[..., argparse.ArgumentParser]


def add_commands(watch: argparse.ArgumentParser, add: Add) -> None:
    """Add the verbs; `add` makes a command."""
    verbs = watch.add_subparsers(required=True, metavar="VERB")
    new = add("add", _add, "watch law, and print the secret and the feed address, once", verbs)
    new.add_argument("--url", metavar="URL", help="https address to deliver to (default: the feed alone)")
    subject = new.add_mutually_exclusive_group(required=True)
    subject.add_argument("--node", metavar="NODE", help="a provision: its id, or a citation (one credit)")
    subject.add_argument("--container", metavar="NODE", help="a provision with all below it, named alike")
    subject.add_argument("--code-body", metavar="ID", help="its id or key, such as us-usc")
    subject.add_argument("--search", metavar="WORDS", help="what these words lead to: the first 20 results")
    new.add_argument("--jurisdiction", metavar="PLACE", help="narrows a search, such as dc or California")
    add("list", _list, "list the watches of the account", verbs)
    for name, run, said in (
        ("show", _show, "show a watch with its newest events"),
        ("remove", _remove, "remove a watch with its feed"),
        ("test", _test, "have a test event delivered"),
        ("renew", _renew, "print a new secret and a new feed address, once"),
        ("replay", _replay, "have events delivered again, under their ids"),
    ):
        verb = add(name, run, said, verbs)
        verb.add_argument("watch", metavar="ID", help="id of the watch")
        if name == "replay":
            verb.add_argument("--days", type=int, default=1, metavar="N", help="how far back (default: 1)")


def _add(client: MeteredClient, options: argparse.Namespace) -> int:
    body, provision = options.code_body, options.node or options.container
    named = None if provision is None else find_node(client, provision, options)
    if named is None and provision is not None:
        return NOT_FOUND
    node_id = None if named is None else named[0]
    call = calls.add_watch(
        options.url,
        node=node_id if options.node else None,
        container=node_id if options.container else None,
        code_body=None if body is None else code_body_id(client, body),
        search=options.search,
        jurisdiction=options.jurisdiction,
    )
    return show(client, call, options, _print_made)


def _list(client: MeteredClient, options: argparse.Namespace) -> int:
    return show(client, calls.watches(), options, _print_list)


def _show(client: MeteredClient, options: argparse.Namespace) -> int:
    return show(client, calls.watch(options.watch), options, _print_detail)


def _remove(client: MeteredClient, options: argparse.Namespace) -> int:
    call = calls.remove_watch(options.watch)
    return show(client, call, options, lambda found: print_line(f"{found.id} is removed."))


def _test(client: MeteredClient, options: argparse.Namespace) -> int:
    call = calls.test_watch(options.watch)
    return show(client, call, options, lambda found: print_line(f"{found.id} will be delivered."))


def _renew(client: MeteredClient, options: argparse.Namespace) -> int:
    return show(client, calls.renew_watch(options.watch), options, _print_made)


def _replay(client: MeteredClient, options: argparse.Namespace) -> int:
    call = calls.replay_watch(options.watch, days=options.days)
    return show(client, call, options, _print_replayed)


def _print_made(found: results.WatchMade) -> None:
    print_line(f"{found.id}  {_subject(found)}")
    print_line(f"Secret: {found.secret}")
    print_line(f"Feed: {found.feed_url}")
    print_line("Keep both now: they are not shown again.")


def _print_list(found: results.WatchList) -> None:
    rows: list[tuple[Any, ...]] = [
        (one.id, _subject(one), one.url or "its feed", one.seen) for one in found.watches
    ]
    print_table(("id", "watched", "delivered to", "seen"), rows)


def _print_detail(found: results.WatchDetail) -> None:
    print_line(f"{found.id}  {_subject(found)}")
    print_line(f"Delivered to {found.url or 'its feed'}; seen {found.seen}")
    if found.refused_at is not None:
        print_line(f"The receiver has been gone since {found.refused_at}.")
    for event in found.events:
        print_line(f"{event.at}  {event.id}  {event.outcome or 'not tried yet'}")


def _print_replayed(found: results.WatchReplayed) -> None:
    print_line(f"{counted(found.events, 'event')} will be delivered again.")


def _subject(watch: results.WatchItem) -> str:
    subject = watch.subject
    named = (
        ("node", subject.node),
        ("container", subject.container),
        ("code body", subject.code_body),
        ("search", subject.search),
        ("in", subject.jurisdiction),
    )
    return " ".join(f"{name} {value}" for name, value in named if value is not None)

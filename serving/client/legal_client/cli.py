"""`legal`: the API on the command line."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from legal_client import (
    calls,
    changes_commands,
    commands,
    download_command,
    draft_commands,
    log_commands,
    provision_commands,
    verify_commands,
    watch_commands,
)
from legal_client.arguments import CommandParser
from legal_client.connection import DEFAULT_URL, MisusedError, Patience
from legal_client.errors import (
    ConnectionFailedError,
    InsufficientCreditsError,
    InsufficientScopeError,
    InvalidKeyError,
    LegalError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    ValidationError,
)
from legal_client.metered_client import MeteredClient
from legal_client.printing import remark
from legal_client.showing import NOT_FOUND

KEY, BASE_URL = "LEGAL_API_KEY", "LEGAL_BASE_URL"
_STATUS: Mapping[type[LegalError], int] = {
    MisusedError: 2,
    ValidationError: 2,
    InvalidKeyError: 3,
    InsufficientScopeError: 3,
    NotFoundError: NOT_FOUND,
    InsufficientCreditsError: 5,
    RateLimitedError: 6,
    UnavailableError: 6,
    ConnectionFailedError: 6,
}
_FAILED = 1
_EPILOG = f"""\
The key is read from {KEY}, the address of the service from {BASE_URL} (default {DEFAULT_URL}).

Exit status: 0 done; 1 the service failed; 2 misused, or a parameter was refused; 3 the key does not
open this; 4 not found, or a citation that leads to no provision; 5 no credits left; 6 try again later;
7 a citation or quotation of a draft is wrong, or a proof does not hold.
"""

Command = Callable[[MeteredClient, argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    options = parser().parse_args(arguments)
    try:
        with MeteredClient(
            options.base_url or os.environ.get(BASE_URL) or DEFAULT_URL,
            key=os.environ.get(KEY) or None,
            snapshot=options.snapshot,
            date=options.date,
            patience=Patience(seconds=options.wait),
        ) as client:
            return _run(client, options)
    except LegalError as error:
        remark(f"legal: {error.message}")
        return _STATUS[MisusedError]
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter must not fail again on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED
    except KeyboardInterrupt:
        remark("legal: interrupted.")
        return _FAILED


def _run(client: MeteredClient, options: argparse.Namespace) -> int:
    try:
        status: int = options.run(client, options)
    except LegalError as error:
        remark(f"legal: {_said(error)}")
        if client.charged:
            remark(client.cost)
        return _STATUS.get(type(error), _FAILED)
    return status


def _said(error: LegalError) -> str:
    parts = [error.message]
    if isinstance(error, InvalidKeyError):
        parts.append(f"The key is read from {KEY}.")
    if isinstance(error, InsufficientCreditsError) and error.upgrade_url:
        parts.append(f"Credits: {error.upgrade_url}")
    if error.request_id:
        parts.append(f"({error.code}, request {error.request_id})")
    return " ".join(parts)


def parser() -> CommandParser:
    """Return the parser of every command."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print the JSON of the API")
    common.add_argument("--base-url", metavar="URL", help=f"address of the service (default: {BASE_URL})")
    read_from = common.add_mutually_exclusive_group()
    read_from.add_argument("--snapshot", metavar="ID", help="read from this retained snapshot of the law")
    read_from.add_argument(
        "--date",
        metavar="YYYY-MM-DD",
        help="read from the retained snapshot that was newest here at the end of this day, in UTC",
    )
    common.add_argument(
        "--wait",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait, in all, for a service that says to try later (default: 60)",
    )
    root = CommandParser(
        prog="legal",
        description="Search, read and cite US law.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="version", version=f"legal {version('legal-client')}")
    root.offer_completion()
    verbs = root.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Command, said: str, to: Any = verbs) -> argparse.ArgumentParser:
        whole = f"{said[0].upper()}{said[1:]}."
        command: argparse.ArgumentParser = to.add_parser(name, parents=[common], help=said, description=whole)
        command.set_defaults(run=run)
        return command

    _add_search(add("search", commands.search, "find provisions by words and by meaning"))
    node = add("node", provision_commands.node, "read a provision")
    node.add_argument("node", help="its id, or a citation such as '17 usc 107(1)' (one credit more)")
    node.add_argument("--proof", action="store_true", help="with the proof that `verify` reads (with --json)")
    verify = add("verify", verify_commands.verify, "prove a provision offline: that it is what was published")
    verify.add_argument(
        "node", metavar="NODE.json", help="what `node --proof --json` printed; -: standard input"
    )
    verify.add_argument("source", nargs="?", metavar="SOURCE", help="the publisher's file of the provision")
    verify.add_argument("--root", metavar="HEX", help="root that is trusted, as from the log or a friend")
    _add_log(verbs.add_parser("log", help="check the service's log of snapshots; free"), add)
    cite = add(
        "cite", provision_commands.cite, "cite provisions in a paper: as words, or for reference managers"
    )
    cite.add_argument("node", nargs="+", help="ids, or citations such as '17 usc 107' (one credit more each)")
    cite.add_argument(
        "--format", choices=tuple(calls.CITATION_FORMATS), default="bluebook", help="default: bluebook"
    )
    check = add("check", draft_commands.check, "check the citations and quotations of a draft")
    check.add_argument("draft", help="a text file, or - for standard input; a credit for each 25 citations")
    quote = add("quote", draft_commands.quote, "say whether a provision holds what is quoted from it")
    quote.add_argument("provision", help="its id, or a citation such as '17 usc 107(1)'")
    quote.add_argument("words", nargs="?", help="the quoted words (default: standard input)")
    resolve = add("resolve", commands.resolve, "say what citations lead to")
    resolve.add_argument("citation", nargs="+", help="as people type it")
    browse = add("browse", commands.browse, "walk a code body; without one, list them")
    browse.add_argument("code_body", nargs="?", help="its id or key, such as us-usc")
    browse.add_argument(
        "--parent",
        metavar="NODE",
        help="node whose children to list: its id, or a citation (one credit more; default: the top level)",
    )
    changes = add("changes", changes_commands.changes, "list what changed between two snapshots of the law")
    changes.add_argument("--from", dest="since", metavar="ID", help="default: the one before the later one")
    changes.add_argument("--to", dest="until", metavar="ID", help="default: the one in service")
    changes.add_argument("--jurisdiction", metavar="PLACE", help="code or name, such as us, dc or California")
    changes.add_argument("--code-body", metavar="ID", help="its id or key, such as us-usc")
    changes.add_argument(
        "--container",
        metavar="NODE",
        help="provision in or below which things changed: its id, or a citation (one credit more)",
    )
    changes.add_argument("--kind", metavar="KIND", help="such as amended, added or renumbered")
    changes.add_argument("--most", type=_positive, default=20, metavar="N", help="changes (default: 20)")
    history = add("history", changes_commands.history, "show a provision in every retained snapshot")
    history.add_argument("node", help="its id, or a citation (one credit more)")
    gis = add("gis", commands.gis, "fetch a zoning layer, or the zones at a point")
    gis.add_argument("short_code", help="place by code or name, such as il-chicago")
    gis.add_argument(
        "--at",
        nargs=2,
        metavar=("LAT", "LON"),
        help="zones at this point alone: 37.5629 -122.3255, or 37°33'46.4\"N 122°19'31.8\"W, as maps show it",
    )
    add("coverage", commands.coverage, "say what is held, and what is missing")
    download = add("download", download_command.download, "download a whole code body as files; free")
    download.add_argument(
        "code_body", nargs="?", help="its id or key, such as us-usc; without one, list them"
    )
    download.add_argument(
        "--format", choices=("parquet", "jsonl"), default="parquet", help="default: parquet"
    )
    download.add_argument(
        "--table",
        action="append",
        choices=("provisions", "references", "changes"),
        help="may be repeated; default: all",
    )
    download.add_argument(
        "--folder", default=".", metavar="DIR", help="takes a folder for the code body (default: this one)"
    )
    add("corrections", commands.corrections, "list what was found wrong in the service; free")
    watch_commands.add_commands(verbs.add_parser("watch", help="be told when law changes; free"), add)
    add("me", commands.me, "show credits, limits and the newest ledger entries")
    order = add("order", commands.order, "show how far a formation order has come")
    order.add_argument("order", help="its id")
    order.add_argument("--token", required=True, help="tracking token of the order")
    add("compare", commands.compare, "print the comparison of formation providers; free")
    prices = add("prices", commands.prices, "print the list of formation prices; free")
    prices.add_argument("--state", metavar="CODE", help="this state alone, such as de")
    return root


def _add_search(search: argparse.ArgumentParser) -> None:
    search.add_argument("query", help="a question, keywords or a citation")
    search.add_argument("--mode", choices=("hybrid", "semantic", "keyword"), help="default: hybrid")
    search.add_argument("--jurisdiction", metavar="PLACE", help="code or name, such as us, dc or California")
    search.add_argument(
        "--code-body", metavar="ID", help="search this code body alone: its id or key, such as us-usc"
    )
    search.add_argument("--level", metavar="LEVEL", help="such as section or chapter")
    search.add_argument("--tag", metavar="TAG", help="such as definitions; --facets counts them")
    search.add_argument(
        "--status", action="append", metavar="STATUS", help="may be repeated; default: in_force"
    )
    search.add_argument("--facets", action="store_true", help="count the results by kind")
    search.add_argument(
        "--most",
        type=_positive,
        default=20,
        metavar="N",
        help="results at most, a credit each 100 (default: 20)",
    )


def _add_log(log: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    verbs = log.add_subparsers(required=True, metavar="VERB")
    said = "check that the log is whole, and holds a snapshot, or all that are retained"
    verify = add("verify", log_commands.verify, said, verbs)
    verify.add_argument(
        "node", nargs="?", metavar="NODE.json", help="an answer with its proof, and its snapshot"
    )
    verify.add_argument(
        "--kept", type=Path, metavar="FILE", help="remembers the log, to see when it was rewritten"
    )
    verify.add_argument("--key", metavar="KEY", help="public key that must have signed it: NAME+ID+KEY")


def _positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


if __name__ == "__main__":
    sys.exit(main())

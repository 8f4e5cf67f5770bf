"""`lawctl reports`: the errors that readers report, which only the operator sees."""

import argparse
from typing import Any

from serving.accounts.reports import Report, Reports
from serving.commands.output import exact, moment, print_json, print_list, print_text
from serving.commands.stores import open_database
from serving.commands.verbs import Parsers, add_noun, add_store_verb, whole_number

_SHOWN = 60
"""Characters of a report that the list shows."""


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "reports", "read the errors that readers report, and close them")
    listing = add_store_verb(verbs, "list", _list, "list the open reports, oldest first")
    listing.add_argument("--all", action="store_true", help="list those that are closed too")
    show = add_store_verb(verbs, "show", _show, "show a report in full")
    close = add_store_verb(
        verbs,
        "close",
        _close,
        "close a report",
        more="What turns out to be an error goes into datasets/corrections.toml, which is public.",
    )
    for verb in (show, close):
        verb.add_argument("report", metavar="REPORT", type=whole_number, help="number of the report")
    close.add_argument("--outcome", required=True, metavar="TEXT", help="what came of it, for your files")


def _list(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        reports = Reports(database).list(closed=options.all)
    print_list(
        reports,
        ("REPORT", "SENT", "CLOSED", "SNAPSHOT", "PROVISION", "WHAT IS WRONG"),
        lambda one: (
            *(str(one.report_id), moment(one.created_at), moment(one.closed_at), one.snapshot),
            *(one.citation, _begun(one.words)),
        ),
        _as_json,
        as_json=options.json,
    )
    return 0


def _show(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        return _print(Reports(database).get(options.report), options)


def _close(options: argparse.Namespace) -> int:
    with open_database(options) as database:
        return _print(Reports(database).close(options.report, options.outcome), options)


def _begun(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _print(report: Report, options: argparse.Namespace) -> int:
    if options.json:
        print_json(_as_json(report))
        return 0
    print_text(f"report     {report.report_id}")
    print_text(f"provision  {report.citation}  {report.node_id}")
    print_text(f"snapshot   {report.snapshot}")
    print_text(f"sent       {moment(report.created_at)}{f' by {report.email}' if report.email else ''}")
    if report.closed_at is not None:
        print_text(f"closed     {moment(report.closed_at)}: {report.outcome}")
    for line in report.words.split("\n"):
        print_text(f"  {line}".rstrip())
    return 0


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "report": report.report_id,
        "nodeId": report.node_id,
        "citation": report.citation,
        "snapshot": report.snapshot,
        "words": report.words,
        "email": report.email,
        "createdAt": exact(report.created_at),
        "closedAt": exact(report.closed_at),
        "outcome": report.outcome,
    }

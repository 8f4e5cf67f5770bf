"""The commands `check` and `quote` of `legal`: what a draft cites and quotes, held against the law."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from legal_client import calls, results
from legal_client.connection import MisusedError
from legal_client.ids import is_id
from legal_client.metered_client import MeteredClient
from legal_client.printing import counted, print_block, print_json, print_line, print_table, remark
from legal_client.results.search import Span
from legal_client.showing import DONE, NOT_FOUND, WRONG

STDIN = "-"
_HOLDS = ("exact", "normalised")
_FOUND = "found"
_OPEN = ("unchecked", "outside_coverage", "act_unmapped", "unparsed")
"""Outcomes that prove nothing: the service does not hold what is cited, does not know where it stands, or
cannot tell of which code a section is."""
_NOT_CHECKED = "not_checked"
_OTHER_PART = "other_part"


def check(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print what each citation of a draft leads to, and whether the quotations beside them hold."""
    text = _read(options.draft)
    if not text.strip():
        raise MisusedError("The draft is empty.")
    citations: list[dict[str, Any]] = []
    quotations: list[dict[str, Any]] = []
    checked: list[results.DraftCitation] = []
    quoted: list[results.DraftQuotation] = []
    unverified: list[dict[str, Any]] = []
    unheld: list[Span] = []
    more = 0
    first: int | None = 0
    total, snapshot = 0, None
    while first is not None:
        call = calls.check_text(text, first=first, snapshot=snapshot)
        answer = client.fetch(call)
        page = call.parse(answer.body, answer.meta)
        citations += answer.body["citations"]
        quotations += answer.body["quotations"]
        checked += page.citations
        quoted += page.quotations
        unverified += answer.body.get("unverified", [])
        unheld += page.unverified
        more += page.unverified_more or 0
        first, total, snapshot = page.next, page.total, page.meta.snapshot_id
    if options.json:
        whole = {
            "citations": citations,
            "quotations": quotations,
            "unverified": unverified,
            "total": total,
            "snapshot": snapshot,
        }
        print_json(whole)
    else:
        _print_citations(text, checked)
        _print_quotations(text, quoted)
        _print_unverified(text, unheld)
        remark(f"{_summary(checked, quoted, total, len(unheld) + more)} {client.cost}")
    is_wrong = any(_is_wrong(one.resolution.outcome) for one in checked)
    return WRONG if is_wrong or any(_is_wrong(_verdict(one)) for one in quoted) else DONE


def quote(client: MeteredClient, options: argparse.Namespace) -> int:
    """Print whether a provision says, word for word, what is quoted from it."""
    words = _read(STDIN) if options.words in (None, STDIN) else options.words
    named = {"node_id" if is_id(options.provision) else "citation": options.provision}
    call = calls.verify_quote(words.strip(), **named)
    answer = client.fetch(call)
    (found,) = call.parse(answer.body, answer.meta).results
    if options.json:
        print_json(answer.body["results"][0])
    else:
        _print_quotation(found)
        remark(client.cost)
    if found.verdict == _NOT_CHECKED:
        return NOT_FOUND
    return WRONG if _is_wrong(_verdict(found)) else DONE


def _read(named: str) -> str:
    """Return the text of a file, or of standard input.

    Raises:
        MisusedError: it cannot be read, or is no UTF-8 text.
    """
    try:
        content = sys.stdin.buffer.read() if named == STDIN else Path(named).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise MisusedError(f"{named} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise MisusedError(f"{named} is not a text in UTF-8; save the draft as plain text.") from error


def _verdict(one: results.DraftQuotation | results.CheckedQuotation) -> str:
    """Return the verdict on a quotation; one of words that stand in another part than is cited is its own."""
    return _OTHER_PART if one.verdict in _HOLDS and one.in_pinned_part is False else one.verdict


def _is_wrong(outcome: str) -> bool:
    return outcome not in (_FOUND, *_HOLDS, *_OPEN, _NOT_CHECKED)


def _print_citations(text: str, checked: Sequence[results.DraftCitation]) -> None:
    rows = []
    for one in checked:
        lines = dict.fromkeys(_line(text, place) for place in one.places)
        written = text[one.places[0].start : one.places[0].end]
        rows.append((", ".join(map(str, lines)), one.resolution.outcome, _on_one_line(written), _told(one)))
    if rows:
        print_table(("line", "outcome", "citation", ""), rows)


def _told(one: results.DraftCitation) -> str:
    """Return what a citation leads to, or what is known in place of it."""
    found = one.resolution
    if found.outcome == _FOUND:
        remarks = (
            "(inferred)" if found.inferred else None,
            f"(amended in {found.amended_since}, after the edition cited)" if found.amended_since else None,
        )
        return " ".join(filter(None, (found.citation, found.heading, *remarks)))
    if found.successor is not None:
        return f"now {found.successor.citation}"
    if found.candidates:
        return "may be " + ", ".join(filter(None, (may.citation or may.act for may in found.candidates)))
    if found.neighbours is not None:
        beside = (found.neighbours.previous, found.neighbours.next)
        return "beside it: " + ", ".join(there.citation for there in beside if there and there.citation)
    return found.expected or (found.reason or found.code_name or found.law_kind or "").replace("_", " ")


def _print_quotations(text: str, quoted: Sequence[results.DraftQuotation]) -> None:
    for one in sorted(quoted, key=lambda one: one.place.start):
        print_line()
        print_line(f"line {_line(text, one.place)}: {one.verdict}  {one.citation or ''}".rstrip())
        print_block(f"“{text[one.place.start : one.place.end]}”", indent="   ")
        nearest = one.nearest if _is_wrong(one.verdict) else None
        _print_remarks(one.warnings, one.passed_over, nearest, one.stands_in)


def _print_unverified(text: str, places: Sequence[Span]) -> None:
    for place in places:
        print_line()
        print_line(f"line {_line(text, place)}: unverified")
        print_block(f"“{text[place.start : place.end]}”", indent="   ")


def _print_quotation(found: results.CheckedQuotation) -> None:
    print_line(f"{found.verdict}  {found.citation or ''}".rstrip())
    if found.error:
        print_line(f"   {found.error}")
    if found.resolution is not None:
        told = found.resolution
        print_line(f"   {told.outcome}: {told.citation or told.input or ''}".rstrip(": "))
    if found.status not in (None, "in_force"):
        print_line(f"   Status: {found.status}")
    nearest = found.nearest.excerpt.text if found.nearest else None
    _print_remarks(found.warnings, found.passed_over, nearest, [one.citation for one in found.stands_in])


def _print_remarks(
    warnings: Iterable[str],
    passed_over: Iterable[results.Omission],
    nearest: str | None,
    stands_in: Sequence[str],
) -> None:
    for warning in warnings:
        print_line(f"   {warning.replace('_', ' ')}")
    for omitted in passed_over:
        print_block(f"passes over: {omitted.text}", indent="   ")
    if nearest:
        print_block(f"the law says: {nearest}", indent="   ")
    if stands_in:
        print_line(f"   stands in {', '.join(stands_in)}")


def _summary(
    checked: Sequence[results.DraftCitation],
    quoted: Sequence[results.DraftQuotation],
    total: int,
    unverified: int,
) -> str:
    outcomes = Counter[str]()
    for one in checked:
        outcomes[one.resolution.outcome] += len(one.places)
    parts = [(counted(total, "citation"), outcomes)]
    if quoted or unverified:
        verdicts = Counter(map(_verdict, quoted)) + Counter(unverified=unverified)
        parts.append((counted(len(quoted) + unverified, "quotation"), verdicts))
    return " ".join(f"{what}{_counts(of)}." for what, of in parts)


def _counts(of: Counter[str]) -> str:
    listed = ", ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in of.most_common())
    return f": {listed}" if listed else ""


def _line(text: str, place: Span) -> int:
    return text.count("\n", 0, place.start) + 1


def _on_one_line(text: str) -> str:
    return " ".join(text.split())

"""Checks for signs that a source was misread, though no file of it failed. Each warns, with examples."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from assets.findings import Finding, Severity, Verdict
from assets.ingest.decoding import wrongly_decoded
from assets.ingest.model import SourceFile
from assets.ingest.pinned import PinnedFiles
from assets.ingest.provisions_table import PROVISIONS_FILE
from serving.contract.records import IN_FORCE

MOST_WITHOUT_TEXT = 0.1
"""Share of the live provisions that may be without text before the code body is held back: where more are,
the reader does not read this publication."""

MOST_WRONGLY_DECODED = 0.1
"""Share of the provisions with words that may hold characters of a wrong encoding before the code body is
held back: where more do, the publication was stored or converted wrongly; fewer are slips of its editors."""

_AROUND = 20
"""Characters that are shown on each side of one that was wrongly decoded."""
_BATCH_ROWS = 4_096
_OF_A_KIND = 3
_PICTURE = "image"
"""Topic of the note that readers make of a picture in the place of text."""

_GONE = (
    r"(?:repealed|reserved|recodified|renumbered|redesignated|transferred|expired|omitted|vacant|deleted"
    r"|rescinded|superseded|abolished|not used)"
)
_UNIT = r"(?:sections?|secs?\.?|articles?|chapters?|parts?|regulations?|rules?)"
_WHOLLY_GONE = re.compile(
    rf"[\W\d_]*(?:{_UNIT}[\W\d_]+)?{_GONE}"
    r"(?:[\W\d_]*|\W+(?:by|as|to|eff\w*|per|pursuant|under|for future|and (?:repealed|recodified))\b.*)",
    re.IGNORECASE,
)
"""Heading that says nothing but that a provision is gone: `. Reserved.`, `.07 Recodified as .09`."""
_GONE_AT_END = re.compile(rf"(?:[\[(;]|\. |[–—]|\s-)[\s.\d§-]*{_GONE}[\s.\])]*", re.IGNORECASE)
_LONGEST_END = 60
_NO_VALUE = re.compile(
    r"(?:^|[/@._-])(?:[a-z]{0,8}(?:None|NaN)|(?:[a-z]{1,5})?null|undefined)(?=$|[/@._-])|//|/$"
)
"""Part of an identifier that a program writes where a value is missing."""


class Instruction(NamedTuple):
    """An instruction to the publisher's own editors that stands in a file; `line` is 1-based."""

    name: str
    line: int


Instructions = Callable[[SourceFile], Iterator[Instruction]]
"""Yields the instructions in a file that the publisher's tools have not carried out."""


def live_provisions_have_text(provisions: Path) -> Verdict:
    """Look for live provisions without text and without a picture in its place.

    Args:
        provisions: the folder with `provisions.parquet`, as for all checks here.
    """
    examined = pictured = 0
    found: list[Finding] = []
    for row in _rows(provisions, ["identifier", "citation", "heading", "citable", "status", "text", "notes"]):
        if not row["citable"] or row["status"] != IN_FORCE:
            continue
        examined += 1
        if row["text"].strip():
            continue
        if any(note["topic"] == _PICTURE for note in row["notes"]):
            pictured += 1
            continue
        message = f"{row['citation']} ({row['heading']}) is in force and has neither text nor a picture."
        found.append(_warning("text_missing", row["identifier"], message))
    findings = [*found]
    if len(found) > MOST_WITHOUT_TEXT * examined:
        share = f"{len(found):,} of {examined:,} live provisions ({len(found) / examined:.1%})"
        findings.insert(
            0, Finding("texts_missing", "provisions", f"{share} have neither text nor a picture.")
        )
    return Verdict(max(examined, 1), findings, {"without text": len(found), "pictures alone": pictured})


def texts_are_rightly_decoded(provisions: Path) -> Verdict:
    """Look for headings and texts whose bytes were read in another encoding than they were written in."""
    examined = 0
    found: list[Finding] = []
    for row in _rows(provisions, ["identifier", "citation", "heading", "text", "file"]):
        examined += bool(row["heading"] or row["text"])
        words = f"{row['heading']}\n{row['text']}"
        wrong = list(wrongly_decoded(words))
        if wrong:
            start, end = wrong[0].span()
            around = words[max(0, start - _AROUND) : end + _AROUND]
            message = (
                f"{row['citation']} of {row['file']} holds what a wrong encoding leaves, "
                f"{len(wrong):,} times, first in {around!r}."
            )
            found.append(_warning("wrongly_decoded", row["identifier"], message))
    findings = [*found]
    if len(found) > MOST_WRONGLY_DECODED * examined:
        message = (
            f"{len(found):,} of {examined:,} provisions ({len(found) / examined:.1%}) hold characters that a "
            "wrong encoding leaves. Fetch the source again, as bytes and without converting them."
        )
        findings.insert(0, Finding("source_wrongly_decoded", "provisions", message))
    return Verdict(max(examined, 1), findings, {"wrongly decoded": len(found)})


def headings_fit_their_status(provisions: Path) -> Verdict:
    """Look for provisions in force whose headings say that they are gone: `. Reserved.`, `[Repealed]`."""
    examined = 0
    found: list[Finding] = []
    for row in _rows(provisions, ["identifier", "citation", "heading", "status", "text"]):
        examined += 1
        if row["status"] == IN_FORCE and says_gone(row["heading"]):
            message = (
                f"{row['citation']} is in force, with {len(row['text']):,} characters of text, "
                f"and its heading is {row['heading']!r}."
            )
            found.append(_warning("heading_says_gone", row["identifier"], message))
    return Verdict(examined, found, {"headings": len(found)})


def says_gone(heading: str) -> bool:
    """Return whether a heading says that its provision is gone, and does not just tell of what is."""
    end = heading[-_LONGEST_END:]
    return _WHOLLY_GONE.fullmatch(heading) is not None or any(
        match.end() == len(end) for match in _GONE_AT_END.finditer(end)
    )


def identifiers_are_complete(provisions: Path) -> Verdict:
    """Look for parts of identifiers that stand for no value, such as `null`: ids are made of them."""
    examined = 0
    found: list[Finding] = []
    for row in _rows(provisions, ["identifier", "num", "file"]):
        examined += 1
        if _NO_VALUE.search(row["identifier"]) or _NO_VALUE.fullmatch(row["num"] or "0"):
            message = f"{row['identifier']} of {row['file']} has a part without a value."
            found.append(_warning("identifier_incomplete", row["identifier"], message))
    return Verdict(examined, found, {"without a value": len(found)})


def instructions_were_applied(
    provisions: Path, files: PinnedFiles, instructions: Instructions | None
) -> Verdict:
    """Look for instructions of the publisher in the files that provisions were read from.

    Args:
        provisions: the folder with `provisions.parquet`.
        files: the pinned files.
        instructions: of the format; None: it knows none.
    """
    paths = sorted({row["file"] for row in _rows(provisions, ["file"])})
    if instructions is None:
        return Verdict(max(len(paths), 1), (), {"instructions": "the format has none"})
    places: dict[str, list[str]] = {}
    holders: set[str] = set()
    for path in paths:
        file = files.get(path)
        if file is None:
            continue
        for name, line in instructions(file):
            places.setdefault(name, []).append(f"{path}:{line}")
            holders.add(path)
    if not places:
        return Verdict(max(len(paths), 1), (), {"instructions": 0})
    rarest = sorted(places.items(), key=lambda entry: (len(entry[1]), entry[0]))
    counts = ", ".join(f"{name} {len(own):,}" for name, own in reversed(rarest))
    message = (
        f"Instructions of the publisher that were not applied, in {len(holders):,} of its files: {counts}."
    )
    findings = [_warning("instructions_left", "source", message)]
    findings += [
        _warning("instruction_left", place, f"{name} at {place} was not applied: what it says is not read.")
        for name, own in rarest
        for place in own[:_OF_A_KIND]
    ]
    total = sum(len(own) for own in places.values())
    return Verdict(len(paths), findings, {"instructions": total, "files": len(holders)})


def _rows(provisions: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    table = pq.ParquetFile(provisions / PROVISIONS_FILE)
    batch: pa.RecordBatch
    for batch in table.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
        yield from batch.to_pylist()


def _warning(code: str, where: str, message: str) -> Finding:
    return Finding(code, where, message, Severity.WARNING)

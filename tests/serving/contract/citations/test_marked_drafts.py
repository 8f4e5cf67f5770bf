"""Sentences in which every citation is marked, written before the rules that read them.

`marked_drafts.tsv` has the part of a row (`first`: at hand while rules were made; `held`: first run when they were
done), the sentence with each citation in `⟦…⟧`, and what must be read there, in order: a canonical citation, or
`other` for law that is none of ours. `missed` before it: that is not read, and nothing else of ours may be.
`any` is judged by a snapshot alone, as whether the provision exists; `nothing`: no law of ours is cited.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from serving.contract.citations import Citation, Grammar, parse
from serving.contract.citations.cases import find_cases
from serving.contract.citations.short_forms import read_short_forms

_HELD = ("us-usc", "dc-code", "ca-san-mateo-code")
_FILE = Path(__file__).with_name("marked_drafts.tsv")


class Mark(NamedTuple):
    """Characters [start, end) of a sentence and what must be read in them."""

    start: int
    end: int
    expected: str


def _row(line: str) -> tuple[str, list[Mark]]:
    _, written, expected = line.split("\t")
    written = re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), written).replace("\\n", "\n")
    pieces = re.split("[⟦⟧]", written.replace("\\\\", "\\"))
    text, marks, wanted = "", [], iter(expected.split("; "))
    for place, piece in enumerate(pieces):
        if place % 2:
            marks.append(Mark(len(text), len(text) + len(piece), next(wanted)))
        text += piece
    return text, marks


ROWS = [_row(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def _read(text: str, grammar: Grammar) -> tuple[list[Citation], list[tuple[int, int]]]:
    """Return the citations of law in a text, short forms too, and the spans of all that is listed."""
    full = parse(text, grammar)
    cases = [(case.start, case.end) for case in find_cases(text)]
    short = read_short_forms(text, grammar, full, others=cases, stands=lambda _: True)
    read = sorted([*full, *short], key=lambda one: one.start)
    return read, [*((one.start, one.end) for one in read), *cases]


def _is_ours(citation: Citation) -> bool:
    return citation.code in _HELD and citation.kind not in ("unread", "rule")


def test_there_are_hundreds_of_marks() -> None:
    assert sum(len(marks) for _, marks in ROWS) >= 600
    assert all(mark.expected for _, marks in ROWS for mark in marks)


@pytest.mark.parametrize(("text", "marks"), ROWS, ids=range(len(ROWS)))
def test_each_mark_is_read(grammar: Grammar, text: str, marks: list[Mark]) -> None:
    read, listed = _read(text, grammar)
    assert marks or not any(map(_is_ours, read))
    for mark in marks:
        inside = [one for one in read if one.start < mark.end and one.end > mark.start]
        ours = [one.canonical for one in inside if _is_ours(one)]
        missed, _, wanted = mark.expected.rpartition("missed ")
        if missed or mark.expected.startswith("missed "):
            assert not [one for one in ours if one != wanted], mark
        elif wanted == "other":
            assert not ours, mark
            assert [span for span in listed if span[0] < mark.end and span[1] > mark.start], mark
        elif wanted != "any":
            assert wanted in [one.canonical for one in inside], mark


@pytest.mark.parametrize(
    "text",
    [
        "It is rejected under 35 U.S.C. 112, second paragraph, as indefinite.",
        "See 35 U.S.C. § 112, ¶ 2.",
        "See 18 U.S.C. § 1030(a)[2](C).",
        "See 18 U.S.C. § 1030(a)/(c).",
        "See 28 U.S.C. § 1332, subd. (a), par. 1.",
        "See 28 U.S.C. § 1332.(a)(1).",
        "See 28 U.S.C. par. 1332.",
        "See 18 U.S. Code Cong. Almanac 924.",
        "See D.C. Code app. § 22-404.",
    ],
)
def test_what_is_not_understood_in_full_is_unread(grammar: Grammar, text: str) -> None:
    assert [one.kind for one in parse(text, grammar)] == ["unread"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a 26 USC 501c3 charity", ["26 U.S.C. § 501(c)(3)"]),
        ("a 26 U.S.C. 501(c)3 charity", ["26 U.S.C. § 501(c)(3)"]),
        ("per 42USC1983 and 28USC§1331", ["42 U.S.C. § 1983", "28 U.S.C. § 1331"]),
        (
            "Title 18, United States Code, Section 1341 and Section 2.",
            ["18 U.S.C. § 1341", "18 U.S.C. § 2"],
        ),
        ("28 U.S.C. § 1331, paragraph 4 of the complaint", ["28 U.S.C. § 1331"]),
        ("Title 18, United States Code, Section 1341 and Section 2 of the Act", ["18 U.S.C. § 1341"]),
        ("28 U.S.C. § 1331, subsections (a)(1), (b) and (c) of this section", ["28 U.S.C. § 1331"]),
        ("42 U.S.C. § 1983[12] says", ["42 U.S.C. § 1983"]),
        ("See 28 U.S.C. § 1332, subd. (a), par. (1).", ["28 U.S.C. § 1332(a)(1)"]),
    ],
)
def test_what_is_understood_is_read(grammar: Grammar, text: str, canonical: list[str]) -> None:
    assert [one.canonical for one in parse(text, grammar)] == canonical


@pytest.mark.parametrize(
    "text",
    ["See Rule 12 of the game, R. 12, and the rules 3 to 7.", "He wrote Tenn. R. to 12 courts.", "4 RCA 12"],
)
def test_what_is_called_a_rule_alone_is_no_rule_of_a_court(grammar: Grammar, text: str) -> None:
    assert parse(text, grammar) == []


def test_rules_of_a_state_are_not_those_of_the_united_states(grammar: Grammar) -> None:
    ours, theirs = parse("Sup. Ct. R. 10 differs from Va. Sup. Ct. R. 10.", grammar)
    assert (ours.canonical, theirs.kind) == ("Sup. Ct. R. 10", "unknown_code")

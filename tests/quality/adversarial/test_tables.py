"""The adversarial tables themselves: enough rows, of every kind, true and false, each with its evidence."""

from collections import Counter
from pathlib import Path

import pytest

from tests.quality.adversarial.answers import Said, SaidOfQuote
from tests.quality.adversarial.judging import Judgement, judge_citations, judge_quotation
from tests.quality.adversarial.tables import (
    FIRST,
    SECOND,
    CitationRow,
    Expected,
    QuotationRow,
    citation_rows,
    draft_rows,
    quotation_rows,
)

OUTCOMES = {
    "found",
    "ambiguous",
    "repealed",
    "reserved",
    "renumbered",
    "transferred",
    "omitted",
    "expired",
    "not_in_code",
    "pin_not_found",
    "outside_coverage",
    "unknown_code",
    "act_unmapped",
    "unchecked",
    "unparsed",
}
CITATION_KINDS = {
    "spelling": 60,
    "noise": 25,
    "other law, unknown name": 40,
    "other law, known": 40,
    "regulations": 25,
    "u.c.c. and model codes": 10,
    "session laws and registers": 15,
    "editions": 10,
    "ranges and lists": 25,
    "acts and nicknames": 25,
    "pins that do not exist": 30,
    "pins that exist": 25,
    "pins that stand several times": 8,
    "numbers that stand twice": 6,
    "numbers that do not exist": 15,
    "dead provisions": 15,
    "case citations": 12,
    "id., supra, bare section": 12,
    "not law at all": 10,
    "ours beside other law": 35,
}
QUOTATION_KINDS = {
    "verbatim",
    "letters' case and marks",
    "layout noise",
    "ellipsis, harmless",
    "brackets, harmless",
    "wrong part",
    "several parts",
    "ellipsis over a not, modal or number",
    "ellipsis over the subject",
    "brackets that change",
    "words changed",
    "cut before its exception",
    "begins after a not",
    "too short",
    "not in force",
    "pin that does not exist",
    "other section's words",
    "stitched and invented",
}
WARNINGS = {
    "negation",
    "modal",
    "number",
    "omitted",
    "continues",
    "too_short",
    "not_in_force",
    "other_part",
}
VERDICTS = {"exact", "normalised", "altered", "absent", "not_checked"}


def test_tables_are_as_large_as_they_must_be() -> None:
    assert len(citation_rows()) >= 400
    assert len(quotation_rows()) >= 150
    assert len(draft_rows()) >= 60


@pytest.mark.parametrize("folder", [FIRST, SECOND], ids=["first", "second"])
def test_ids_name_one_row(folder: Path) -> None:
    ids = [row.id for row in citation_rows(folder)] + [row.id for row in quotation_rows(folder)]
    ids += [draft.citations.id for draft in draft_rows(folder)]
    assert [one for one, count in Counter(ids).items() if count > 1] == []


@pytest.mark.parametrize("folder", [FIRST, SECOND], ids=["first", "second"])
def test_true_and_false_are_balanced(folder: Path) -> None:
    shares = {
        "citations": [row.holds for row in citation_rows(folder)],
        "quotations": [row.holds for row in quotation_rows(folder)],
        "drafts": [draft.clean for draft in draft_rows(folder)],
    }
    for name, held in shares.items():
        assert 0.4 <= sum(held) / len(held) <= 0.6, name


def test_every_kind_is_there() -> None:
    counts = Counter(row.kind for row in citation_rows())
    assert {kind: counts[kind] for kind in CITATION_KINDS if counts[kind] < CITATION_KINDS[kind]} == {}
    assert {row.kind for row in quotation_rows()} == QUOTATION_KINDS


def test_citations_are_asked_for_typed_and_in_text() -> None:
    typed = sum(row.typed for row in citation_rows())
    assert 0.35 <= typed / len(citation_rows()) <= 0.65


@pytest.mark.parametrize("folder", [FIRST, SECOND], ids=["first", "second"])
def test_no_text_is_asked_for_twice(folder: Path) -> None:
    texts = Counter((row.text, row.typed) for row in citation_rows(folder))
    assert [text for text, count in texts.items() if count > 1] == []


@pytest.mark.parametrize("folder", [FIRST, SECOND], ids=["first", "second"])
def test_outcomes_and_warnings_are_known(folder: Path) -> None:
    cited = [*citation_rows(folder), *(draft.citations for draft in draft_rows(folder))]
    quoted = [*quotation_rows(folder), *(one for draft in draft_rows(folder) for one in draft.quotations)]
    assert {outcome for row in cited for one in row.expected for outcome in one.outcome} <= OUTCOMES
    assert {verdict for row in quoted for verdict in row.expected} <= VERDICTS
    assert {warning for row in quoted for warning in row.warnings} <= WARNINGS


def test_every_row_says_why() -> None:
    cited = [*citation_rows(), *(draft.citations for draft in draft_rows())]
    reasons = {row.id: row.why for row in cited} | {row.id: row.why for row in quotation_rows()}
    assert [one for one, why in reasons.items() if len(why) < 15] == []


def test_what_is_found_names_a_provision_and_its_file() -> None:
    for row in citation_rows():
        for one in row.expected:
            if one.is_found and "§" in (one.citation or ""):
                number = (one.citation or "").rpartition("§ ")[2]
                assert number in row.why, row.id


def _row(*expected: Expected, whole: bool = False) -> CitationRow:
    return CitationRow("one", "kind", "text", True, True, expected, whole, False, "for this test")


def _said(outcome: str, citation: str | None, pin: str | None = None, *, pin_found: bool = True) -> Said:
    status = "in_force" if outcome in ("found", "pin_not_found") else None
    return Said(outcome, citation, pin, pin is not None and pin_found, status)


FOUND = Expected(("found",), "1 Code § 2")
OTHER = Expected(("unknown_code",))


@pytest.mark.parametrize(
    ("row", "said", "judgement"),
    [
        (_row(FOUND), [_said("found", "1 Code § 2")], Judgement.RIGHT),
        (_row(FOUND), [_said("unparsed", None)], Judgement.REFUSED),
        (_row(FOUND), [], Judgement.REFUSED),
        (_row(FOUND), [_said("found", "1 Code § 3")], Judgement.FALSE_CONFIRMATION),
        (_row(OTHER), [_said("found", "1 Code § 2")], Judgement.FALSE_CONFIRMATION),
        (_row(OTHER), [_said("pin_not_found", "1 Code § 2", "(z)")], Judgement.FALSE_CONFIRMATION),
        (_row(OTHER), [_said("unknown_code", None)], Judgement.RIGHT),
        (_row(OTHER), [_said("unparsed", None)], Judgement.MISS),
        (_row(), [_said("found", "1 Code § 2")], Judgement.FALSE_CONFIRMATION),
        (
            _row(Expected(("pin_not_found",), "1 Code § 2", "(z)")),
            [_said("found", "1 Code § 2", "(z)", pin_found=False)],
            Judgement.FALSE_CONFIRMATION,
        ),
        (
            _row(FOUND, Expected(("found",), "1 Code § 4"), whole=True),
            [_said("found", "1 Code § 2")],
            Judgement.FALSE_CONFIRMATION,
        ),
        (
            _row(Expected(("found",), "1 Code § 2", "(a)")),
            [_said("found", "1 Code § 2", "(b)")],
            Judgement.FALSE_CONFIRMATION,
        ),
        (_row(Expected(("found",), "1 Code § 2", "(a)")), [_said("found", "1 Code § 2")], Judgement.REFUSED),
    ],
)
def test_a_citation_is_judged(row: CitationRow, said: list[Said], judgement: Judgement) -> None:
    assert judge_citations(row, said).judgement is judgement


@pytest.mark.parametrize(
    ("holds", "warnings", "verdict", "given", "judgement"),
    [
        (True, (), "exact", (), Judgement.RIGHT),
        (True, (), "absent", (), Judgement.REFUSED),
        (True, ("other_part",), "exact", (), Judgement.MISS),
        (False, ("negation",), "exact", (), Judgement.FALSE_CONFIRMATION),
        (False, ("negation",), "exact", ("negation",), Judgement.RIGHT),
        (False, (), "normalised", (), Judgement.FALSE_CONFIRMATION),
        (False, (), "absent", (), Judgement.MISS),
    ],
)
def test_a_quotation_is_judged(
    *, holds: bool, warnings: tuple[str, ...], verdict: str, given: tuple[str, ...], judgement: Judgement
) -> None:
    row = QuotationRow(
        "one", "kind", "1 Code § 2", "words", holds, ("exact",), frozenset(warnings), None, "for this test"
    )
    assert judge_quotation(row, SaidOfQuote(verdict, frozenset(given), None)).judgement is judgement

"""Block quotations of Markdown, which have no quotation marks, and the citations above and below them."""

import pytest

from serving.services.citations.drafts import check_draft
from serving.services.quotations.ascriptions import ascribe
from serving.services.quotations.drafts import check_quotations
from tests.growth import grows_with_length

TRUE = "> Every ferry of the harbor board carries\n> one pilot"
FALSE = "> Every ferry of the harbor board carries\n> nine pilots"
LESS = "> A vessel without a certificate is . . . entitled to a berth."
TWO = (
    "> A vessel without a certificate is not entitled to a berth.\n>\n> The harbor master may waive this rule"
)


def checked(snapshot, text):
    check = check_draft(snapshot, text)
    found = check_quotations(snapshot, text, check)
    return [
        (
            text[one.start : one.end],
            str(one.verified.outcome),
            check.checked[one.citation].resolution.citation,
        )
        for one in found.checked
    ], [text[one.start : one.end] for one in found.unverified]


@pytest.mark.parametrize(
    ("text", "block", "outcome", "citation"),
    [
        (f"1 S.F.C. § 5 provides:\n\n{TRUE}\n\nSo it is.", TRUE, "normalised", "1 S.F.C. § 5"),
        (f"1 S.F.C. § 5 provides:\n\n{FALSE}\n\nSo it is.", FALSE, "absent", "1 S.F.C. § 5"),
        (f"Under 1 S.F.C. § 5,\n{TRUE}.", TRUE + ".", "normalised", "1 S.F.C. § 5"),
        (f"What 1 S.F.C. § 5 states\n\n{FALSE}", FALSE, "absent", "1 S.F.C. § 5"),
        (f"The law is old.\n\n{TRUE}.\n\n1 S.F.C. § 5.", TRUE + ".", "normalised", "1 S.F.C. § 5"),
        (f"The law is old.\n\n{FALSE}.\n\n1 S.F.C. § 5. It is old.", FALSE + ".", "absent", "1 S.F.C. § 5"),
        (f"It is old.\n\n{FALSE}.\n\n*See* 1 S.F.C. § 5.\n", FALSE + ".", "absent", "1 S.F.C. § 5"),
        (f"{FALSE}\n>\n> — 1 S.F.C. § 5", FALSE, "absent", "1 S.F.C. § 5"),
        (f"{TRUE}\n> (1 S.F.C. § 5)\n\nThe end.", TRUE, "normalised", "1 S.F.C. § 5"),
        # Two paragraphs are one quotation, and marks within a block one within it.
        (f"1 S.F.C. § 1(c) says:\n\n{TWO}\n\nSo it is.", TWO, "normalised", "1 S.F.C. § 1(c)"),
        ("1 S.F.C. § 5 says:\n\n> Every “ferry” of the board.\n\nOf 1 S.F.C. § 3.", "> Every “ferry” of the board.", "absent", "1 S.F.C. § 5"),
        (f"1 S.F.C. § 1(c) says:\n\n{LESS}\n", LESS, "altered", "1 S.F.C. § 1(c)"),
        # What leads in comes before what stands below.
        (f"1 S.F.C. § 5 says:\n\n{FALSE}.\n\nSee also 1 S.F.C. § 3.", FALSE + ".", "absent", "1 S.F.C. § 5"),
    ],
)  # fmt: skip
def test_a_block_is_of_the_citation_that_leads_in_or_stands_below(harbors, text, block, outcome, citation):
    assert checked(harbors, text) == ([(block, outcome, citation)], [])


@pytest.mark.parametrize(
    "text",
    [
        f"{FALSE}\n\nSo it is.",
        f"1 S.F.C. § 5 is old.\n\n{FALSE}",
        f"1 S.F.C. § 5 says so.\n\nThe mate adds:\n\n{FALSE}",
        f"Of 1 S.F.C. § 5 the witness said:\n\n{FALSE}",
        f"In Roe v. Doe the court read 1 S.F.C. § 5:\n\n{FALSE}",
        f"{FALSE}.\n\n1 S.F.C. § 5 allows it.",
        f"{FALSE}\n\n1 S.F.C. § 5, by contrast, allows it.",
        f"{FALSE}\n\nSo it is.\n\n1 S.F.C. § 5.",
    ],
)
def test_a_block_that_no_citation_is_the_source_of_is_told_as_unverified(harbors, text):
    found, unverified = checked(harbors, text)
    assert found == []
    assert [one.rstrip(".") for one in unverified] == [FALSE]


ABOVE, BELOW = "> Every ferry of the harbor board carries one pilot,", "> two lanterns and a bell of bronze."


@pytest.mark.parametrize(
    "text",
    [
        f"{ABOVE}\n\n{BELOW}\n\n1 S.F.C. § 5.",
        f"1 S.F.C. § 5 provides:\n\n{ABOVE}\n\n\n{BELOW}\n\nSo it is.",
        f"1 S.F.C. § 5 provides:\n\n{ABOVE}\n\n{BELOW}\n> — 1 S.F.C. § 5",
    ],
)
def test_blocks_with_but_blank_lines_between_them_are_of_one_citation(harbors, text):
    cited = [("normalised", "1 S.F.C. § 5")] * 2
    found, unverified = checked(harbors, text)
    assert [one[0] for one in found] == [ABOVE, BELOW]
    assert ([one[1:] for one in found], unverified) == (cited, [])


@pytest.mark.parametrize(
    "text",
    [
        f"{FALSE}\n\nSo it is.\n\n{BELOW}\n\n1 S.F.C. § 5.",
        f"1 S.F.C. § 5:\n\n{BELOW}\n\nOr so it was.\n\n{FALSE}",
        f"{FALSE}\n> — Mate\n\nSo it is.\n\n{BELOW}\n\n1 S.F.C. § 5.",
    ],
)
def test_blocks_with_words_between_them_are_not_of_one_citation(harbors, text):
    found, unverified = checked(harbors, text)
    assert [one[0] for one in found] == [BELOW]
    assert [one.removesuffix("\n> — Mate") for one in unverified] == [FALSE]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("1 S.F.C. § 5 says:\n<blockquote>{}</blockquote>\nSo.", "normalised"),
        ("<blockquote cite='x'>\n<p>{}</p>\n</blockquote>\n1 S.F.C. § 5.", "normalised"),
    ],
)
@pytest.mark.parametrize("pilots", ["one pilot", "nine pilots"])
def test_a_block_of_html_is_one(harbors, text, outcome, pilots):
    text = text.format(f"Every ferry of the harbor board carries {pilots}")
    (((block, found, _),), unverified) = checked(harbors, text)
    assert block.endswith("</blockquote>")
    assert (found, unverified) == (outcome if pilots == "one pilot" else "absent", [])


def test_a_block_with_a_decision_below_it_is_not_of_the_law_that_this_cites(harbors):
    text = f"{FALSE}.\n\nRoe v. Doe, 42 F.3d 1983 (citing 1 S.F.C. § 5)."
    (((_, outcome, _),), unverified) = checked(harbors, text)
    assert (outcome, unverified) == ("not_checked", [])


@pytest.mark.parametrize(
    ("text", "quotations"),
    [
        # A block of prose is none: its own quotations are.
        ("> 1 S.F.C. § 5 asks that it have\n> “two lanterns and a bell”.", ["two lanterns and a bell"]),
        (
            "The mate wrote:\n\n> It has “two lanterns and a bell.” 1 S.F.C. § 5.",
            ["two lanterns and a bell."],
        ),
        ("> “Two lanterns and a bell.”\n\n1 S.F.C. § 5.", ["Two lanterns and a bell."]),
        ("1 S.F.C. § 5:\n\n> “Two lanterns and a bell.”\n\nSo it is.", ["Two lanterns and a bell."]),
    ],
)
def test_quotations_within_prose_in_a_block_are_those_of_the_prose(harbors, text, quotations):
    assert [one[0] for one in checked(harbors, text)[0]] == quotations


@pytest.mark.parametrize(
    ("repeated", "end"),
    [
        ("a\n\n> ", ""),
        ("\n1 S.F.C. § 5:\n> a b c d\n\n", ""),
        ("> ", ""),
        ("\n>", ""),
        ("1 S.F.C. § 5\n> ", ""),
        (" ", "x 1 S.F.C. § 5"),
        ("*", "x 1 S.F.C. § 5"),
        ("\n\n> b", "\n\n1 S.F.C. § 5"),
        ("<blockquote>", ""),
    ],
)
def test_many_blocks_and_long_ones_take_no_long_time(repeated, end):
    def read(text):
        spans, place = [], text.find("1 S.F.C.")
        while place >= 0:
            spans.append((place, place + 12))
            place = text.find("1 S.F.C.", place + 1)
        return ascribe(text, spans)

    assert grows_with_length(
        read, lambda length: "> a\n> " + repeated * (length // len(repeated)) + end, 80_000
    )

"""Checking drafts: every citation once, in order, and quickly."""

import pytest

from serving.services.citations.drafts import check_draft
from serving.services.citations.resolution import Outcome, Reason

DRAFT = (
    "The use is fair, 1 S.F.C. § 7(a), and not infringing. But see 1 S.F.C. § 8 (repealed); cf. 1 S.F.C. §§ 5, 9. "
    "Section 1 of the Act and § 12(b) are another matter; 17 U.S.C. § 107 is not held."
)


def checked(snapshot, text, **options):
    check = check_draft(snapshot, text, **options)
    return [(text[one.start : one.end], str(one.resolution.outcome)) for one in check.checked]


def test_every_citation_has_its_outcome_in_order(snapshot):
    assert checked(snapshot, DRAFT) == [
        ("1 S.F.C. § 7(a)", "found"),
        ("1 S.F.C. § 8", "repealed"),
        ("1 S.F.C. §§ 5", "found"),
        ("9", "found"),
        ("Section 1", "unparsed"),
        ("§ 12(b)", "unparsed"),
        ("17 U.S.C. § 107", "unknown_code"),
    ]


@pytest.mark.parametrize(
    ("draft", "unread"),
    [
        ("1 S.F.C. § 7(1 is not closed", "(1"),
        ("A long way before it, and then 1 S.F.C. § 7(1 is not closed", "(1"),
        ("As it is written: 1&nbsp;S.F.C. &sect; 7(1 is not closed", "(1"),
        ("1 S.F.C. § 7(a) and then 1 S.F.C. § (Rule) 5", " §"),
        ("And\nthen &sect; 12 too", ""),
    ],
)
def test_an_offset_counts_from_the_start_of_what_is_not_understood(snapshot, draft, unread):
    resolution = check_draft(snapshot, draft).checked[-1].resolution
    assert resolution.input[resolution.offset :] == unread


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "See 1 S.F.C. § 7(a); id. § 8. Roe v. Wade, 410 U.S. 113 (1973). Id. § 5 says so.",
            [
                ("1 S.F.C. § 7(a)", "found", False),
                ("id. § 8", "repealed", True),
                ("Roe v. Wade, 410 U.S. 113 (1973)", "unchecked", False),
                ("§ 5", "unparsed", False),
            ],
        ),
        (
            "1 S.F.C. § 5 is clear; see § 7(z). And § 99 too.",
            [
                ("1 S.F.C. § 5", "found", False),
                ("§ 7(z)", "pin_not_found", True),
                ("§ 99", "unparsed", False),
            ],
        ),
    ],
)
def test_short_forms_are_inferred_and_cases_unchecked(snapshot, text, said):
    found = [one.resolution for one in check_draft(snapshot, text).checked]
    assert [(one.input, str(one.outcome), one.inferred) for one in found] == said


@pytest.mark.parametrize(
    ("draft", "outcomes"),
    [
        ("1 S.F.C. § 7 is clear.\n\nThe first part is § 7(a).", ["found", "found"]),
        ("1. 1 S.F.C. § 7.\n2. § 7(z).", ["found", "pin_not_found"]),
        ("1 S.F.C. § 7; 17 U.S.C. § 7.\n\nThe first part is § 7(a).", ["found", "unknown_code", "unparsed"]),
        (
            "Former 1 S.F.C. § 7; 1 S.F.C. § 5.\n\nThe first part is § 7(a).",
            ["outside_coverage", "found", "unparsed"],
        ),
        (
            "1 S.F.C. § 5 is clear. The § 7 motion and the lease, § 9, differ.",
            ["found", "unparsed", "unparsed"],
        ),
        (
            "1 S.F.C. § 5 is clear. The § 7 motion fails. The lease, § 9, differs.",
            ["found", "found", "unparsed"],
        ),
    ],
)
def test_a_section_sign_a_paragraph_on_is_of_the_law_that_was_cited_in_full(snapshot, draft, outcomes):
    assert [str(one.resolution.outcome) for one in check_draft(snapshot, draft).checked] == outcomes


def test_what_a_draft_calls_former_is_not_the_provision_that_has_its_number_now(snapshot):
    draft = "Former 1 S.F.C. §§ 5 and 9; 1 S.F.C. § 7(a) (pre-AIA); former 1 S.F.C. § 8; former 1 S.F.C. § 99. 1 S.F.C. § 7(a) stands."
    found = [one.resolution for one in check_draft(snapshot, draft).checked]
    assert [(one.input, str(one.outcome), one.reason) for one in found] == [
        ("1 S.F.C. §§ 5", "outside_coverage", Reason.FORMER),
        ("9", "outside_coverage", Reason.FORMER),
        ("1 S.F.C. § 7(a)", "outside_coverage", Reason.FORMER),
        ("1 S.F.C. § 8", "repealed", None),
        ("1 S.F.C. § 99", "outside_coverage", Reason.FORMER),
        ("1 S.F.C. § 7(a)", "found", None),
    ]
    assert {one.provision for one in found[:3]} == {None}


def test_the_current_version_that_is_named_beside_a_former_one_is_found(snapshot):
    draft = (
        "1 S.F.C. § 7 (2012) (current version at 1 S.F.C. § 5); 1 S.F.C. § 7(a), repealed by 1 S.F.C. § 5."
    )
    assert [
        (one.input, str(one.outcome))
        for one in (one.resolution for one in check_draft(snapshot, draft).checked)
    ] == [
        ("1 S.F.C. § 7", "outside_coverage"),
        ("1 S.F.C. § 5", "found"),
        ("1 S.F.C. § 7(a)", "outside_coverage"),
        ("1 S.F.C. § 5", "found"),
    ]


def test_citations_may_be_taken_in_turns(snapshot):
    whole = checked(snapshot, DRAFT)
    total = check_draft(snapshot, DRAFT).total
    assert total == len(whole)
    assert [one for first in range(total) for one in checked(snapshot, DRAFT, first=first, limit=1)] == whole
    assert checked(snapshot, DRAFT, first=total) == []


def test_a_title_beside_a_former_section_is_not_found(snapshot):
    found = [
        one.resolution.reason for one in check_draft(snapshot, "Under 1 S.F.C. former § 7 it fell.").checked
    ]
    assert found == [Reason.FORMER, None]


def test_what_is_said_of_a_list_holds_where_its_members_are_asked_for_apart(snapshot):
    draft = "Former 1 S.F.C. §§ 5 and 9; 1 S.F.C. §§ 5, 9 (as in effect before 1993)."
    apart = [check_draft(snapshot, draft, first=first, limit=1).checked[0] for first in range(4)]
    assert {one.resolution.reason for one in apart} == {Reason.FORMER}


@pytest.mark.parametrize("text", ["", "nothing", "§", "§§", "§ x"])
def test_a_draft_without_citations_is_checked(snapshot, text):
    assert check_draft(snapshot, text).checked == ()


def test_an_unread_sign_is_told_with_what_it_lacks(snapshot):
    (only,) = check_draft(snapshot, "as in § 12(b)").checked
    assert (only.resolution.outcome, only.resolution.expected) == (
        Outcome.UNPARSED,
        "the code that it belongs to",
    )


def test_a_long_draft_is_checked_whole(snapshot):
    text = (
        DRAFT + " Whoever reads this far has read enough of the argument to judge it for themselves. "
    ) * 400
    assert check_draft(snapshot, text[:102_400]).total > 1_500

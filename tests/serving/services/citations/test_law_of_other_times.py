"""Citations of an edition from before the provision bore its number."""

import pytest

from serving.services.citations.drafts import check_draft
from serving.services.citations.resolution import Outcome, Reason
from serving.services.citations.resolve import resolve
from serving.services.quotations.verification import verify_quotes
from serving.services.quotations.verified_quotes import QuotationOutcome, Quote
from serving.services.quotations.warnings import QuotationWarning

OUTSIDE = (Outcome.OUTSIDE_COVERAGE, Reason.EDITION_NOT_HELD)
FORMER = (Outcome.OUTSIDE_COVERAGE, Reason.FORMER)
FOUND = (Outcome.FOUND, None)


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("4 S.F.C. § 107 (1909)", OUTSIDE),
        ("4 S.F.C. § 107(a) (1970 ed., Supp. V)", OUTSIDE),
        ("4 S.F.C. § 107(z) (1970)", OUTSIDE),
        ("4 S.F.C. § 107, 1940 ed.", OUTSIDE),
        ("4 S.F.C. (1940 ed.) § 107", OUTSIDE),
        ("4 S.F.C. § 701 (2012)", OUTSIDE),
        ("4 S.F.C. § 701 (2012 & Supp. V 2017)", OUTSIDE),
        ("4 S.F.C. §§ 107, 108 (1952)", OUTSIDE),
        ("4 S.F.C. §§ 107-109 (1952)", OUTSIDE),
        ("4 S.F.C. §§ 107 and 701 (2012)", OUTSIDE),
        ("4 S.F.C. § 107 (1976)", FOUND),
        ("4 S.F.C. § 107 (1970 ed., Supp. VI)", FOUND),
        ("4 S.F.C. § 107 (1970 & Supp.)", FOUND),
        ("4 S.F.C. § 107 (2018 ed.)", FOUND),
        ("4 S.F.C. § 107 (West 2020)", FOUND),
        ("4 S.F.C. § 107 (2090)", FOUND),
        ("4 S.F.C. § 701 (2018)", FOUND),
        ("4 S.F.C. §§ 107, 108 (1982)", FOUND),
        ("4 S.F.C. § 109 (1926)", FOUND),
        ("1 S.F.C. § 5 (1926)", FOUND),
        ("1 S.F.C. § 8 (1926)", (Outcome.REPEALED, None)),
        ("4 S.F.C. § 999 (1926)", OUTSIDE),
        ("4 S.F.C. § 110 (2012)", OUTSIDE),
        ("4 S.F.C. § 110 (2018)", (Outcome.NOT_IN_CODE, None)),
        ("4 S.F.C. § 106 (1926)", (Outcome.NOT_IN_CODE, None)),
        ("4 S.F.C. (1926)", FOUND),
        # A title that was made of others: the credits of its sections do not say since when it is there.
        ("3 S.F.C. § 1 (2012)", OUTSIDE),
        ("3 S.F.C. § 1 (2012 ed., Supp. I)", OUTSIDE),
        ("3 S.F.C. § 1(z) (2006)", OUTSIDE),
        ("3 S.F.C. (2012)", OUTSIDE),
        ("section 1 of title 3, S.F.C. (2012)", OUTSIDE),
        ("3 S.F.C. § 1 (2012 ed., Supp. II)", FOUND),
        ("3 S.F.C. § 1 (2012 & Supp.)", FOUND),
        ("3 S.F.C. § 1 (2014)", FOUND),
        ("3 S.F.C. § 1 (West 2020)", FOUND),
        ("3 S.F.C. § 1", FOUND),
        ("3 S.F.C. (2018)", FOUND),
        ("3 S.F.C. app. § 3 (1982)", (Outcome.AMBIGUOUS, Reason.ACT_NUMBERING)),
        ("3 S.F.C. app. (1982)", FOUND),
        ("Dock Act of 1978 § 3, 3 S.F.C. app. (1982)", FOUND),
        ("3 S.F.C. § 999 (2006)", OUTSIDE),
        ("3 S.F.C. § 999 (2018)", (Outcome.NOT_IN_CODE, None)),
        ("Sample Code § 3-1 (1975)", FOUND),
    ],
)
def test_an_edition_from_before_the_section_is_not_held(cited, typed, outcome):
    found = resolve(cited, typed)
    assert (found.outcome, found.reason) == outcome
    assert found.provision is None or outcome[0] is not Outcome.OUTSIDE_COVERAGE


def test_in_a_draft_each_citation_is_of_its_own_edition(cited):
    draft = "See 4 S.F.C. § 107 (1909); 4 S.F.C. § 107 (2018); 4 S.F.C. §§ 107, 108 (1952). In 1909 4 S.F.C. § 107 was new."
    found = [(one.resolution.outcome, one.resolution.reason) for one in check_draft(cited, draft).checked]
    assert found == [OUTSIDE, FOUND, OUTSIDE, OUTSIDE, FOUND]


def test_a_short_form_is_of_the_edition_before_it_unless_it_names_its_own(cited):
    draft = "See 4 S.F.C. § 701 (2012). Id. § 107; id. § 701; id. § 701 (2018). Id. § 701. 4 S.F.C. § 701 (2012); 4 S.F.C. § 701."
    found = [(one.resolution.outcome, one.resolution.reason) for one in check_draft(cited, draft).checked]
    assert found == [OUTSIDE, FOUND, OUTSIDE, FOUND, FOUND, OUTSIDE, FOUND]


def test_the_edition_of_a_list_is_of_that_list_alone(cited):
    draft = (
        "See 4 S.F.C. §§ 107, 108 (1952); 4 S.F.C. §§ 107, 108 (1982). See 4 S.F.C. § 107(a) and (b) (1952)."
    )
    checked = check_draft(cited, draft).checked
    found = [(one.resolution.outcome, one.resolution.reason) for one in checked]
    assert found == [OUTSIDE, OUTSIDE, FOUND, FOUND, OUTSIDE, OUTSIDE]


@pytest.mark.parametrize(
    "draft",
    [
        "Under pre–Dock Act 4 S.F.C. § 107, it",
        "See now-repealed 4 S.F.C. § 107.",
        "See 4 S.F.C. § 107 (now codified at 4 S.F.C. § 999).",
        "See 4 S.F.C. § 107 (until 2013).",
        "See 4 S.F.C. § 107 (prior to the Dock Act).",
    ],
)
def test_a_draft_says_that_a_provision_is_of_former_law(cited, draft):
    first = check_draft(cited, draft).checked[0].resolution
    assert (first.outcome, first.reason, first.provision) == (*FORMER, None)


@pytest.mark.parametrize(
    "typed", ["old 4 S.F.C. § 107", "now–repealed 4 S.F.C. § 107", "4 S.F.C. § 107(a) & (b) (pre–AIA)"]
)
def test_what_is_typed_says_that_a_provision_is_of_former_law(cited, typed):
    found = resolve(cited, typed)
    assert (found.outcome, found.reason) == FORMER
    assert {(one.outcome, one.reason) for one in found.members} <= {FORMER}


def test_a_short_form_of_the_same_section_is_of_former_law_as_it_was(cited):
    draft = (
        "See 4 S.F.C. § 107(a) (repealed). Id. § 107(b); id. (a). Id. § 701. See 4 S.F.C. § 701. Id. § 107."
    )
    found = [(one.resolution.outcome, one.resolution.reason) for one in check_draft(cited, draft).checked]
    assert found == [FORMER, FORMER, FORMER, FOUND, FOUND, FOUND]


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("4 S.F.C. § 107 (Harbor Act of 1909)", OUTSIDE),
        ("4 S.F.C. § 107 (1909 Harbor Act)", OUTSIDE),
        ("4 S.F.C. § 107(a) (2018) (under the Act of Mar. 4, 1909)", OUTSIDE),
        ("4 S.F.C. §§ 107, 108 (Harbor Act of 1909)", OUTSIDE),
        ("4 S.F.C. § 107 (Pier Act of 1909)", OUTSIDE),
        ("4 S.F.C. § 107 (Pier Act of 1950)", FOUND),
        ("4 S.F.C. § 107 (Federal Pier Act of 1950)", FOUND),
        ("4 S.F.C. § 107 (Harbor Act of 1976)", FOUND),
        ("4 S.F.C. § 107 (Harbor Act of 1998)", FOUND),
        ("4 S.F.C. § 107 (replacing the Harbor Act of 1909)", FOUND),
        ("4 S.F.C. § 109 (Civil Harbor Act of 1871)", FOUND),
        ("3 S.F.C. § 1 (Hull Act of 1965)", FOUND),
        ("Sample Code § 3-1 (Hull Act of 1965)", FOUND),
    ],
)
def test_an_act_in_brackets_that_is_older_than_the_section_is_another_edition(cited, typed, outcome):
    found = resolve(cited, typed)
    assert (found.outcome, found.reason) == outcome


@pytest.mark.parametrize(
    ("draft", "outcome"),
    [
        ("By the Pier Act of 1909, 4 S.F.C. § 107, it was.", OUTSIDE),
        ("By the Pier Act of 1909 (codified at 4 S.F.C. § 109) it was.", OUTSIDE),
        ("By 4 S.F.C. § 107 of the Pier Act of 1909 it was.", OUTSIDE),
        ("By the Pier Act of 1950, 4 S.F.C. § 107, it is.", FOUND),
        ("By the Harbor Act of 1909, 4 S.F.C. § 107, it is.", FOUND),
        ("By the Pier Act of 1909 and 4 S.F.C. § 107 it is.", FOUND),
    ],
)
def test_an_act_that_a_section_is_a_place_of_is_that_of_its_title(cited, draft, outcome):
    (found,) = (one.resolution for one in check_draft(cited, draft).checked if "§" in one.resolution.input)
    assert (found.outcome, found.reason) == outcome


@pytest.mark.parametrize(
    ("typed", "outcome", "year"),
    [
        ("4 S.F.C. § 108 (1988)", Outcome.FOUND, 1992),
        ("4 S.F.C. § 108 (1988 ed., Supp. III)", Outcome.FOUND, 1992),
        ("4 S.F.C. § 108(z) (1988)", Outcome.PIN_NOT_FOUND, 1992),
        ("4 S.F.C. § 108 (1988 ed., Supp. IV)", Outcome.FOUND, None),
        ("4 S.F.C. § 108 (2018)", Outcome.FOUND, None),
        ("4 S.F.C. § 108 (1988 & Supp.)", Outcome.FOUND, None),
        ("4 S.F.C. § 108", Outcome.FOUND, None),
        ("4 S.F.C. § 107 (1988)", Outcome.FOUND, None),
        ("4 S.F.C. § 108 (1952)", Outcome.OUTSIDE_COVERAGE, None),
        ("4 S.F.C. (1988)", Outcome.FOUND, None),
        ("Sample Code § 3-1 (1975)", Outcome.FOUND, None),
    ],
)
def test_the_amendment_of_a_section_since_the_edition_that_is_cited_is_told(cited, typed, outcome, year):
    found = resolve(cited, typed)
    assert (found.outcome, found.amended_since) == (outcome, year)


def test_an_amendment_is_told_of_the_member_of_a_list_that_it_amended(cited):
    found = resolve(cited, "4 S.F.C. §§ 107-109 (1988)")
    assert (found.outcome, found.amended_since) == (Outcome.FOUND, None)
    assert [member.amended_since for member in found.members] == [None, 1992, None]
    draft = "See 4 S.F.C. §§ 107 and 108 (1988). Id. § 108. But 4 S.F.C. § 108 is held."
    assert [one.resolution.amended_since for one in check_draft(cited, draft).checked] == [
        None,
        1992,
        1992,
        None,
    ]


def test_a_quotation_that_is_absent_is_told_to_be_of_an_earlier_edition(cited):
    def said(citation: str) -> tuple[QuotationWarning, ...]:
        (verified,) = verify_quotes(cited, [Quote(quote="a berth is never for sale", citation=citation)])
        assert verified.outcome is QuotationOutcome.ABSENT
        return verified.warnings

    amended = (QuotationWarning.AMENDED_SINCE,)
    assert said("4 S.F.C. § 108 (1988)") == said("4 S.F.C. §§ 107, 108 (1988)") == amended
    assert said("4 S.F.C. § 108 (2018)") == said("4 S.F.C. § 108") == ()
    (held,) = verify_quotes(cited, [Quote(quote="(a) Law.", citation="4 S.F.C. § 108 (1988)")])
    assert QuotationWarning.AMENDED_SINCE not in held.warnings

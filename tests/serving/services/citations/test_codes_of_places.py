"""Codes that are cited without their State: law that is not held, or ambiguous, and never guessed."""

from types import SimpleNamespace

import pytest

from serving.contract.citations import Grammar
from serving.contract.citations.scheme import schemes_of_tables
from serving.services.citations.drafts import check_draft
from serving.services.citations.resolve import resolve

CODES = schemes_of_tables(
    [
        {
            "key": "ca-code",
            "jurisdiction": "ca",
            "template": "Cal. {subject} Code § {num}",
            "names": ["Cal. {subject} Code [Ann.]", "California {subject} Code"],
            "subjects": ["Gov't | Gov. | Government", "Evid. | Evidence"],
        },
        {
            "key": "tx-code",
            "jurisdiction": "tx",
            "template": "Tex. {subject} Code Ann. § {num}",
            "names": ["Tex. {subject} Code [Ann.]", "Texas {subject} Code"],
            "subjects": ["Gov't | Gov. | Government"],
        },
        {
            "key": "oh-code",
            "jurisdiction": "oh",
            "template": "Ohio Rev. Code § {num}",
            "names": ["Ohio Rev. Code [Ann.]"],
            "number": r"\d{3,4}\.\d{2}",
            "loose_numbers": False,
        },
        {
            "key": "wa-code",
            "jurisdiction": "wa",
            "template": "Wash. Rev. Code § {num}",
            "names": ["Wash. Rev. Code [Ann.]"],
            "number": r"\d{1,2}\.\d{2}\.\d{3}",
            "loose_numbers": False,
        },
        {
            "key": "sample-code",
            "jurisdiction": "id",
            "template": "Idaho Harbor Code § {num}",
            "names": ["Idaho Harbor Code"],
        },
        {
            "key": "us-rules",
            "jurisdiction": "us",
            "template": "Fed. R. Crim. P. {num}",
            "names": ["Fed. R. Crim. P[roc.]", "Fed. Crim. R.", "Federal Criminal Rule[s]"],
            "kind": "rule",
        },
    ]
)


@pytest.fixture(scope="module")
def law(snapshot):
    """Return the law of a snapshot, as one that reads the names of these codes."""
    tables = {name: getattr(snapshot, name) for name in ("code_bodies", "nodes", "citations")}
    return SimpleNamespace(**tables, grammar=Grammar(CODES))


@pytest.mark.parametrize(
    ("typed", "candidates"),
    [
        ("Gov. Code § 65906", ["Cal. Gov't Code § 65906", "Tex. Gov't Code Ann. § 65906"]),
        ("Government Code Section 65915", ["Cal. Gov't Code § 65915", "Tex. Gov't Code Ann. § 65915"]),
        ("section 65915 of the Government Code", ["Cal. Gov't Code § 65915", "Tex. Gov't Code Ann. § 65915"]),
        ("Gov’t Code § 66314(b)(1)", ["Cal. Gov't Code § 66314(b)(1)", "Tex. Gov't Code Ann. § 66314(b)(1)"]),
        ("Evid. Code § 1040", ["Cal. Evid. Code § 1040"]),
        ("Evidence Code §§ 1040, 1041", ["Cal. Evid. Code §§ 1040, 1041"]),
        ("Rev. Code § 2903.01", ["Ohio Rev. Code § 2903.01"]),
        ("Rev. Code § 9.94.030", ["Wash. Rev. Code § 9.94.030"]),
        ("Crim. R. 29(c)", ["Fed. R. Crim. P. 29(c)"]),
        ("Criminal Rule 11(b)(1)", ["Fed. R. Crim. P. 11(b)(1)"]),
        ("R. Crim. Proc. 29", ["Fed. R. Crim. P. 29"]),
        ("Rev. Code Ann. § 7", ["Ohio Rev. Code", "Wash. Rev. Code"]),
    ],
)
def test_a_code_without_its_state_is_law_that_is_not_held(law, typed, candidates):
    found = resolve(law, typed)
    assert (str(found.outcome), str(found.reason)) == ("outside_coverage", "code_not_held")
    assert [one.citation for one in found.candidates] == candidates
    assert found.provision is None
    assert resolve(law, found.citation or "").candidates == found.candidates


def test_a_code_that_may_be_a_held_one_is_ambiguous(law):
    found = resolve(law, "Harbor Code § 3-1")
    assert (str(found.outcome), found.provision) == ("ambiguous", None)
    assert [one.citation for one in found.candidates] == ["Idaho Harbor Code § 3-1"]


@pytest.mark.parametrize(
    "typed",
    [
        "Gvmt Code § 5",
        "Ohio Crim. R. 29",
        "Local Criminal Rule 29",
        "Navajo Government Code § 5",
        "Boise Evidence Code § 5",
        "Municipal Code § 5",
    ],
)
def test_a_name_that_no_known_code_bears_is_unknown(law, typed):
    assert str(resolve(law, typed).outcome) == "unknown_code"


def test_in_a_draft_what_repeats_it_is_of_the_same_code(law):
    check = check_draft(law, "See Gov. Code § 65906. 2 Id. § 65915. Cal. Evid. Code § 1040.")
    assert [(one.resolution.citation, str(one.resolution.outcome)) for one in check.checked] == [
        ("Gov. Code § 65906", "outside_coverage"),
        ("Gov. Code § 65915", "outside_coverage"),
        ("Cal. Evid. Code § 1040", "outside_coverage"),
    ]

"""Decisions of courts: found by their reporters, with name, parallel citations and year, and nothing else."""

import pytest

from serving.contract.citations.cases import find_cases, is_case

CASES = [
    "Roe v. Wade, 410 U.S. 113, 153 (1973)",
    "Smith v. Jones, 12 A.3d 45 (D.C. 2011)",
    "Ashcroft v. Iqbal, 556 U.S. 662, 129 S. Ct. 1937, 173 L. Ed. 2d 868 (2009)",
    "Alice Corp. v. CLS Bank Int'l, 573 U.S. 208 (2014)",
    "Marbury v. Madison, 5 U.S. (1 Cranch) 137 (1803)",
    "In re Gault, 387 U.S. 1 (1967)",
    "In the Matter of Doe, 10 N.Y.3d 271 (2008)",
    "Ex parte Young, 209 U.S. 123",
    "Brown v. Board of Education, 347 U. S. 483",
    "People v. Doe, 29 Cal.App.4th 1384",
    "State v. Smith, 2011-Ohio-2345",
    "Jones v. Doe, 35 F. 101 (1888)",
    "Doe v. Roe, No. 12-345, 2013 U.S. Dist. LEXIS 12345 (D.D.C. 2013)",
    "Sierra Club v. EPA, 2019 WL 123456 (D.D.C. Jan. 4, 2019)",
    "410 U.S. at 153",
    "139 S. Ct. 1652",
    "28 F.3d 1331",
]


@pytest.mark.parametrize("case", CASES)
def test_a_case_is_found_in_a_sentence_with_its_name(case: str) -> None:
    text = f"The rule is that of {case}, and no other."
    assert [text[one.start : one.end] for one in find_cases(text)] == [case]


@pytest.mark.parametrize("case", CASES)
def test_a_case_that_is_typed_is_one(case: str) -> None:
    assert is_case(case)
    assert is_case(f"See {case}.")
    assert not is_case(f"{case} and more")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "17 U.S.C. § 107",
        "He paid 12 P. 34 Main Street; 3 Day 5 was hot; 10 Me. 4 of them.",
        "14 Ohio counties and 22 Wash. towns",
        "41 C.F.R. 60-1.4",
        "in 2011 U.S. 5 million were sold",
        "version 3.5 U.S. 12",
        "$5 U.S. 12",
        "12 U.S. 5.3",
        "12 U.S. 5%",
        "section 4 F.3d",
    ],
)
def test_what_looks_like_one_is_none(text: str) -> None:
    assert find_cases(text) == []


def test_each_case_is_found_once() -> None:
    text = "See A. v. B., 1 F.3d 2 (9th Cir. 1993); C. v. D., 3 U.S. 4. In re E, 5 F.4th 6 (2d Cir. 2020)."
    assert [text[one.start : one.end] for one in find_cases(text)] == [
        "A. v. B., 1 F.3d 2 (9th Cir. 1993)",
        "C. v. D., 3 U.S. 4",
        "In re E, 5 F.4th 6 (2d Cir. 2020)",
    ]


def test_a_reporter_that_is_a_word_needs_a_name_or_a_year() -> None:
    assert find_cases("12 Day 34") == []
    assert len(find_cases("12 Day 34 (1805)")) == 1
    assert len(find_cases("Smith v. Jones, 12 Day 34")) == 1

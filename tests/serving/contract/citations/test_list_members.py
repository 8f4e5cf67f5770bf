"""Numbers behind an announced list: the next of it, or the count of what follows."""

import pytest

from serving.contract.citations import Grammar, parse


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("35 U.S.C. §§ 101 and 103, 112 claims were rejected.", ["101", "103"]),
        ("35 U.S.C. §§ 101 or 103, 112 asserted claims fell.", ["101", "103"]),
        ("9 U.S.C. §§ 9, 10, and 11 plaintiffs moved", ["9", "10"]),
        ("9 U.S.C. §§ 3, 4, 9 arbitrators sat.", ["3", "4"]),
        ("9 U.S.C. §§ 3, 4 & 9 people sat.", ["3", "4"]),
        ("35 U.S.C. §§ 101, 102; 112 patents", ["101", "102"]),
        ("35 U.S.C. § 101 and 112 patents", ["101"]),
        # Of the list
        ("35 U.S.C. §§ 101, 102, and 103 apply", ["101", "102", "103"]),
        ("35 U.S.C. §§ 101, 102, and 103 bar the claims", ["101", "102", "103"]),
        ("35 U.S.C. §§ 101, 102, and 103 rejections", ["101", "102", "103"]),
        ("42 U.S.C. §§ 1981 and 1983 plaintiffs", ["1981", "1983"]),
        ("42 U.S.C. §§ 1981, 1983, and 1985 claims", ["1981", "1983", "1985"]),
        ("9 U.S.C. §§ 9 and 10, 11 apply", ["9", "10", "11"]),
        ("9 U.S.C. §§ 9; 10; 11 govern.", ["9", "10", "11"]),
        ("9 U.S.C. §§ 9, 10, and 11(a) plaintiffs", ["9", "10", "11"]),
    ],
)
def test_a_number_that_counts_what_follows_is_no_section(
    grammar: Grammar, text: str, numbers: list[str]
) -> None:
    assert [one.num for one in parse(text, grammar)] == numbers

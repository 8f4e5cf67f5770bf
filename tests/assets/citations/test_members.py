"""The single provisions that a citation of several stands for."""

import pytest

from assets.citations.members import members_of
from serving.contract.citations import Grammar


@pytest.mark.parametrize(
    ("citation", "members"),
    [
        ("17 U.S.C. § 107", []),
        ("24 U.S.C. §§ 1, 2", ["24 U.S.C. § 1", "24 U.S.C. § 2"]),
        ("24 U.S.C. §§ 1 to 3", ["24 U.S.C. § 1", "24 U.S.C. § 2", "24 U.S.C. § 3"]),
        ("45 U.S.C. §§ 22 to 24a", ["45 U.S.C. § 22", "45 U.S.C. § 23", "45 U.S.C. § 24", "45 U.S.C. § 24a"]),
        ("27 U.S.C. §§ 63a to 63c", ["27 U.S.C. § 63a", "27 U.S.C. § 63b", "27 U.S.C. § 63c"]),
        ("D.C. Code §§ 1-109 to 1-111", ["D.C. Code § 1-109", "D.C. Code § 1-110", "D.C. Code § 1-111"]),
        ("D.C. Code §§ 1-115.08 to 1-115.10", [f"D.C. Code § 1-115.{step}" for step in ("08", "09", "10")]),
        ("D.C. Code §§ 1-109 to 1-110.2", [f"D.C. Code § 1-{step}" for step in ("109", "110", "110.2")]),
        # Nothing says how many there are in between, nor, of decimals, which is the greater.
        ("D.C. Code §§ 1-109 to 2-101", ["D.C. Code § 1-109", "D.C. Code § 2-101"]),
        ("D.C. Code §§ 1-109.2 to 1-109.15", ["D.C. Code § 1-109.2", "D.C. Code § 1-109.15"]),
        ("15 U.S.C. §§ 78a to 78pp", ["15 U.S.C. § 78a", "15 U.S.C. § 78pp"]),
        ("18 U.S.C. app. §§ 1201, 1202", ["18 U.S.C. app. § 1201", "18 U.S.C. app. § 1202"]),
        (
            "Inspector General Act of 1978 §§ 8B to 8D, 5 U.S.C. app.",
            [f"Inspector General Act of 1978 § 8{letter}, 5 U.S.C. app." for letter in "BCD"],
        ),
    ],
)
def test_members_of_lists_and_ranges(grammar: Grammar, citation: str, members: list[str]) -> None:
    assert list(members_of(citation, grammar)) == members


def test_a_range_that_is_too_long_is_known_by_its_ends(grammar: Grammar) -> None:
    assert members_of("42 U.S.C. §§ 1 to 90000", grammar) == ("42 U.S.C. § 1", "42 U.S.C. § 90000")

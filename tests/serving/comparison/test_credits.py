"""Acts that a later source credit adds, in the forms in which publishers write them."""

import pytest

from serving.comparison.credits import credit_added


@pytest.mark.parametrize(
    ("before", "after", "added"),
    [
        (None, "(Added Pub. L. 100–456, § 621, Sept. 29, 1988.)", ["Added Pub. L. 100–456, § 621, Sept. 29, 1988"]),
        ("Ord. No. 2018-4 § 1", None, []),
        (
            "(Pub. L. 94–553, § 101.)",
            "(Pub. L. 94-553, § 101; Pub. L. 101–650, § 607.)",
            ["Pub. L. 101–650, § 607"],
        ),
        # The publisher writes the same acts otherwise, with a new one behind them.
        (
            "Ord. No. 1969-8 § 1; prior code § 36.01",
            "City of San Mateo, Cal., Ord. No. 1969-8, § 1; Prior code section 36.01; Ord. No. 2021-26, § 16",
            ["Ord. No. 2021-26, § 16"],
        ),
        # A page of the register comes later than the act.
        ("Sept. 18, 2024, D.C. Law 25-217, § 2", "Sept. 18, 2024, D.C. Law 25-217, § 2, 71 DCR 9990", []),
        # Acts of a time without numbers.
        ("June 11, 1878, 20 Stat. 102", "June 11, 1878, 20 Stat. 102; Dec. 8, 1970, 84 Stat. 1395",
         ["Dec. 8, 1970, 84 Stat. 1395"]),
        ("June 11, 1878, 20 Stat. 102", "June 11, 1878, 20 Stat. L. 102; Dec. 8, 1970, 84 Stat. 1395", []),
    ],
)  # fmt: skip
def test_acts_that_are_new(before: str | None, after: str | None, added: list[str]) -> None:
    assert credit_added(before, after) == added

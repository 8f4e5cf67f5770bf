"""Provisions that go by a range: told from hyphenated numbers, and found by the numbers between."""

from pathlib import Path

import pytest

from assets.citations.ranges import ends_of, ranges_are_unfolded
from assets.findings import Severity
from assets.selection.selection import Selection
from tests.assets.citations.regulations import select_regulations


@pytest.mark.parametrize(
    ("number", "ends"),
    [
        ("26.13.07.04-.06", ("26.13.07.04", ".06")),
        ("27.20.010-27.20.050", ("27.20.010", "27.20.050")),
        ("29-801.01-29-801.05", ("29-801.01", "29-801.05")),
        ("1.04.010 — 1.04.050", ("1.04.010", "1.04.050")),
        ("202 to 204", ("202", "204")),
        ("21, 22", ("21", "22")),
        ("§§ 1–5", ("1", "5")),
        ("8B to 8J", ("8B", "8J")),
        ("4 and 5", ("4", "5")),
    ],
)
def test_a_range_has_two_ends(number: str, ends: tuple[str, str]) -> None:
    assert ends_of(number) == ends


@pytest.mark.parametrize(
    "number",
    [
        *("29-801.02", "2000e-5", "300aa-10", "5-211.5", "28:5-115", "1-327.56c", "25-765(Perm)", "101-105"),
        *(
            "10.01.01.04-1",
            "47-2853.76a",
            "1-15-1",
            "26.13.07.05-.03",
            "12",
            "27.20.010",
            "ready-to-eat",
            "B-1",
        ),
        *("1-1001.01-2", "2C:11-3", "26.13.07.01-1"),
    ],
)
def test_a_hyphen_may_be_of_one_number(number: str) -> None:
    assert ends_of(number) is None


def test_a_range_that_is_known_by_its_members_is_sound(selection: Selection) -> None:
    verdict = ranges_are_unfolded(selection, selection.citing.grammar())
    assert not verdict.findings
    assert verdict.measured == {"ranges": 2, "unread": 0}


def test_a_range_that_stays_one_provision_is_shown(tmp_path: Path) -> None:
    selection = select_regulations(tmp_path)
    verdict = ranges_are_unfolded(selection, selection.citing.grammar())
    [finding] = verdict.findings
    assert finding.severity is Severity.WARNING
    assert finding.where == "Zen. Code Regs. 26.13.07.04-.06"
    assert "26.13.07.04 to .06" in finding.message

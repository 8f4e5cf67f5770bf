"""The day in a publisher's words on its currency."""

import pytest

from serving.contract.currency import current_date


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("2026-04-15", "2026-04-15"),
        ("D.C. Law 25-218 (through 2024-10-20)", "2024-10-20"),
        ("Public Law 119-36", None),
        ("Act 2025-13-99 of 2024-02-30", None),
        ("case 1234-2024-10-205", None),
        ("", None),
        (None, None),
    ],
)
def test_the_day_is_found_or_nothing_is(words: str | None, day: str | None) -> None:
    assert current_date(words) == day

"""The waits that a header asks for, in both of its forms."""

from datetime import UTC, datetime

import pytest

from assets.connectors.retries import retry_after

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("120", 120),
        (" 0 ", 0),
        ("Sun, 22 Nov 2026 12:01:30 GMT", 90),
        ("Sun, 22 Nov 2026 11:00:00 GMT", 0),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("", None),
        ("٣", None),
        ("9" * 400, 999_999_999),
    ],
)
def test_the_header_is_read(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, now=NOW) == seconds

"""Origins of the pages that may call."""

import pytest

from serving.api.origins import OriginPolicy


@pytest.mark.parametrize(
    ("origin", "known"),
    [
        (None, True),
        ("https://law.example", True),
        ("https://app.example", True),
        ("http://127.0.0.1:6274", True),
        ("http://law.example", False),
        ("https://law.example:444", False),
        ("https://localhost.evil.example", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_origins(origin, known):
    assert OriginPolicy("https://law.example", ["https://app.example"]).allows(origin) is known


def test_any_origin_may_be_let_in():
    assert OriginPolicy("https://law.example", ["*"]).allows("https://anything.example")

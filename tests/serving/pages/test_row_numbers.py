"""Numbers of rows in addresses: those that the store can hold, and no others."""

import pytest

from serving.contract.errors import ValidationError
from serving.pages.row_numbers import LARGEST, row_number


@pytest.mark.parametrize(("text", "number"), [(None, None), ("", None), ("7", 7), (str(LARGEST), LARGEST)])
def test_a_number_of_a_row_is_read(text: str | None, number: int | None) -> None:
    assert row_number(text, "before") == number


@pytest.mark.parametrize(
    "text", ["x", "0", "-1", "1.5", " 1", "٤", str(LARGEST + 1), "0" * 19 + "1" + "9" * 30, "9" * 5_000]
)
def test_what_no_row_has_is_refused(text: str) -> None:
    with pytest.raises(ValidationError) as refused:
        row_number(text, "before")
    assert refused.value.parameter == "before"

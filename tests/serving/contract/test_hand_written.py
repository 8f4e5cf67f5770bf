"""Records of tables that a person wrote."""

from dataclasses import dataclass, field

import pytest

from serving.contract.hand_written import record_of


@dataclass(frozen=True)
class Fee:
    amount: int
    name: str = "fee"
    notes: tuple[str, ...] = field(default_factory=tuple)


def test_a_table_gives_its_record() -> None:
    assert record_of(Fee, {"amount": 3}) == Fee(3)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"amuont": 3}, "no field is named 'amuont': did you mean 'amount'?"),
        ({"amount": 3, "colour": "red"}, "no field is named 'colour': there are amount, name, notes"),
        ({"name": "x"}, "amount must be given"),
    ],
)
def test_a_table_that_does_not_fit_says_which_field(table: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError) as told:
        record_of(Fee, table)
    assert str(told.value) == message

"""Names that are spelled like an unknown one: as near ones in their order, whatever letters they have."""

import pytest

from serving.contract.citations.near_names import NearNames

NAMES = NearNames(
    {"usc": "U.S.C.", "usca": "U.S.C.A.", "ucc": "U.C.C.", "ohiocode": "Ohio Code", "üsc": "Ü.S.C."}
)


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("usc", ["U.S.C.", "U.S.C.A.", "U.C.C."]),
        ("csu", []),
        ("suc", ["U.S.C."]),
        ("üsc", ["Ü.S.C.", "U.S.C."]),
        ("ohoicoed", ["Ohio Code"]),
        ("ohiocodeabc", []),
        ("", []),
    ],
)
def test_the_nearest_come_first(key: str, near: list[str]) -> None:
    assert NAMES.near(key) == near

"""The list of a layer's zones: sorted into kinds, in the order that people count, bounded in colours."""

import pytest

from serving.contract.layers import LINKED, PUBLISHED, LayerEntry, Simplified
from serving.pages.zones import COLOURS, KINDS, PATTERNS, list_zones
from serving.snapshot.layers import Zone

LAYER = LayerEntry(
    "sample-city",
    "Zoning",
    PUBLISHED,
    LINKED,
    0,
    "2024-05-01",
    None,
    (0, 0, 1, 1),
    "CC0-1.0",
    None,
    Simplified(1, 1),
)


def zones(*codes, node=None):
    link = "linked" if node else "placeholder"
    return [Zone(f"id-{code}", code, code, node, None, None, link, "", False) for code in codes]


def kinds(*codes):
    return {
        kind.name: [line.zone.zone_code for line in kind.lines]
        for kind in list_zones(LAYER, zones(*codes)).kinds
    }


def test_codes_that_begin_alike_are_one_kind_in_the_order_of_numbers():
    assert kinds("R10", "R2", "C1", "r-1", "PD 7", "PD 12", "TOD") == {
        "R": ["R2", "R10", "r-1"],
        "PD": ["PD 7", "PD 12"],
        "C1": ["C1"],
        "TOD": ["TOD"],
    }


@pytest.mark.parametrize("code", ["27-A", "#", "é"])
def test_codes_of_any_form_have_a_kind(code):
    assert kinds(code) == {code: [code]}


def test_a_code_is_listed_once():
    assert list_zones(LAYER, zones("R1", "R1", "R2")).count == 2


def test_each_kind_has_a_colour_and_a_pattern_of_its_own_and_the_rest_share_one():
    letters = [f"{one}{other}" for one in "ABCDEF" for other in "GHIJKL"]
    found = list_zones(LAYER, zones(*letters, "AG2")).kinds
    assert len(found) == KINDS
    assert len({(kind.colour, kind.pattern) for kind in found}) == KINDS
    assert all(kind.colour < COLOURS and kind.pattern < PATTERNS for kind in found[:-1])
    assert (found[-1].name, found[-1].colour, found[-1].pattern) == ("Others", COLOURS, 0)
    assert sum(len(kind.lines) for kind in found) == len(letters) + 1


def test_shades_grow_with_the_number():
    (kind,) = list_zones(LAYER, zones(*(f"R{number}" for number in range(1, 9)))).kinds
    assert [line.shade for line in kind.lines] == [0, 0, 0, 1, 1, 2, 2, 3]
    (alone,) = list_zones(LAYER, zones("R1")).kinds
    assert alone.lines[0].shade == 3


def test_long_kinds_of_a_long_list_are_folded():
    few = list_zones(LAYER, zones(*(f"R{number}" for number in range(50))))
    assert all(kind.is_open for kind in few.kinds)
    many = list_zones(LAYER, zones("C1", *(f"PD {number}" for number in range(100))))
    assert {kind.name: kind.is_open for kind in many.kinds} == {"PD": False, "C1": True}


def test_placeholders_are_counted():
    listed = list_zones(LAYER, [*zones("R1", "R2"), *zones("C1", node="n1")])
    assert (listed.count, listed.placeholders) == (3, 2)

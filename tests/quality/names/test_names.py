"""The table of names, and how a name is judged."""

from tests.quality.names.__main__ import Judged, Name, read_names

KINDS = {"name", "short", "nick", "long", "typo", "number", "near", "asked", "program", "plain"}
FEWEST = 550


def test_every_line_of_the_table_can_be_judged() -> None:
    names = list(read_names())
    assert len(names) >= FEWEST
    assert {name.kind for name in names} == KINDS
    assert len({name.query.lower() for name in names}) == len(names)
    assert all(bool(name.answers) is (name.kind != "near") for name in names)
    assert all(" U.S.C. § " in answer for name in names for answer in name.answers)


def test_a_name_is_right_where_the_first_lead_is_and_no_name_where_nothing_leads() -> None:
    hobbs, near = Name("hobs act", ("18 U.S.C. § 1951",), "typo"), Name("hobs", (), "near")
    assert Judged(hobbs, ("18 U.S.C. § 1951",), 1, 1).is_first
    assert not Judged(hobbs, ("18 U.S.C. § 1", "18 U.S.C. § 1951"), 2, 1).is_first
    assert not Judged(hobbs, (), None, 1).is_first
    assert Judged(near, (), None, 1).is_first
    assert not Judged(near, ("18 U.S.C. § 1951",), None, 1).is_first

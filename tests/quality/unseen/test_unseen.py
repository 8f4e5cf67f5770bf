"""The table of queries, and how one is judged."""

from tests.quality.unseen.__main__ import Judged, Unseen, read_queries

NAMES = {"name", "short", "nick", "long", "typo", "number", "near", "asked", "program"}
KINDS = NAMES | {"plain", "hard", "lay", "professional", "keyword"}
FEWEST = 1_055


def test_every_line_of_the_table_can_be_judged() -> None:
    queries = list(read_queries())
    assert len(queries) >= FEWEST
    assert {one.kind for one in queries} == KINDS
    assert len({one.query.lower() for one in queries}) == len(queries)
    assert all(bool(one.answers) is (one.kind != "near") for one in queries)
    assert all(" § " in answer for one in queries for answer in one.answers)


def test_a_name_is_right_where_the_first_lead_is_and_no_name_where_nothing_leads() -> None:
    hobbs, near = Unseen("hobs act", ("18 U.S.C. § 1951",), "typo"), Unseen("hobs", (), "near")
    assert Judged(hobbs, ("18 U.S.C. § 1951",), 1, 1).is_first
    assert not Judged(hobbs, ("18 U.S.C. § 1", "18 U.S.C. § 1951"), 2, 1).is_first
    assert not Judged(hobbs, (), None, 1).is_first
    assert Judged(near, (), None, 1).is_first
    assert not Judged(near, ("18 U.S.C. § 1951",), None, 1).is_first

"""The renderer of answers: names, optional fields, details and texts, and types that no answer has."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

import orjson
import pytest

from serving.api.rendering import Renderer
from serving.contract.answers import DETAIL, PRIVATE, Default, widen


class Colour(StrEnum):
    RED = "red"


class Span(NamedTuple):
    start: int
    end: int


class Stored(TypedDict):
    nodeId: str
    num: str | None
    level: Annotated[str, DETAIL]
    throughId: NotRequired[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    row: Annotated[int, PRIVATE] = 7
    node_id: str
    colour: Colour | None = None
    spans: tuple[Span, ...] = ()
    rank: Annotated[int, DETAIL] = 3
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    way: Literal["up", "down"]
    leaf: Leaf | None
    counts: dict[str, tuple[Leaf, ...]]
    branches: tuple["Tree", ...] = ()
    stored: list[Stored]


LEAF = Leaf(node_id="a\x07b", colour=Colour.RED, spans=(Span(1, 2),), kept=())
TREE = Tree(
    way="up",
    leaf=None,
    counts={"x": (LEAF,)},
    branches=(Tree(way="down", leaf=LEAF, counts={}, stored=[]),),
    stored=[{"nodeId": "n", "num": None, "level": "section"}],
)


def test_a_whole_answer_has_every_field_but_private_ones_in_their_order():
    plain = Renderer().plain(LEAF)
    assert list(plain) == ["nodeId", "colour", "spans", "rank", "kept"]
    assert plain == {
        "nodeId": "a\x07b",
        "colour": "red",
        "spans": [{"start": 1, "end": 2}],
        "rank": 3,
        "kept": [],
    }


def test_a_record_may_contain_others_of_its_type():
    plain = orjson.loads(Renderer().json(TREE))
    assert plain["branches"][0]["leaf"]["nodeId"] == "a\x07b"
    assert plain["branches"][0]["branches"] == []
    assert plain["counts"]["x"][0]["spans"] == [{"start": 1, "end": 2}]
    assert (plain["leaf"], plain["stored"]) == (None, [{"nodeId": "n", "num": None, "level": "section"}])


def test_a_short_answer_leaves_out_details_nulls_and_defaults():
    short = Renderer(short=True)
    assert short.plain(LEAF) == {
        "nodeId": "a\x07b",
        "colour": "red",
        "spans": [{"start": 1, "end": 2}],
        "kept": [],
    }
    assert short.plain(Leaf(node_id="n", kept=("k",))) == {"nodeId": "n", "kept": ["k"]}
    assert short.plain(TREE)["stored"] == [{"nodeId": "n"}]
    assert "leaf" not in short.plain(TREE)
    detailed = Renderer(short=True, details=True)
    assert detailed.plain(Leaf(node_id="n", kept=(), rank=4))["rank"] == 4
    assert detailed.plain(TREE)["stored"] == [{"nodeId": "n", "level": "section"}]


def test_every_string_of_an_answer_is_treated_and_no_name():
    shown = Renderer(short=True, text=str.upper).plain(TREE)
    assert shown["branches"][0]["leaf"]["nodeId"] == "A\x07B"
    assert shown["stored"] == [{"nodeId": "N"}]
    assert list(shown["counts"]) == ["x"]


def test_a_dictionary_is_read_by_the_type_that_describes_it():
    stored: Stored = {"nodeId": "n", "num": "1", "level": "part", "throughId": "m"}
    assert Renderer(short=True).plain(stored, Stored) == {"nodeId": "n", "num": "1", "throughId": "m"}
    assert Renderer().plain(stored, Stored) is stored


def test_the_value_that_says_nothing_may_be_marked():
    class Row(NamedTuple):
        status: Annotated[str, Default("in_force")]
        found: Annotated[bool | None, Default(True)] = None

    assert Renderer(short=True).plain(Row("in_force", True)) == {}
    assert Renderer(short=True).plain(Row("repealed", False)) == {"status": "repealed", "found": False}
    assert Renderer().plain(Row("in_force")) == {"status": "in_force", "found": None}


def test_a_type_that_json_does_not_have_is_refused():
    @dataclass(frozen=True)
    class Wrong:
        both: int | str

    @dataclass(frozen=True)
    class Foreign:
        thing: object

    for record in (Wrong(1), Foreign(1)):
        with pytest.raises(TypeError, match="no type of a field"):
            Renderer().plain(record)


def test_an_answer_is_widened_by_fields():
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Wide(Leaf):
        more: int

    assert widen(LEAF, Wide, more=1) == Wide(
        node_id="a\x07b", colour=Colour.RED, spans=(Span(1, 2),), kept=(), more=1
    )

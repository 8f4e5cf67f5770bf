"""Faults of arguments: one plain sentence that names the argument and says what it should be, for every tool."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from serving.api.faulty import Faulty
from serving.api.parameters import RESOLVE, parse
from serving.contract.errors import ValidationError
from serving.mcp.schemas import read_arguments
from serving.mcp.tool import Tool
from serving.mcp.toolbox import TOOLS
from serving.mcp.tools.resolutions import ResolveCitation
from serving.mcp.tools.search import Search

FOREIGN = re.compile(
    r"pydantic|input_value|https?://|Value error|a valid |after validation|object at 0x|<class|QuoteToVerify|dictionary"
    r"|\bNone\b|\bTrue\b|\bFalse\b|\{'|parse string|Input ",
)
"""Words of libraries and of Python, which say nothing to a model."""
SENTENCE = re.compile(
    r"(?:Argument `[\w.\[\]]+` (?:must [^\n]+|is required)|Unknown argument `[^\n]+`: [^\n]+[^?.])[?.]"
)
WRONG: tuple[Any, ...] = (
    1,
    -1,
    10**30,
    1.5,
    float("nan"),
    True,
    "",
    "x",
    "x" * 300_000,
    "\ud800",
    "a\0b",
    [],
    ["x"],
    [[]],
    ["x"] * 30,
    {},
    {"a": 1},
)
ITEMS: tuple[Any, ...] = (
    7,
    None,
    True,
    [],
    {},
    "",
    "\ud800",
    {"quote": 5},
    {"quote": None},
    {"quotee": "a"},
    {"quote": "a", "nodeId": "x"},
    {"quote": "a", "citation": 5},
    {"quote": "a", "citation": ""},
    {"quote": "a", "citatoin": "1 S.F.C. § 7"},
    {"quote": {"a": [True, None]}},
)
tools = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def told(tool: Tool, given: dict[str, Any]) -> Iterator[str]:
    """Yield the sentences that arguments are answered with."""
    try:
        read = read_arguments(tool.arguments, given)
    except ValidationError as error:
        yield error.message
        return
    for values in vars(read).values():
        for one in values if isinstance(values, list) else ():
            if isinstance(one, Faulty):
                yield one.problem


def assert_plain(sentence: str) -> None:
    assert SENTENCE.fullmatch(sentence), sentence
    assert not FOREIGN.search(sentence), sentence


@tools
def test_wrong_values_are_told_in_plain_words(tool):
    sentences = []
    for field in tool.arguments.model_fields.values():
        for value in WRONG:
            found = list(told(tool, {str(field.alias): value}))
            for sentence in found:
                assert_plain(sentence)
            sentences += [one for one in found if "is required" not in one]
    assert sentences


@tools
def test_unknown_and_missing_arguments_are_told_in_plain_words(tool):
    (unknown,) = told(tool, {"jurisdicton\n`": "x"})
    assert unknown.startswith("Unknown argument `jurisdicton")
    for name, field in tool.arguments.model_fields.items():
        if field.is_required():
            others = {other.alias: "x" for key, other in tool.arguments.model_fields.items() if key != name}
            for sentence in told(tool, others):
                assert_plain(sentence)
    assert not any(map(FOREIGN.search, told(tool, {})))


@pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool.name in ("resolve_citation", "verify_quotes")]
)
def test_faulty_items_are_told_by_their_index(tool):
    (name, *_) = (str(field.alias) for field in tool.arguments.model_fields.values())
    sentences = list(told(tool, {name: list(ITEMS)}))
    assert len(sentences) >= 14
    for sentence in sentences:
        assert_plain(sentence)
        assert re.search(rf"`{name}\[\d+\]", sentence), sentence


@pytest.mark.parametrize(
    ("tool", "given", "sentence"),
    [
        ("search_law", {"query": 5}, "Argument `query` must be a string."),
        ("search_law", {"query": "x" * 612}, "Argument `query` must be 1 to 500 characters long, has 612."),
        ("search_law", {"query": "x", "limit": 26}, "Argument `limit` must be a whole number from 1 to 25."),
        ("search_law", {"query": "x", "mode": "vector"}, "Argument `mode` must be one of hybrid, semantic, keyword."),
        ("search_law", {"query": "x", "limit": True}, "Argument `limit` must be a whole number from 1 to 25."),
        ("search_law", {"query": "x", "details": "maybe"}, "Argument `details` must be true or false."),
        ("search_law", {"query": "x", "details": "yes"}, "Argument `details` must be true or false."),
        ("get_law_node", {"proof": 1}, "Argument `proof` must be true or false."),
        ("search_law", {"query": "x", "tag": "a b"}, "Argument `tag` must be one value of the facet of that name, such as section or definitions."),
        (
            "get_law_node",
            {"nodeId": "7"},
            "Argument `nodeId` must be a UUID such as 6f0b8c1e-3c59-5a0e-9d53-2b1f6c9d7e41.",
        ),
        ("get_law_node", {"offset": -1}, "Argument `offset` must be a whole number, 0 or more."),
        ("law_at_location", {"lat": 91, "lon": 0}, "Argument `lat` must be degrees from -90 to 90, written as in 37.5629; 91 can only be a longitude, so `lat` and `lon` seem to be swapped."),
        ("resolve_citation", {"citations": []}, "Argument `citations` must be a list of 1 to 25 items."),
        ("resolve_citation", {"citations": ["x", 7]}, "Argument `citations[1]` must be a string."),
        ("verify_quotes", {"quotes": ["x"]}, "Argument `quotes[0]` must be an object of quote, citation, nodeId."),
        ("verify_quotes", {"quotes": [{"quote": "x"}, {"quote": 5}]}, "Argument `quotes[1].quote` must be a string."),
        ("verify_quotes", {"quotes": [{}]}, "Argument `quotes[0].quote` is required."),
        (
            "verify_quotes",
            {"quotes": [{"quote": "x", "citatoin": "y"}]},
            "Unknown argument `quotes[0].citatoin`: did you mean `citation`?",
        ),
        (
            "formation_handoff",
            {"state": "dc", "naics": "12"},
            "Argument `naics` must be a NAICS code of six digits, which formation_lookup_naics finds.",
        ),
    ],
)  # fmt: skip
def test_sentence_names_the_argument_and_what_it_should_be(tool, given, sentence):
    (tool,) = (one for one in TOOLS if one.name == tool)
    assert list(told(tool, given)) == [sentence]


@pytest.mark.parametrize("given", [True, False, "true", "false"])
def test_truths_are_written_as_in_json_or_in_the_rest_api(given):
    (tool,) = (one for one in TOOLS if one.name == "search_law")
    assert list(told(tool, {"query": "x", "details": given})) == []


@pytest.mark.parametrize("written", ["{0.hex}", "urn:uuid:{0}", "{{{0}}}", " {0}"])
@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("get_law_node", "nodeId"),
        ("browse_code", "codeBody"),
        ("list_changes", "container"),
        ("order_status", "orderId"),
    ],
)
def test_ids_are_written_as_in_the_rest_api(tool, name, written):
    (tool,) = (one for one in TOOLS if one.name == tool)
    given, more = uuid4(), {"token": "x"} if name == "orderId" else {}
    assert list(told(tool, {name: str(given).upper()} | more)) == []
    (sentence,) = told(tool, {name: written.format(given)} | more)
    assert sentence.startswith(f"Argument `{name}` must be a UUID such as ")


def test_words_are_those_of_the_rest_api():
    for value in ("", "a\0b", "x" * 501, " "):
        (asked, _) = parse({"citation": [value, "1 S.F.C. § 7"]}, RESOLVE)["citation"]
        given: Any = read_arguments(ResolveCitation, {"citations": [value, "1 S.F.C. § 7"]})
        (called, _) = given.citations
        assert asked.problem.startswith("Parameter `citation[0]` must ")
        assert called.problem == asked.problem.replace("Parameter `citation[", "Argument `citations[")
    for value in ("", "a\0b", "x" * 612):
        with pytest.raises(ValidationError) as by_tool:
            read_arguments(Search, {"query": value or " "})
        with pytest.raises(ValidationError) as by_rest:
            parse({"q": value or " "}, ("q",))
        assert by_tool.value.message == by_rest.value.message.replace("Parameter `q`", "Argument `query`")


@pytest.mark.e2e
def test_no_answer_has_words_of_a_library(wire):
    found = [
        wire.failure(tool.name, **given)["message"]
        for tool in TOOLS
        for given in ({name: {"a": [None, True]} for name in _names(tool)}, {"unknown": 5})
    ]
    faulty = [one for one in ITEMS if one != "\ud800"]
    quotes = [{"quote": "the fair use", "citation": "1 S.F.C. § 7"}, *faulty, {"quote": "x"}]
    checked = wire.answer("verify_quotes", quotes=quotes)["results"]
    found += [one["error"] for one in checked[1:]]
    assert checked[-1]["error"] == "Argument `quotes[15]` must have either `citation` or `nodeId`."
    assert [one["quote"] for one in checked[1:3]] == ["7", "null"]
    results = wire.answer("resolve_citation", citations=["1 S.F.C. § 7", *faulty])["results"]
    found += [one["expected"] for one in results[1:]]
    assert results[4]["input"] == "[]"
    assert results[7]["input"] == '{"quote": 5}'
    for sentence in found:
        assert_plain(sentence)
    for result in (*checked, *results):
        assert not FOREIGN.search(str(result.get("quote", result.get("input", ""))))


@pytest.mark.e2e
@pytest.mark.parametrize("arguments", [[], 5, "x", [["query", "x"]]])
def test_arguments_that_are_no_object_are_refused_in_plain_words(shared_wire, arguments):
    answer = shared_wire.modern("tools/call", {"name": "search_law", "arguments": arguments})
    assert not FOREIGN.search(answer.text), answer.text
    error = answer.json()["error"]
    said = "`params.arguments` is missing or not what tools/call takes."
    assert (error["code"], error["message"]) == (-32602, f"{said} {error['data']['hint']}")
    assert (error["data"]["code"], error["data"]["message"]) == ("validation_error", said)
    assert error["data"]["parameter"] == "params.arguments"


def _names(tool: Tool) -> list[str]:
    return [str(field.alias) for field in tool.arguments.model_fields.values()]

"""Names of arguments in errors: those of the tool that was called, whatever the API calls the same."""

import re
from typing import Any
from uuid import uuid4

import pytest

from serving.api import parameters
from serving.contract.errors import ValidationError
from serving.contract.identity import code_body_id
from serving.mcp.faults import in_words_of_tools
from serving.mcp.schemas import input_schema
from serving.mcp.tool import Tool
from serving.mcp.toolbox import TOOLS
from tests.serving.layers import SOUTH, WEST
from tests.serving.mcp.test_tools import CALLS
from tests.serving.mcp.wire import said

OF_API = {**parameters.PARAMETERS, "id": None, "shortCode": None, "orderId": None}
"""Parameters of the API by name, those of paths too."""
TWINS: dict[str, tuple[str, ...]] = {
    "list_coverage": parameters.READ,
    "search_law": parameters.SEARCH,
    "resolve_citation": parameters.RESOLVE,
    "get_law_node": ("id", *parameters.NODE),
    "browse_code": parameters.BROWSE,
    "list_changes": parameters.CHANGES,
    "law_at_location": ("shortCode", *parameters.LOCATION),
    "order_status": ("orderId", *parameters.ORDER),
    "account_status": parameters.NONE,
}
"""Tools that do what an endpoint does, with the parameters of that."""
NOT_OFFERED = {"status", "facets"}
OLD, GONE, EARLY = "2020.01.01-1", "2999.01.01-1", "2020-01-01"
CALLS_OF_ALL = CALLS | {"order_status": {"orderId": str(uuid4()), "token": "x"}}
WRONG: dict[str, tuple[Any, ...]] = {
    "query": ("999999", " "),
    "citations": (["x"] * 26, [""]),
    "citation": ("1 S.F.C. § 99", "1 S.F.C. § 7(z)"),
    "quotes": ([{"quote": "x"}], [{"quote": "x", "nodeId": str(uuid4())}]),
    "text": ("",),
    "jurisdiction": ("nowhere", "us", "Virgina"),
    "codeBody": (str(uuid4()),),
    "nodeId": (str(uuid4()),),
    "container": (str(uuid4()), str(code_body_id("us-sample"))),
    "orderId": (str(uuid4()),),
    "token": ("wrong",),
    "level": ("chaptre",),
    "tag": ("definition",),
    "mode": ("magic",),
    "kind": ("repealed",),
    "state": ("atlantis",),
    "entityType": ("guild",),
    "entityName": ("a\x07b", " "),
    "naics": ("999999",),
    "lat": (WEST + 0.001, 91),
    "lon": (SOUTH + 0.001, 181),
    "limit": (0, 10**6),
    "page": (0, 10**6),
    "offset": (-1, 99_999),
    "first": (-1,),
    "maxChars": (1,),
    "status": ("dead", "repealed,repealed"),
    "details": ("maybe",),
    "notes": ("maybe",),
    "proof": ("maybe",),
    "ledger": ("maybe",),
    "since": ("x", OLD, GONE),
    "snapshot": ("x", OLD, GONE),
    "date": ("x", EARLY, "9999-12-31"),
}
"""Values that are refused, of some by the shape of arguments and of others by a service."""
TOGETHER: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_law", {"page": 1_000, "limit": 25}),
    ("law_at_location", {"lat": WEST + 0.001, "lon": SOUTH + 0.001}),
    ("law_at_location", {"lat": WEST + 0.001, "lon": SOUTH + 0.001, "jurisdiction": "sample-city"}),
    ("get_law_node", {"nodeId": str(uuid4())}),
    ("browse_code", {"nodeId": str(uuid4())}),
    ("list_coverage", {"snapshot": OLD, "date": EARLY}),
    ("list_changes", {"since": GONE, "snapshot": OLD}),
)
"""Arguments that are refused beside each other."""


def names_of(tool: Tool) -> list[str]:
    return [str(field.alias) for field in tool.arguments.model_fields.values()]


def assert_in_words_of(tool: Tool, error: dict[str, Any]) -> None:
    known = set(names_of(tool))
    if "parameter" in error:
        assert re.split(r"[.\[]", error["parameter"])[0] in known, error
    items = input_schema(tool.arguments)["properties"].get("quotes", {}).get("items", {})
    known.update(items.get("properties", ()))
    named = {*re.findall(r"`([a-zA-Z]+)`", f"{error['message']} {error['hint']}")}
    assert not (named & OF_API.keys()) - known, error
    assert "arameter" not in error["message"], error


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_parameter_of_the_api_has_its_argument(tool):
    known = set(names_of(tool))
    assert set(tool.renamed.values()) <= known
    assert not tool.renamed.keys() & known
    twin = set(TWINS.get(tool.name, ()))
    assert tool.renamed.keys() <= twin
    assert twin - NOT_OFFERED <= known | tool.renamed.keys()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_fault_of_a_service_is_told_by_the_name_of_the_argument(tool):
    for parameter in {*TWINS.get(tool.name, ())} - NOT_OFFERED:
        fault = ValidationError(f"Parameter `{parameter}` names `{parameter}`.", parameter=parameter)
        name = tool.renamed.get(parameter, parameter)
        told = in_words_of_tools(fault, tool.renamed)
        assert (told.message, told.parameter) == (f"Argument `{name}` names `{parameter}`.", name)


@pytest.mark.e2e
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_error_of_an_argument_calls_it_otherwise(wire, tool):
    refused = set()
    for name in names_of(tool):
        for value in WRONG[name]:
            result = said(wire.call(tool.name, **CALLS_OF_ALL[tool.name] | {name: value}))
            if "error" in result:
                refused.add(name)
                assert_in_words_of(tool, result["error"])
    assert refused == set(names_of(tool))
    for called, given in TOGETHER:
        if called == tool.name:
            assert_in_words_of(tool, wire.failure(called, **given))


@pytest.mark.e2e
def test_a_later_snapshot_to_compare_with_is_told_as_the_argument_that_it_is(wire):
    error = wire.failure("list_changes", since=GONE)
    assert error["parameter"] == "since"
    assert error["message"].startswith(f"Argument `since` names {GONE}, which is not older than ")

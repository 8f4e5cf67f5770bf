"""Answers become records, whatever a newer service adds and an older one lacks; and all the API says has a field."""

import json
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from types import NoneType
from typing import get_args, get_origin, get_type_hints

import pytest

from legal_client import MalformedAnswerError, results
from legal_client.records import _camel, read
from legal_client.results import Meta

DOCUMENT = json.loads(
    (Path(__file__).parents[4] / "serving" / "api" / "openapi.json").read_text(encoding="utf-8")
)
SCHEMAS = {
    results.SearchPage: "SearchResponse",
    results.Node: "Node",
    results.Resolutions: "ResolveResponse",
    results.ChangesPage: "ChangesResponse",
    results.NodeHistory: "NodeHistory",
    results.CodeBodies: "CodeBodyList",
    results.Children: "BrowseResponse",
    results.GisLayer: "GisLayer",
    results.Location: "LocationResponse",
    results.Coverage: "CoverageResponse",
    results.Corrections: "Corrections",
    results.WatchList: "WatchList",
    results.WatchDetail: "WatchDetail",
    results.WatchMade: "WatchMade",
    results.WatchEvent: "WatchEvent",
    results.Account: "Account",
    results.Order: "FormationOrder",
    results.Comparison: "LlcServices",
    results.Prices: "FormationPrices",
}
ITEM = {
    "nodeId": "n1",
    "citation": "1 S.F.C. § 7",
    "heading": "Fair use",
    "jurisdiction": "us",
    "codeBody": "b1",
    "snippet": "The fair use of a work",
    "score": 1,
    "matched": {"keywordRank": 1, "semanticRank": None, "citation": False},
    "highlights": [{"start": 4, "end": 8}],
}
PAGE = {"results": [ITEM], "page": 1, "pageSize": 20, "total": 1, "tookMs": 2, "mode": "hybrid"}


def test_members_become_fields():
    page = read(results.SearchPage, PAGE, meta=Meta())
    (item,) = page.results
    assert item.matched is not None
    assert (item.node_id, item.score, item.matched.keyword_rank) == ("n1", 1.0, 1)
    assert item.highlights == (results.Span(4, 8),)
    with pytest.raises(FrozenInstanceError):
        item.heading = "another"  # type: ignore[misc]  # refused, on purpose


def test_what_is_new_is_left_out_and_what_is_missing_is_none():
    page = read(
        results.SearchPage, {**PAGE, "colour": "red", "results": [{**ITEM, "shape": {}}]}, meta=Meta()
    )
    assert page.results[0].level is None
    assert page.results[0].tags == ()
    assert page.facets is None


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        {},
        {**PAGE, "total": "many"},
        {**PAGE, "total": True},
        {**PAGE, "results": {}},
        {**PAGE, "results": [7]},
        {**PAGE, "results": [{**ITEM, "nodeId": None}]},
        {**PAGE, "results": [{**ITEM, "score": "high"}]},
    ],
)
def test_what_is_no_answer_is_said_to_be_none(body):
    with pytest.raises(MalformedAnswerError):
        read(results.SearchPage, body, meta=Meta())


def record_in(hint):
    return next((kind for kind in (hint, *get_args(hint)) if is_dataclass(kind)), None)


def reached(schema):
    """Follow references, lists and alternatives to the object that they lead to."""
    while True:
        if "$ref" in schema:
            schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        elif "items" in schema:
            schema = schema["items"]
        elif "properties" in schema:
            return schema
        elif "oneOf" in schema or "anyOf" in schema:
            (schema,) = [one for one in schema.get("oneOf", schema.get("anyOf")) if one.get("type") != "null"]
        else:
            return schema


def differences(kind, schema, seen=()):
    """Give the required members of an object that a record must have and lacks, and fields that it invents."""
    properties = reached(schema)["properties"]
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.name == "meta":
            continue
        member = _camel(field.name)
        if member not in properties:
            yield f"{kind.__name__}.{field.name} is no member"
            continue
        inner = record_in(hints[field.name])
        if get_origin(hints[field.name]) is Mapping:
            # Each of its members is such a record.
            properties = properties | {
                member: next(iter(reached(properties[member]).get("properties", {}).values()), {})
            }
        if inner is not None and inner not in seen:
            yield from differences(inner, properties[member], (*seen, inner))
        may_be_null = "null" in json.dumps(properties[member].get("type", properties[member]))
        if may_be_null and NoneType not in get_args(hints[field.name]):
            yield f"{kind.__name__}.{field.name} may be null"


@pytest.mark.parametrize(("kind", "schema"), SCHEMAS.items(), ids=lambda value: str(value)[-20:])
def test_records_say_what_the_contract_says(kind, schema):
    assert list(differences(kind, DOCUMENT["components"]["schemas"][schema], (kind,))) == []


def test_nested_examples_of_the_contract_are_read():
    for path, entry in DOCUMENT["paths"].items():
        for content in entry["get"]["responses"]["200"].get("content", {}).values():
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            for kind, schema in SCHEMAS.items():
                if name == schema:
                    assert read(kind, content["example"], meta=Meta()), path

"""The reference as a model: nothing of the OpenAPI document is lost, and what is shared is told once."""

import pytest

from serving.api.discovery import contract
from serving.api.endpoints import ENDPOINTS
from serving.pages.prose import line, paragraphs
from serving.pages.reference.document import Reference, read_reference
from serving.pages.reference.schemas import fields_of, type_words

WATCHES = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1", "summary": "S.", "description": "One.\n\nTwo `<b>`."},
    "tags": [{"name": "watches", "description": "Watches."}],
    "paths": {
        "/watches": {
            "parameters": [],
            "post": {
                "operationId": "addWatch",
                "tags": ["watches"],
                "summary": "Add a watch",
                "description": "Adds one.",
                "x-credits": 0,
                "x-scopes": ["node"],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/NewWatch"},
                            "example": {"nodeId": "it's one"},
                        }
                    }
                },
                "responses": {
                    "201": {
                        "description": "Added.",
                        "headers": {"ETag": {"$ref": "#/components/headers/Tag"}},
                    },
                    "422": {"$ref": "#/components/responses/Wrong"},
                },
            },
            "delete": {
                "operationId": "dropWatches",
                "tags": ["watches"],
                "summary": "Drop all",
                "description": "Drops them.",
                "responses": {"204": {"description": "Gone."}, "422": {"$ref": "#/components/responses/Bad"}},
            },
            "head": {"operationId": "headWatches"},
        }
    },
    "components": {
        "parameters": {},
        "headers": {"Tag": {"description": "The tag."}, "Unused": {"description": "Never sent."}},
        "responses": {"Wrong": {"description": "It is wrong."}, "Bad": {"description": "It is wrong."}},
        "schemas": {
            "NewWatch": {
                "type": "object",
                "required": ["nodeId"],
                "properties": {
                    "nodeId": {"type": "string", "description": "Id of a `node`."},
                    "hook": {
                        "type": "object",
                        "properties": {"url": {"type": ["string", "null"], "format": "uri"}},
                    },
                },
            }
        },
    },
}


@pytest.fixture(scope="module")
def reference() -> Reference:
    return read_reference(contract())


def test_every_endpoint_is_there_once_and_head_has_no_entry(reference: Reference) -> None:
    assert sorted(one.path for one in reference.operations if one.method == "GET") == sorted(
        one.path for one in ENDPOINTS
    )
    assert len({one.id for one in reference.operations}) == len(list(reference.operations))


def test_prices_and_scopes_are_those_of_the_operations(reference: Reference) -> None:
    told = {one.path: (one.credits, one.scopes) for one in reference.operations if one.method == "GET"}
    for endpoint in ENDPOINTS:
        metered = endpoint.operation
        expected = (None, ()) if metered is None else (metered.cost, tuple(metered.scopes))
        assert told[endpoint.path] == expected


def test_parameters_are_those_that_the_endpoints_take(reference: Reference) -> None:
    told = {
        one.path: {each.name for each in one.parameters if each.place == "query"}
        for one in reference.operations
        if one.method == "GET"
    }
    assert told == {endpoint.path: set(endpoint.parameters) for endpoint in ENDPOINTS}


def test_every_schema_header_and_shared_answer_is_told_once(reference: Reference) -> None:
    components = contract()["components"]
    assert [one.name for one in reference.schemas] == list(components["schemas"])
    assert len(reference.answered) == len(components["headers"])
    asked = [one["name"] for one in components["parameters"].values() if one["in"] == "header"]
    assert [one.name for one in reference.asked] == asked
    told = [(one.status, str(one.description)) for one in reference.outcomes]
    assert len(set(told)) == len(told) == len({one.id for one in reference.outcomes})
    for operation in reference.operations:
        assert set(operation.outcomes) <= set(reference.outcomes)


def test_operations_with_a_body_are_read_too() -> None:
    found = read_reference(WATCHES)
    (group,) = found.groups
    add, drop = group.operations
    assert (add.method, add.credits, add.example) == ("POST", 0, {"nodeId": "it's one"})
    assert [(field.name, field.always) for field in add.body] == [
        ("nodeId", True),
        ("hook", False),
        ("hook.url", False),
    ]
    assert (drop.method, drop.credits, drop.body) == ("DELETE", None, ())
    assert [one.name for one in found.answered] == ["ETag"]
    # Two names, the same words: told once.
    assert [one.description for one in found.outcomes] == ["It is wrong."]
    assert add.outcomes == drop.outcomes


def test_texts_are_escaped_and_code_is_marked() -> None:
    assert paragraphs("One.\n\nTwo `<b>` & <i>.") == (
        "<p>One.</p><p>Two <code>&lt;b&gt;</code> &amp; &lt;i&gt;.</p>"
    )
    assert line("an odd ` mark") == "an odd ` mark"


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"$ref": "#/components/schemas/Node"}, '<a href="#schema-Node">Node</a>'),
        ({"type": ["string", "null"], "format": "uuid"}, "string or null, uuid"),
        ({"type": "integer", "minimum": 1, "maximum": 10_000}, "integer; 1 to 10,000"),
        ({"type": "string", "minLength": 1, "maxLength": 500}, "string; 1 to 500 characters"),
        ({"type": "number", "minimum": 0}, "number; at least 0"),
        ({"type": "string", "enum": ["a", "b"]}, "<code>a</code>, <code>b</code>"),
        ({"const": "*"}, "<code>*</code>"),
        (
            {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}, "maxItems": 7},
            'list of <a href="#schema-Tag">Tag</a>; at most 7 entries',
        ),
        (
            {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Pin"}]},
            'string or <a href="#schema-Pin">Pin</a>',
        ),
        ({}, "any value"),
    ],
)
def test_types_are_told_in_words(schema: dict[str, object], told: str) -> None:
    assert type_words(schema) == told


def test_fields_of_lists_are_named_as_such() -> None:
    schema = {"properties": {"tiers": {"items": {"properties": {"name": {"type": "string"}}}}}}
    assert [field.name for field in fields_of(schema)] == ["tiers", "tiers[].name"]

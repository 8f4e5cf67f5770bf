"""The OpenAPI document: valid, complete, and the same as what the application does."""

import re
from uuid import UUID

import falcon.inspect
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from serving.api import operations as metered
from serving.api import parameters
from serving.api.endpoints import ENDPOINTS
from serving.api.errors import STATUS
from serving.contract.citations.scheme import COURT, LAWS
from serving.contract.errors import ValidationError
from serving.contract.records import JURISDICTION_LEVELS, STATUSES
from serving.process.application import create_web_app
from serving.process.protocol.sizes import LONG_URL, MAX_HEAD, MAX_HEADERS, MAX_URL
from serving.services import zoning
from serving.services.citations.citation_resolver import MAX_MEMBERS
from serving.services.citations.resolution import Outcome, Reason

ROOM_FOR_SHORT_ONES = 1_000
"""Bytes for parameters whose values are short and have a form."""


def operations(document):
    return [
        (path, method, operation)
        for path, entry in document["paths"].items()
        for method, operation in entry.items()
    ]


def test_document_is_valid_openapi(contract):
    validate(contract.document, cls=OpenAPIV31SpecValidator)
    assert contract.document["openapi"] == "3.1.0"
    assert contract.document["info"]["version"] == "1.0.0"


OF_PEOPLE = (
    *("/settings", "/formation", "/docs", "/zoning", "/law", "/search"),
    *("/sitemap", "/robots.txt", "/oauth", "/report"),
)
"""Beginnings of paths that are for people and for search engines, or that RFC 8414's metadata describes."""


def test_paths_and_methods_are_the_routes(contract, settings, holder, billing):
    routes = falcon.inspect.inspect_routes(create_web_app(settings, holder, billing))
    served = {
        (re.sub(r"\{\w+\}", "{}", route.path), method.method.lower())
        for route in routes
        for method in route.methods
        if not method.internal and route.path != "/" and not route.path.startswith(OF_PEOPLE)
    }
    described = {
        (re.sub(r"\{\w+\}", "{}", path), method) for path, method, _ in operations(contract.document)
    }
    assert described == served
    listed = {
        (re.sub(r"\{\w+\}", "{}", one.path), method)
        for one in ENDPOINTS
        for method in map(str.lower, one.methods)
    }
    assert listed == served, "serving/api/endpoints.py names every path"


def test_metered_operations_are_those_of_the_table(contract):
    assert {one.operation for one in ENDPOINTS if one.operation} == set(metered.ALL)
    keyed = {
        (path, method): operation
        for path, method, operation in operations(contract.document)
        if operation.get("security")
    }
    assert set(keyed) == {
        (one.path, method.lower()) for one in ENDPOINTS if one.operation for method in one.methods
    }
    for (path, _), operation in keyed.items():
        (found,) = [one for one in metered.ALL if f"/api/v1/{one.name}" == re.sub(r"/\{\w+\}", "", path)]
        said = operation["description"]
        assert (operation["x-scopes"], operation["x-credits"]) == (list(found.scopes), found.cost)
        assert f"Cost: {found.cost} credit{'' if found.cost == 1 else 's'}." in said
        assert re.findall(r"`(\w+)`", said.split("Scope: ")[1]) == list(found.scopes)


def test_what_an_operation_documents_fits_into_an_address(contract):
    def most_bytes(schema):
        """The most bytes of a value that has a bound, each character of four bytes, percent-encoded."""
        if schema["type"] == "array":
            return schema["maxItems"] * most_bytes(schema["items"])
        return 12 * schema.get("maxLength", 0)

    needed = {}
    for path, _, operation in operations(contract.document):
        queries = [contract.resolve(one) for one in operation.get("parameters", ())]
        texts = [one for one in queries if one["in"] == "query" and "$ref" not in str(one["schema"])]
        names = sum(one["schema"].get("maxItems", 1) * len(f"&{one['name']}=") for one in texts)
        needed[path] = len(path) + names + sum(most_bytes(one["schema"]) for one in texts)
    assert max(needed.values()) + ROOM_FOR_SHORT_ONES <= MAX_URL, max(needed, key=needed.__getitem__)


@pytest.mark.parametrize("status", ["400", "408", "414", "431"])
def test_what_every_request_may_be_answered_is_said_of_every_operation(contract, status):
    without = [
        f"{method} {path}"
        for path, method, operation in operations(contract.document)
        if status not in operation["responses"]
    ]
    assert without == []


def test_the_document_says_the_bounds_of_requests(contract):
    described = contract.document["info"]["description"]
    assert f"an address of more than {MAX_URL:,} bytes or a path of more than {LONG_URL:,}" in described
    assert f"headers of more than {MAX_HEAD:,} bytes or more than {MAX_HEADERS} of them" in described
    told = contract.document["components"]["responses"]["UriTooLong"]["description"]
    assert f"{MAX_URL:,} bytes" in told
    assert f"{LONG_URL:,}." in told


def test_operation_ids_are_unique_camel_case(contract):
    ids = [operation["operationId"] for _, _, operation in operations(contract.document)]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", name) for name in ids)


def test_every_operation_has_a_tag_that_is_described(contract):
    tags = {tag["name"] for tag in contract.document["tags"]}
    assert {tag for _, _, operation in operations(contract.document) for tag in operation["tags"]} == tags


def test_every_example_fits_its_schema(contract):
    for path, method, operation in operations(contract.document):
        for status, entry in operation["responses"].items():
            for media_type, content in contract.resolve(entry).get("content", {}).items():
                if media_type == "application/problem+json":
                    continue
                assert "example" in content, f"{method} {path} {status} {media_type}"
                schema = {**content["schema"], "components": contract.document["components"]}
                Draft202012Validator(schema).validate(content["example"])


def test_error_examples_have_the_status_of_their_code(contract):
    for _, _, operation in operations(contract.document):
        for status, entry in operation["responses"].items():
            if status.startswith(("4", "5")):
                example = (
                    contract.resolve(entry).get("content", {}).get("application/json", {}).get("example")
                )
                if example is not None:
                    assert STATUS[example["error"]] == int(status)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)
def test_query_parameters_are_those_that_are_parsed(contract, endpoint):
    get = contract.document["paths"][endpoint.path]["get"]
    entries = [contract.resolve(entry) for entry in get["parameters"]]
    described = {entry["name"]: entry for entry in entries if entry["in"] == "query"}
    assert tuple(described) == endpoint.parameters
    for name, entry in described.items():
        assert entry["required"] is parameters.PARAMETERS[name].required


def accepts(name, value):
    try:
        parameters.PARAMETERS[name].parse(str(value))
    except (ValueError, ValidationError):
        return False
    return True


def test_bounds_are_those_that_are_enforced(contract):
    schemas = {
        entry["name"]: entry["schema"]
        for entry in contract.document["components"]["parameters"].values()
        if entry["in"] == "query"
    }
    for name, schema in schemas.items():
        for bound, outside in (("minimum", -1), ("maximum", +1)):
            if bound in schema:
                assert accepts(name, schema[bound])
                assert not accepts(name, schema[bound] + outside)
        for value in schema.get("enum", ()):
            assert accepts(name, value)
        default = schema.get("default")
        if isinstance(default, list):
            assert tuple(default) == parameters.PARAMETERS[name].default
        elif default is not None:
            assert default == parameters.PARAMETERS[name].default
    assert accepts("q", "x" * schemas["q"]["maxLength"])
    assert not accepts("q", "x" * (schemas["q"]["maxLength"] + 1))
    citation = schemas["citation"]
    assert citation["maxItems"] == parameters.PARAMETERS["citation"].most
    assert accepts("citation", "x" * citation["items"]["maxLength"])
    assert not accepts("citation", "x" * (citation["items"]["maxLength"] + 1))


def test_enumerations_are_those_of_the_contract_package(contract):
    schemas = contract.document["components"]["schemas"]
    assert tuple(schemas["NodeStatus"]["enum"]) == STATUSES
    assert tuple(schemas["JurisdictionLevel"]["enum"]) == JURISDICTION_LEVELS
    assert schemas["CitationOutcome"]["enum"] == list(Outcome)
    assert schemas["CitationReason"]["enum"] == list(Reason)
    (kinds, _) = schemas["Resolution"]["properties"]["lawKind"]["oneOf"]
    assert kinds["enum"] == [*LAWS, COURT]
    assert schemas["LocationReason"]["enum"] == [*zoning.Reason, None]
    assert schemas["Resolution"]["properties"]["members"]["maxItems"] == MAX_MEMBERS
    assert set(schemas["Error"]["properties"]["error"]["enum"]) == set(STATUS) - {"unsupported_media_type"}


def test_document_is_served_with_the_services_own_address(client):
    result = client.get("/api/v1/openapi.json")
    assert result.json["servers"][0]["url"] == "https://law.example"
    assert result.headers["cache-control"] == "public, max-age=3600"
    assert UUID(hex=result.headers["etag"].strip('"'))
    head = client.request("HEAD", "/api/v1/openapi.json")
    assert head.headers["etag"] == result.headers["etag"]

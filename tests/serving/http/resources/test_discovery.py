"""The documents by which programs and people find out what the service offers."""

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import falcon
import falcon.testing
import pytest

from serving.api import operations
from serving.api.discovery import Tool, discovery_document, llms_text
from serving.api.endpoints import ENDPOINTS
from serving.api.errors import STATUS
from serving.http.resources.discovery import SecurityResource
from serving.mcp.server import INSTRUCTIONS
from serving.mcp.toolbox import TOOLS as TOOLBOX
from serving.mcp.toolbox import discovered
from serving.metering.tiers import PACKS
from serving.process.application import create_web_app
from tests.serving.http.conftest import CheckedClient

DOCUMENTS = {
    "/api/v1": "application/json",
    "/api/v1/openapi.json": "application/json",
    "/.well-known/api-catalog": "application/linkset+json",
    "/.well-known/oauth-protected-resource": "application/json",
    "/.well-known/oauth-protected-resource/mcp": "application/json",
    "/llms.txt": "text/plain",
    "/.well-known/security.txt": "text/plain",
}
TOOLS = (
    Tool("law.get_node", ("get_law_node",), "Read a provision.", operations.NODE),
    Tool("law.check_text", ("check_text",), "Check a draft.", operations.CHECK_TEXT),
)


@pytest.fixture(scope="module")
def asked(settings, holder, billing, contract, new_customer):
    """A client of a service whose operator has named a contact."""
    named = replace(settings, security_contact="mailto:security@law.example")
    return CheckedClient(create_web_app(named, holder, billing), contract, new_customer().key)


@pytest.mark.parametrize("path", DOCUMENTS)
def test_it_needs_no_key_and_may_be_kept_by_anybody(asked, path):
    result = asked.get(path, key=None)
    assert result.status_code == 200
    assert result.headers["content-type"].split(";")[0] == DOCUMENTS[path]
    assert result.headers["cache-control"] == "public, max-age=3600"
    assert not {name for name in result.headers if name.startswith(("x-credits", "ratelimit", "x-ratelimit"))}
    again = asked.get(path, key=None, headers={"If-None-Match": result.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_head_answers_as_get_without_the_body(asked, path):
    head, get = asked.request("HEAD", path), asked.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["content-type"] == get.headers["content-type"]


@pytest.mark.parametrize("path", DOCUMENTS)
def test_it_is_compressed_where_that_is_accepted(asked, decoded, path):
    plain = asked.get(path)
    for encoding in ("gzip", "zstd"):
        sent = asked.get(path, headers={"Accept-Encoding": encoding})
        assert sent.headers["content-encoding"] == encoding
        assert decoded(sent) == plain.content


@pytest.mark.parametrize("path", DOCUMENTS)
def test_it_is_strict_about_what_is_asked(asked, path):
    assert asked.get(path, params={"colour": "red"}).status_code == 422
    assert asked.get(path, headers={"Accept": "image/png"}).status_code == 406


def test_every_endpoint_is_listed_with_scopes_credits_and_parameters(client):
    body = client.get("/api/v1").json
    assert [entry["path"] for entry in body["endpoints"]] == [one.path for one in ENDPOINTS]
    for entry, endpoint in zip(body["endpoints"], ENDPOINTS, strict=True):
        assert entry["keyless"] is (endpoint.operation is None)
        assert entry["credits"] == (endpoint.operation.cost if endpoint.operation else 0)
        assert tuple(entry["scopes"]) == (endpoint.operation.scopes if endpoint.operation else ())
        asked = [one["name"] for one in entry["parameters"] if one["in"] == "query"]
        assert tuple(asked) == endpoint.parameters
        assert [one["name"] for one in entry["parameters"] if one["in"] == "path"] == re.findall(
            r"\{(\w+)\}", endpoint.path
        )
    (search,) = [entry for entry in body["endpoints"] if entry["path"] == "/api/v1/search"]
    parameters = {one["name"]: one for one in search["parameters"]}
    assert parameters["limit"] | {"description": ""} == {
        "name": "limit",
        "in": "query",
        "required": False,
        "description": "",
        "type": "integer",
        "default": 20,
        "minimum": 1,
        "maximum": 100,
    }
    assert parameters["status"]["repeatable"] is False
    assert "in_force" in parameters["status"]["enum"]


def test_packs_tiers_and_errors_are_those_of_the_service(client):
    body = client.get("/api/v1").json
    assert {pack["pack"]: (pack["priceCents"], pack["credits"]) for pack in body["packs"]} == {
        pack.name: (pack.price_cents, pack.credits) for pack in PACKS.values()
    }
    assert [pack["requestsPerMinute"] for pack in body["packs"]] == [60, 120, 300]
    assert body["tiers"][0] == {"tier": "free", "requestsPerMinute": 30, "requestsPerDay": 1000}
    assert {entry["error"]: entry["status"] for entry in body["errors"]} == STATUS


def test_tools_are_listed_under_their_names(contract):
    body = json.loads(discovery_document("https://law.example", TOOLS))
    assert body["mcp"]["url"] == "https://law.example/mcp"
    assert body["mcp"]["tools"] == [
        {
            "name": "law.get_node",
            "aliases": ["get_law_node"],
            "summary": "Read a provision.",
            "scopes": ["node"],
            "credits": 1,
            "perCitations": None,
        },
        {
            "name": "law.check_text",
            "aliases": ["check_text"],
            "summary": "Check a draft.",
            "scopes": ["search", "node"],
            "credits": 1,
            "perCitations": 25,
        },
    ]
    lines = llms_text("https://law.example", TOOLS).decode().splitlines()
    assert "- `law.get_node`: Read a provision. Costs 1 credit." in lines
    assert "- `law.check_text`: Check a draft. Costs 1 credit for each 25 citations." in lines


def test_every_document_says_one_price():
    document = json.loads(discovery_document("https://law.example", discovered()))
    listed = {tool["name"]: tool for tool in document["mcp"]["tools"]}
    text = llms_text("https://law.example", discovered()).decode()
    guide = (Path(__file__).parents[4] / "docs" / "mcp.md").read_text(encoding="utf-8")
    for tool in TOOLBOX:
        operation = tool.operation
        said = listed[tool.name]
        assert (said["credits"], said["perCitations"]) == (operation.cost, operation.per_citations)
        assert f"`{tool.name}`: {tool.summary} Costs {operation.price}.\n" in text
        own = f"Costs {operation.price}." in (tool.listed().description or "")
        assert own != (f"A call costs {operation.price}, unless its tool says otherwise" in INSTRUCTIONS)
        in_guide = operation.price.replace(" credit", "", 1) if operation.per_citations else operation.cost
        assert re.search(rf"\| `{tool.name}` \|[^|]+\| {in_guide} \|", guide)


def test_every_address_that_is_given_out_is_answered(asked):
    body = asked.get("/api/v1").json
    catalog = asked.get("/.well-known/api-catalog").json["linkset"]
    linked = re.findall(r"\]\((https://law\.example[^)]*)\)", asked.get("/llms.txt").text)
    addresses = {
        *body["documents"].values(),
        body["authentication"]["keysUrl"],
        *(address for address in linked if "{" not in address),
        *(
            target["href"]
            for entry in catalog
            for key, targets in entry.items()
            if key != "anchor"
            for target in targets
        ),
    }
    # The tools and what says how they are protected are served beside the application, the counts elsewhere.
    elsewhere = {
        "https://law.example/metrics",
        "https://law.example/mcp",
        "https://law.example/.well-known/oauth-protected-resource",
    }
    assert len(addresses) > 12
    for address in sorted(addresses - elsewhere):
        path, _, query = address.removeprefix("https://law.example").partition("?")
        assert asked.get(path, query_string=query).status_code not in (404, 405), address


def test_the_catalogue_is_a_link_set_that_leads_to_the_api(client):
    result = client.get("/.well-known/api-catalog")
    assert 'profile="https://www.rfc-editor.org/info/rfc9727"' in result.headers["content-type"]
    assert 'rel="api-catalog"' in result.headers["link"]
    entries = {entry["anchor"]: entry for entry in result.json["linkset"]}
    api = entries["https://law.example/api/v1"]
    assert api["service-desc"][0]["href"] == "https://law.example/api/v1/openapi.json"
    assert api["service-doc"][0] == {"href": "https://law.example/docs", "type": "text/html"}
    assert entries["https://law.example/.well-known/api-catalog"]["item"][0]["href"] in entries


def test_llms_text_has_the_form_that_is_expected(client):
    lines = client.get("/llms.txt").text.splitlines()
    assert lines[0] == "# Legal Research and Citation API"
    assert lines[2].startswith("> ")
    assert [line for line in lines if line.startswith("## ")] == [
        "## Read",
        "## Free, without a key",
        "## Pages for people",
    ]
    assert sum(line.startswith("- [") for line in lines) == len(ENDPOINTS) + 3
    assert "Scope:" not in "\n".join(lines)


def test_security_text_names_the_contact_and_when_it_ends(asked):
    lines = dict(line.split(": ", 1) for line in asked.get("/.well-known/security.txt").text.splitlines())
    assert lines["Contact"] == "mailto:security@law.example"
    assert lines["Canonical"] == "https://law.example/.well-known/security.txt"
    assert re.fullmatch(r"\d{4}-\d{2}-01T00:00:00Z", lines["Expires"])


@pytest.mark.parametrize(
    ("today", "expires"),
    [("2026-11-21", "2027-05-01"), ("2026-06-30", "2026-12-01"), ("2026-07-01", "2027-01-01")],
)
def test_security_text_holds_for_half_a_year(today, expires):
    app = falcon.asgi.App()
    resource = SecurityResource("https://law.example", "mailto:a@b", today=lambda: date.fromisoformat(today))
    app.add_route("/security.txt", resource)
    text = falcon.testing.TestClient(app).simulate_get("/security.txt").text
    assert f"Expires: {expires}T00:00:00Z" in text


def test_without_a_contact_there_is_no_security_text(client):
    result = client.get("/.well-known/security.txt")
    assert (result.status_code, result.json["error"]) == (404, "not_found")


def test_the_table_prices_what_is_metered():
    assert {one.operation for one in ENDPOINTS if one.operation} == set(operations.ALL)

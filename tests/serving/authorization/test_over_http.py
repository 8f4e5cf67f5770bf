"""The endpoints for programs over HTTP: discovery, registration, tokens, and what they refuse."""

import httpx
import pytest

from serving.metering.keys import SCOPES
from tests.serving.authorization.agents import REDIRECT
from tests.serving.authorization.conftest import APP
from tests.serving.mcp.wire import Wire, message

pytestmark = pytest.mark.e2e


def test_a_client_finds_its_way_from_the_refusal(server):
    """RFC 9728 and 8414: each document names the next, and the issuer is the same to the byte."""
    refused = httpx.post(f"{server.url}/mcp", json=message("ping"))
    assert refused.status_code == 401
    metadata = f"{server.url}/.well-known/oauth-protected-resource/mcp"
    assert refused.headers["www-authenticate"] == (
        f'Bearer resource_metadata="{metadata}", scope="{" ".join(SCOPES)}"'
    )
    resource = httpx.get(metadata).json()
    assert resource["resource"] == f"{server.url}/mcp"
    (issuer,) = resource["authorization_servers"]
    described = httpx.get(f"{issuer}/.well-known/oauth-authorization-server").json()
    assert described["issuer"] == issuer == server.url
    assert httpx.get(f"{server.url}/api/v1").json()["authentication"]["authorizationServer"] == issuer
    for name in ("token_endpoint", "registration_endpoint", "revocation_endpoint"):
        assert httpx.post(described[name]).status_code == 400
    assert httpx.get(described["authorization_endpoint"]).status_code == 400


def test_a_token_that_is_none_is_said_to_be(server):
    wrong = httpx.post(f"{server.url}/mcp", json=message("ping"), headers={"Authorization": "Bearer x"})
    assert wrong.status_code == 401
    assert 'error="invalid_token"' in wrong.headers["www-authenticate"]


def test_registration_answers_what_is_stored(agent):
    answer = agent().register(client_name="Again", token_endpoint_auth_method="client_secret_basic")
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    body = answer.json()
    assert (body["client_name"], body["redirect_uris"]) == ("Again", [REDIRECT])
    assert body["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in body


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"x" * 17_000, b'{"redirect_uris": ["javascript:x"]}'])
def test_what_is_no_registration_is_refused(server, body):
    answer = httpx.post(f"{server.url}/oauth/register", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"] in ("invalid_client_metadata", "invalid_redirect_uri")


def test_a_network_that_registers_too_often_has_to_wait(agent):
    one = agent()
    for _ in range(70):
        answer = one.register()
        if answer.status_code != 201:
            break
    assert (answer.status_code, answer.json()["error"]) == (429, "rate_limited")
    assert int(answer.headers["retry-after"]) > 0
    assert agent().client_id, "others register"


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
@pytest.mark.parametrize(
    ("content", "media"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"grant_type=x", "application/json"),
        (b"grant_type=%ff", "application/x-www-form-urlencoded"),
        (b"\xff", "application/x-www-form-urlencoded"),
        (b"a=b&" * 50, "application/x-www-form-urlencoded"),
        (b"a=" + b"b" * 20_000, "application/x-www-form-urlencoded"),
    ],
)
def test_what_is_no_form_is_refused(server, path, content, media):
    answer = httpx.post(f"{server.url}{path}", content=content, headers={"Content-Type": media})
    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize("kind", ["refresh", "code", "end"])
def test_a_network_that_guesses_has_to_wait(agent, kind):
    one = agent()
    guesses = {"refresh": one.refreshes, "code": one.exchanges, "end": one.revokes}
    for number in range(1_000):  # each of two workers counts for itself, and gives back meanwhile
        answer = guesses[kind](f"lr_refresh_{number:060}")
        if answer.status_code == 429:
            break
    assert (answer.status_code, answer.json()["error"]) == (429, "rate_limited")


def test_a_token_opens_rest_and_mcp_and_is_metered_there(server, agent, person):
    one = agent()
    tokens = one.connects(person)
    wire = Wire(one.http, tokens["access_token"])
    assert wire.answer("search_law", query="fair use", limit=1)["results"]
    assert one.calls(tokens["access_token"]).json()["creditsRemaining"] == 998
    assert one.revokes(tokens["refresh_token"]).status_code == 200
    for _ in range(6):  # whichever worker answers, those too that remember the token
        assert one.calls(tokens["access_token"]).status_code == 401
        refused = wire.modern("tools/call", {"name": "account_status", "arguments": {}})
        assert refused.status_code == 401
        assert 'error="invalid_token"' in refused.headers["www-authenticate"]


METADATA = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
]
PROGRAMS = ["/oauth/register", "/oauth/token", "/oauth/revoke"]
EVIL = "https://evil.example"


def preflight(url: str, origin: str, method: str) -> httpx.Response:
    """As the official client in TypeScript asks, which says its version with every request."""
    return httpx.options(
        url,
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "content-type,mcp-protocol-version",
        },
    )


def accepted(answer: httpx.Response) -> set[str]:
    return {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}


@pytest.mark.parametrize("path", METADATA)
def test_metadata_is_for_every_page(server, path):
    asked = preflight(server.url + path, EVIL, "GET")
    assert asked.status_code == 200
    assert "GET" in asked.headers["access-control-allow-methods"]
    assert "mcp-protocol-version" in accepted(asked)
    answer = httpx.get(server.url + path, headers={"Origin": EVIL, "MCP-Protocol-Version": "2026-07-28"})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", PROGRAMS)
@pytest.mark.parametrize("origin", [APP, "http://localhost:6274"])
def test_pages_of_allowed_origins_register_and_take_tokens(server, path, origin):
    asked = preflight(server.url + path, origin, "POST")
    assert asked.headers["access-control-allow-origin"] == origin
    assert "POST" in asked.headers["access-control-allow-methods"]
    assert {"content-type", "mcp-protocol-version"} <= accepted(asked)
    refused = httpx.post(server.url + path, headers={"Origin": origin})
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (400, origin)
    assert "retry-after" in refused.headers["access-control-expose-headers"].lower()
    assert "access-control-allow-credentials" not in refused.headers
    for answer in (asked, refused):
        assert "Origin" in answer.headers["vary"], "a cache keeps apart what is for different pages"


@pytest.mark.parametrize("path", PROGRAMS)
def test_pages_of_other_origins_are_told_nothing(server, path):
    for answer in (
        preflight(server.url + path, EVIL, "POST"),
        httpx.post(server.url + path, headers={"Origin": EVIL}),
        httpx.post(server.url + path, headers={"Origin": "null"}),
        httpx.post(server.url + path),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "Origin" in answer.headers["vary"]


@pytest.mark.parametrize("origin", [APP, EVIL])
def test_the_page_of_consent_is_for_no_other_page(server, agent, origin):
    """RFC 9700, 2.6: a client leads there, and never reads it."""
    path = server.url + agent().asks()
    for answer in (preflight(path, origin, "GET"), httpx.get(path, headers={"Origin": origin})):
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_page_connects_by_itself_but_for_the_consent(server, agent, person):
    one = agent()
    one.http.headers["Origin"] = APP
    registered = one.register()
    assert registered.headers["access-control-allow-origin"] == APP
    exchanged = one.exchanges(one.is_allowed(person))
    assert (exchanged.status_code, exchanged.headers["access-control-allow-origin"]) == (200, APP)
    wire = Wire(one.http, exchanged.json()["access_token"])
    answer = wire.modern("tools/list", origin=APP)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, APP)
    lost = Wire(one.http, "lr_access_x").modern("tools/list", origin=APP)
    assert lost.status_code == 401
    assert "WWW-Authenticate" in lost.headers["access-control-expose-headers"]

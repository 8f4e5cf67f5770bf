"""Discovery documents, by which programs and people learn what the service offers: made from `ENDPOINTS`.

Descriptions of endpoints and bounds of parameters are taken from the OpenAPI document, which states each
once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any

import orjson

from serving.api.endpoints import ENDPOINTS, Endpoint
from serving.api.errors import STATUS
from serving.metering.gate import Operation
from serving.metering.keys import SCOPES
from serving.metering.tiers import ALLOTMENT, FORMED_ALLOTMENT, PACKS, TIERS

LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
OPENAPI = "application/vnd.oai.openapi+json;version=3.1"
CATALOG = "/.well-known/api-catalog"
MCP = "/mcp"
PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource"
AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"
_BOUNDS = ("type", "format", "enum", "default", "minimum", "maximum", "minLength", "maxLength", "pattern")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the MCP server, as it is listed.

    Attributes:
        aliases: other names under which it is accepted.
        summary: one sentence.
        operation: its scopes and its price.
    """

    name: str
    aliases: tuple[str, ...]
    summary: str
    operation: Operation


@lru_cache(maxsize=1)
def contract() -> dict[str, Any]:
    """Return the OpenAPI document as it is stored, without the address of a service."""
    document: dict[str, Any] = orjson.loads(files("serving.api").joinpath("openapi.json").read_bytes())
    return document


def openapi_document(public_url: str) -> bytes:
    """Return the OpenAPI document for a service at the given address."""
    return orjson.dumps(contract() | {"servers": [{"url": public_url, "description": "This service."}]})


def discovery_document(public_url: str, tools: Iterable[Tool], *, issuer: str | None = None) -> bytes:
    """Return the discovery document of `/api/v1`, with the authorization server, if there is one."""
    info = contract()["info"]
    body: dict[str, Any] = {
        "name": info["title"],
        "version": info["version"],
        "description": info["summary"],
        "baseUrl": public_url,
        "documents": {name: public_url + path for name, path in _DOCUMENTS.items()},
        "authentication": {
            "header": "Authorization: Bearer <API_KEY>",
            "keysUrl": f"{public_url}/settings",
            "scopes": list(SCOPES),
            **({} if issuer is None else {"authorizationServer": issuer}),
        },
        "endpoints": [_endpoint(endpoint) for endpoint in ENDPOINTS],
        "mcp": {
            "url": public_url + MCP,
            "transport": "streamable-http",
            "tools": [
                {
                    "name": tool.name,
                    "aliases": tool.aliases,
                    "summary": tool.summary,
                    "scopes": tool.operation.scopes,
                    "credits": tool.operation.cost,
                    "perCitations": tool.operation.per_citations,
                }
                for tool in tools
            ],
        },
        "tiers": [
            {"tier": tier.name, "requestsPerMinute": tier.per_minute, "requestsPerDay": tier.per_day}
            for tier in TIERS.values()
        ],
        "researchAllotment": {"creditsPerMonth": ALLOTMENT, "onceACompanyWasFormed": FORMED_ALLOTMENT},
        "packs": [
            {
                "pack": pack.name,
                "priceCents": pack.price_cents,
                "credits": pack.credits,
                "requestsPerMinute": TIERS[pack.name].per_minute,
            }
            for pack in PACKS.values()
        ],
        "errors": [{"error": code, "status": status} for code, status in STATUS.items()],
    }
    return orjson.dumps(body)


_DOCUMENTS = {
    "openapi": "/api/v1/openapi.json",
    "reference": "/docs",
    "llms": "/llms.txt",
    "apiCatalog": CATALOG,
    "protectedResource": PROTECTED_RESOURCE,
    "settings": "/settings",
    "law": "/law",
    "search": "/search",
    "sitemap": "/sitemap.xml",
    "ready": "/ready",
}


_PAGES = (
    ("Law", "/law", "a page for every provision, at its citation spelled as a path: `/law/us/usc/17/107`."),
    ("Search", "/search", "the search of the API, without a key, for so many searches a minute."),
    ("Sitemap", "/sitemap.xml", "the addresses of all provisions in force."),
)


def _described(endpoint: Endpoint) -> Mapping[str, Any]:
    found: Mapping[str, Any] = contract()["paths"][endpoint.path]["get"]
    return found


def _endpoint(endpoint: Endpoint) -> dict[str, Any]:
    described = _described(endpoint)
    operation = endpoint.operation
    return {
        "path": endpoint.path,
        "methods": list(endpoint.methods),
        "operationId": described["operationId"],
        "summary": described["summary"],
        "keyless": operation is None,
        "scopes": operation.scopes if operation else (),
        "credits": operation.cost if operation else 0,
        "parameters": [_parameter(entry) for entry in _parameters(described)],
    }


def _parameters(described: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Yield the parameters in path and query, without the headers that every path takes."""
    for reference in described.get("parameters", ()):
        entry = contract()["components"]["parameters"][reference["$ref"].rpartition("/")[2]]
        if entry["in"] != "header":
            yield entry


def _parameter(entry: Mapping[str, Any]) -> dict[str, Any]:
    schema: Mapping[str, Any] = entry["schema"]
    one: Mapping[str, Any] = schema
    listed: dict[str, Any] = {}
    if schema.get("type") == "array":
        one = _resolved(schema["items"])
        listed = {"repeatable": entry.get("explode", True), "maxItems": schema["maxItems"]}
        if "default" in schema:
            listed["default"] = schema["default"]
    return {
        "name": entry["name"],
        "in": entry["in"],
        "required": entry["required"],
        "description": entry["description"],
        **{bound: one[bound] for bound in _BOUNDS if bound in one},
        **listed,
    }


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    reference: str | None = schema.get("$ref")
    if reference is None:
        return schema
    found: Mapping[str, Any] = contract()["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def api_catalog(public_url: str) -> bytes:
    """Return the catalogue of the service's interfaces, a link set (RFC 9727)."""
    api, mcp = f"{public_url}/api/v1", public_url + MCP
    linkset = [
        {"anchor": public_url + CATALOG, "item": [{"href": api}, {"href": mcp}]},
        {
            "anchor": api,
            "service-desc": [{"href": f"{api}/openapi.json", "type": OPENAPI}],
            "service-doc": [
                {"href": f"{public_url}/docs", "type": "text/html"},
                {"href": f"{public_url}/llms.txt", "type": "text/plain"},
            ],
            "service-meta": [{"href": api, "type": "application/json"}],
            "status": [{"href": f"{public_url}/ready", "type": "application/json"}],
        },
        {
            "anchor": mcp,
            "service-doc": [{"href": f"{public_url}/llms.txt", "type": "text/plain"}],
            "service-meta": [{"href": public_url + PROTECTED_RESOURCE, "type": "application/json"}],
        },
    ]
    return orjson.dumps({"linkset": linkset})


def catalog_link(public_url: str) -> str:
    """Return the value of the header `Link` that points to the catalogue (RFC 9727, section 3)."""
    return f'<{public_url}{CATALOG}>; rel="api-catalog"'


_HOW = (
    "Send a key as `Authorization: Bearer <API_KEY>`; keys are made at {settings}. A call costs the credits "
    "that are named; {allotment:,} a month are free. Cite the returned `citation` unchanged. An empty search "
    "in a jurisdiction that coverage calls a placeholder says nothing about its law."
)


_CONNECTING = (
    "An agent that a person connects needs no key: it registers itself and asks for consent by OAuth 2.1, as "
    "{metadata} says."
)


def llms_text(public_url: str, tools: Sequence[Tool], *, issuer: str | None = None) -> bytes:
    """Return the map of the service for language models (llmstxt.org)."""
    info = contract()["info"]
    lines = [
        f"# {info['title']}",
        "",
        f"> {info['summary']} Every answer cites a provision, and names the snapshot it was read from.",
        "",
        _HOW.format(settings=f"{public_url}/settings", allotment=ALLOTMENT),
        *(() if issuer is None else ("", _CONNECTING.format(metadata=issuer + AUTHORIZATION_SERVER))),
        "",
        "Research safely: coverage, then search or resolve, then the node, then cite.",
        "",
        "## Read",
        "",
        *(_line(public_url, endpoint) for endpoint in ENDPOINTS if endpoint.operation),
        "",
        "## Free, without a key",
        "",
        *(_line(public_url, endpoint) for endpoint in ENDPOINTS if not endpoint.operation),
        "",
        "## Pages for people",
        "",
        *(f"- [{title}]({public_url}{path}): {told}" for title, path, told in _PAGES),
    ]
    if tools:
        lines += ["", f"## Tools of the MCP server at {public_url}{MCP}", ""]
        lines += [f"- `{tool.name}`: {tool.summary} Costs {tool.operation.price}." for tool in tools]
    return ("\n".join(lines) + "\n").encode()


def _line(public_url: str, endpoint: Endpoint) -> str:
    described = _described(endpoint)
    query = "&".join(f"{entry['name']}=" for entry in _parameters(described) if _is_asked_for(entry))
    address = f"{public_url}{endpoint.path}" + (f"?{query}" if query else "")
    price = f" Costs {endpoint.operation.price}." if endpoint.operation else ""
    return f"- [{described['summary']}]({address}): {described['description'].split(' Scope: ')[0]}{price}"


def _is_asked_for(entry: Mapping[str, Any]) -> bool:
    return bool(entry["required"]) and entry["in"] == "query"


def protected_resource(public_url: str, path: str, *, issuer: str | None = None) -> bytes:
    """Return the metadata of a part of the service as a protected resource (RFC 9728).

    Args:
        public_url: address of the service.
        path: path of the part, such as `/mcp`; "" for all of the service.
        issuer: the authorization server that gives tokens for it; None where keys are all that opens it.
    """
    return orjson.dumps(
        {
            "resource": public_url + path,
            **({} if issuer is None else {"authorization_servers": [issuer]}),
            "resource_name": contract()["info"]["title"],
            "bearer_methods_supported": ["header"],
            "scopes_supported": list(SCOPES),
            "resource_documentation": f"{public_url}/llms.txt",
        }
    )


def security_text(public_url: str, contact: str, *, expires: date) -> bytes:
    """Return the text of `security.txt`: the contact for reporting vulnerabilities (RFC 9116).

    Args:
        public_url: address of the service.
        contact: a URI, such as `mailto:` one.
        expires: the day from which on the text is out of date.
    """
    lines = (
        f"Contact: {contact}",
        f"Expires: {expires.isoformat()}T00:00:00Z",
        "Preferred-Languages: en",
        f"Canonical: {public_url}/.well-known/security.txt",
    )
    return ("\n".join(lines) + "\n").encode()

"""The table of the headers that protect whoever reads an answer: a row for every route of every door, and for errors."""

from dataclasses import dataclass, field, replace
from typing import Any

from tests.serving.mcp.wire import message
from tests.serving.pages.people import PASSWORD

PUBLIC_URL = "https://law.example"
SNAPSHOT = "2026.11.21-1"
Headers = dict[str, str]

# Of every answer, and its very values: a header that is here and not in a kind below may not be there at all.
EVERY: Headers = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "x-content-type-options": "nosniff",
}
DOCUMENT = EVERY | {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-frame-options": "DENY",
}
API = EVERY | {"access-control-allow-origin": "*"}
FREE = EVERY
AGENTS = EVERY


def _page(policy: str) -> Headers:
    return DOCUMENT | {"content-security-policy": policy}


PAGE = _page(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'"
)
NEW_KEY = _page(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'"
)
REFERENCE = _page(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
LAW = _page(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
MAP = _page(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src blob:; child-src blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
WATCHED = {
    *(name for kind in (EVERY, DOCUMENT, API) for name in kind),
    "access-control-allow-credentials",
    "content-security-policy-report-only",
    "cross-origin-embedder-policy",
    "server",
    "x-powered-by",
}

NOT_KEPT, KEYED, SHARED = "no-store", "private, no-cache", "public, max-age=3600"
ASKED_AGAIN, FOR_GOOD = "public, no-cache", "public, max-age=31536000, immutable"
CATALOGUE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
PARQUET = "application/vnd.apache.parquet"
"""Compressed inside: sent as it is."""
HTML, JSON, XML = "text/html; charset=utf-8", "application/json", "application/xml; charset=utf-8"
FORM_COOKIE = {"lr_form": {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"}}
SESSION_COOKIE = {"lr_session": {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"}}
SIGNED_IN_COOKIES = SESSION_COOKIE | {"lr_device": SESSION_COOKIE["lr_session"]}


@dataclass(frozen=True)
class Row:
    """One answer.

    Attributes:
        route: method and path as the router has it.
        asked: path and query.
        status: of the answer.
        kind: the headers that protect, exactly.
        cache: value of `Cache-Control`, exactly; None for none.
        media: value of `Content-Type`.
        who: asks: `nobody`, a `key`, a key without scopes (`poor`), a `person` who is signed in, a `visitor` with the
            cookie of forms alone.
        form: fields that are sent, beside the hidden ones of the form on the page `at`; None for none.
        cookies: that are set, with their attributes but `Max-Age` and `expires`.
    """

    route: str
    asked: str
    status: int
    kind: Headers
    cache: str | None = NOT_KEPT
    media: str = JSON
    who: str = "nobody"
    form: dict[str, Any] | None = None
    at: str = "/settings"
    headers: Headers = field(default_factory=dict)
    body: Any = None
    cookies: dict[str, set[str]] = field(default_factory=dict)


def _api(template: str, asked: str, status: int = 200, *, who: str = "key", cache: str = KEYED) -> Row:
    return Row(f"GET {template}", asked, status, API, cache=cache, who=who)


def _free(path: str, kind: Headers, *, media: str = JSON, cache: str = SHARED, ask: str = "") -> list[Row]:
    return [
        Row(f"{method} {path}", ask or path, 200, kind, cache=cache, media=media)
        for method in ("GET", "HEAD")
    ]


def _shown(template: str, asked: str, kind: Headers, **more: Any) -> list[Row]:
    row = Row(f"GET {template}", asked, 200, kind, **({"media": HTML, "cache": ASKED_AGAIN} | more))
    return [row, replace(row, route=f"HEAD {template}")]


CSS = "text/css; charset=utf-8"
NODE, BODY, DISTRICT = "{node}", "{body}", "{district}"
"""Stand for the ids of the sample law."""
REVOKE = "/settings/keys/{key_id:int(max=9223372036854775807)}/revoke"
DISCONNECT = "/settings/agents/{key_id:int(max=9223372036854775807)}/disconnect"
TOKEN = "a" * 43
NOBODYS = "00000000-0000-4000-8000-000000000000"
"""The id of what no account has."""
PROVISION = "/law/{jurisdiction}/{code}/{number:path}"
SITEMAP = "/sitemaps/{jurisdiction}/{code}/{number:int(min=1)}.xml"

TABLE: list[Row] = [
    # What a key opens.
    _api("/api/v1/search", "/api/v1/search?q=harbor&mode=keyword"),
    _api("/api/v1/resolve", "/api/v1/resolve?citation=1+S.F.C.+%C2%A7+7"),
    _api("/api/v1/node/{node_id}", f"/api/v1/node/{NODE}"),  # the short way, past the framework
    _api("/api/v1/node/{node_id}", f"/api/v1/node/{NODE}?snapshot={SNAPSHOT}"),
    _api("/api/v1/node/{node_id}/cited-by", f"/api/v1/node/{NODE}/cited-by"),
    _api("/api/v1/node/{node_id}/history", f"/api/v1/node/{NODE}/history"),
    _api("/api/v1/code-bodies", "/api/v1/code-bodies"),
    _api("/api/v1/changes", "/api/v1/changes"),
    _api("/api/v1/browse", f"/api/v1/browse?codeBodyId={BODY}"),
    _api("/api/v1/gis/{short_code}", "/api/v1/gis/sample-city"),
    _api("/api/v1/gis/{short_code}/at", "/api/v1/gis/sample-city/at?lat=37.5005&lon=-122.3995"),
    _api("/api/v1/coverage", "/api/v1/coverage"),
    _api("/api/v1/me", "/api/v1/me", cache=NOT_KEPT),
    _api("/api/v1/watches", "/api/v1/watches", cache=NOT_KEPT),
    *(
        Row(f"{method} {path}", asked, 404, API, who="key", body=sent)
        for path, asked in (("/api/v1/watches/{watch_id}", f"/api/v1/watches/{NOBODYS}"),)
        for method, sent in (("GET", None), ("POST", {"action": "test"}), ("DELETE", None))
    ),
    Row("POST /api/v1/watches", "/api/v1/watches", 422, API, who="key", body={}),
    _api(
        "/api/v1/formation/status/{order_id}",
        "/api/v1/formation/status/00000000-0000-4000-8000-000000000000?token=x",
        404,
        cache=NOT_KEPT,
    ),
    # Its errors, one of each status.
    _api("/api/v1/search", "/api/v1/search?q=a", 401, who="nobody", cache=NOT_KEPT),
    _api("/api/v1/search", "/api/v1/search?q=a&api_key=x", 401, who="key", cache=NOT_KEPT),
    _api("/api/v1/search", "/api/v1/search?q=a", 402, who="poor", cache=NOT_KEPT),
    _api("/api/v1/search", "/api/v1/search?q=a", 403, who="scopeless", cache=NOT_KEPT),
    _api("/api/v1/search", "/api/v1/search", 422, cache=NOT_KEPT),
    _api("/api/v1/node/{node_id}", f"/api/v1/node/{NODE}?snapshot=2020.01.01-1", 404, cache=NOT_KEPT),
    Row(
        "GET /api/v1/coverage", "/api/v1/coverage", 406, API, who="key", headers={"Accept": "application/xml"}
    ),
    Row(
        "GET /api/v1/search",
        "/api/v1/search",
        422,
        API,
        media="application/problem+json",
        who="key",
        headers={"Accept": "application/problem+json"},
    ),
    # What is free.
    *_free("/api/v1", API),
    *_free("/api/v1/openapi.json", API),
    *_free("/api/v1/quality", API, cache="public, max-age=300"),
    *_free("/api/v1/corrections", API, cache="public, max-age=300"),
    *_free("/api/v1/snapshots", API, cache="public, max-age=60"),
    *_free("/api/v1/downloads", API, cache="public, max-age=300"),
    *_free(
        "/api/v1/downloads/{snapshot}/{code_body}/{file}",
        API,
        media=PARQUET,
        cache=FOR_GOOD,
        ask=f"/api/v1/downloads/{SNAPSHOT}/us-sample/provisions.parquet",
    ),
    *_free("/api/v1/log/checkpoint", API, media="text/plain; charset=utf-8", cache="public, max-age=60"),
    *_free(
        "/api/v1/log/tile/{level}/{index}/{width}",
        API,
        media="application/octet-stream",
        cache="public, max-age=60",
        ask="/api/v1/log/tile/0/000.p/1",
    ),
    *(
        Row(f"{method} {path}", asked, 404, API)
        for path, asked in (
            ("/api/v1/log/tile/{level}/{index}", "/api/v1/log/tile/0/000"),
            ("/feeds/watches/{token}.json", f"/feeds/watches/{TOKEN}.json"),
            ("/feeds/watches/{token}.atom", f"/feeds/watches/{TOKEN}.atom"),
        )
        for method in ("GET", "HEAD")
    ),
    Row(
        "GET /api/v1/downloads/{snapshot}/{code_body}/{file}",
        f"/api/v1/downloads/{SNAPSHOT}/us-sample/provisions.parquet",
        416,
        API,
        headers={"Range": "bytes=999999999-"},
    ),
    *(
        row
        for suffix, media in (("json", "application/feed+json"), ("atom", "application/atom+xml"))
        for row in _free(
            f"/feeds/{{code_body}}.{suffix}",
            API,
            media=media,
            cache="public, max-age=300",
            ask=f"/feeds/{BODY}.{suffix}",
        )
    ),
    *_free("/api/v1/formation/prices", API, cache="public, max-age=60"),
    *_free("/api/v1/compare/llc-services", API),
    *_free("/.well-known/api-catalog", FREE, media=CATALOGUE),
    *_free("/.well-known/oauth-protected-resource", API),
    *_free("/.well-known/oauth-protected-resource/mcp", API),
    *_free("/.well-known/oauth-authorization-server", API),
    *_free("/.well-known/security.txt", FREE, media="text/plain; charset=utf-8"),
    *_free("/llms.txt", FREE, media="text/plain; charset=utf-8"),
    *_free("/health", FREE, cache=NOT_KEPT),
    *_free("/ready", FREE, cache=NOT_KEPT),
    *_free(
        "/metrics",
        FREE,
        cache=NOT_KEPT,
        media="text/plain; version=0.0.4; charset=utf-8",
        ask="{metrics}/metrics",
    ),
    Row("GET /metrics", "/metrics", 404, FREE),
    # What other programs send.
    Row("POST /payments/stripe/webhook", "/payments/stripe/webhook", 400, FREE, form={"x": "y"}, at=""),
    Row("POST /oauth/token", "/oauth/token", 400, FREE, form={"grant_type": "x"}, at=""),
    Row("POST /oauth/revoke", "/oauth/revoke", 400, FREE, form={"token": "x"}, at=""),
    Row("POST /oauth/register", "/oauth/register", 201, FREE, body={"redirect_uris": ["https://a.example/"]}),
    Row("POST /oauth/register", "/oauth/register", 400, FREE, body={}),
    Row("POST /mcp", "/mcp", 200, AGENTS, who="key", body=message("ping")),
    Row("POST /mcp/", "/mcp/", 200, AGENTS, who="key", body=message("ping")),
    Row("POST /mcp", "/mcp", 401, AGENTS, body=message("ping")),
    Row("POST /mcp", "/mcp", 400, AGENTS, who="key", body=[]),
    Row("GET /mcp", "/mcp", 405, AGENTS),
    Row("POST /mcp", "/mcp", 421, AGENTS, headers={"Host": "elsewhere.example"}, body={}),
    Row("POST /mcp", "/mcp", 403, AGENTS, headers={"Origin": "https://elsewhere.example"}, body={}),
    # Pages for reading.
    *_shown("/docs", "/docs", REFERENCE),
    *_shown("/docs/static/{name}", "/docs/static/reference.css", EVERY, media=CSS),
    Row("GET /docs/static/{name}", "/docs/static/nothing", 404, EVERY),
    *_shown("/zoning", "/zoning", LAW),
    *_shown("/zoning/{short_code}", "/zoning/sample-city", MAP),
    Row("GET /zoning/{short_code}", "/zoning/nowhere", 404, MAP, media=HTML),
    *_shown("/zoning/{short_code}/at", "/zoning/sample-city/at?point=0,0", LAW),
    Row("GET /zoning/{short_code}/at", "/zoning/sample-city/at?point=x", 422, LAW, media=HTML),
    Row("GET /zoning/address", "/zoning/address?address=7+Harbor+Street", 404, LAW, media=HTML),
    Row("HEAD /zoning/address", "/zoning/address?address=7+Harbor+Street", 404, LAW, media=HTML),
    *_shown("/zoning/{short_code}/map.json", "/zoning/sample-city/map.json", LAW, media=JSON),
    *_shown("/zoning/{short_code}/provisions/{node_id}", f"/zoning/sample-city/provisions/{DISTRICT}", LAW),
    *_shown("/zoning/static/{name}", "/zoning/static/zoning.css", EVERY, media=CSS),
    # Pages of law, which have a search box.
    *_shown("/", "/", LAW),
    Row("GET /", "/", 404, EVERY, headers={"Accept": "application/json"}),
    *_shown("/search", "/search?q=harbor", LAW),
    Row("GET /search", "/search?q=1+S.F.C.+%C2%A7+7", 303, LAW, cache="no-cache"),
    Row("GET /search", "/search?q=harbor&page=0", 422, LAW, media=HTML),
    *_shown("/law", "/law", LAW),
    *_shown("/law/{jurisdiction}", "/law/us", LAW),
    *_shown("/law/{jurisdiction}/{code}", "/law/us/sample", LAW),
    *_shown(PROVISION, "/law/us/sample/1/7", LAW),
    *_shown(PROVISION, "/law/us/sample/1/7?format=json", LAW, media=JSON),
    *_shown(PROVISION, "/law/us/sample/1/7?format=markdown", LAW, media="text/markdown; charset=utf-8"),
    Row(f"GET {PROVISION}", "/law/us/sample/t1/s7", 301, LAW, cache="no-cache"),
    Row(f"GET {PROVISION}", "/law/us/sample/1/6", 404, LAW, media=HTML),
    Row(
        "GET /api/v1/node/{node_id}",
        f"/api/v1/node/{NODE}",
        303,
        API,
        cache="no-cache",
        headers={"Accept": "text/html"},
    ),
    *_shown("/sitemap.xml", "/sitemap.xml", LAW, media=XML),
    *_shown(SITEMAP, "/sitemaps/us/sample/1.xml", LAW, media=XML),
    *_free("/robots.txt", FREE, media="text/plain; charset=utf-8"),
    # Pages of people.
    *_shown("/formation/start", "/formation/start", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE),
    Row(
        "POST /formation/start",
        "/formation/start",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *_shown("/report/{node:uuid}", f"/report/{NODE}", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE),
    Row(
        "POST /report/{node:uuid}",
        f"/report/{NODE}",
        303,
        PAGE,
        who="visitor",
        form={"words": "A sentence is missing."},
        at=f"/report/{NODE}",
    ),
    *_shown("/settings", "/settings", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE),
    *_shown("/settings", "/settings", PAGE, cache=NOT_KEPT, who="person"),
    *_shown("/settings/static/{name}", "/settings/static/settings.css", PAGE, media=CSS),
    Row("GET /settings/static/{name}", "/settings/static/none", 404, PAGE, media=HTML, cookies=FORM_COOKIE),
    Row(
        "POST /settings/sign-up",
        "/settings/sign-up",
        303,
        PAGE,
        who="visitor",
        form={"email": "new@example.org", "password": PASSWORD},
        cookies=SIGNED_IN_COOKIES,
    ),
    Row(
        "POST /settings/sign-in",
        "/settings/sign-in",
        303,
        PAGE,
        who="visitor",
        form={"email": "{email}", "password": PASSWORD},
        cookies=SIGNED_IN_COOKIES,
    ),
    Row(
        "POST /settings/sign-in",
        "/settings/sign-in",
        401,
        PAGE,
        media=HTML,
        who="visitor",
        form={"email": "{email}", "password": "not this one"},
    ),
    Row(
        "POST /settings/sign-in",
        "/settings/sign-in",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    Row("POST /settings/sign-in", "/settings/sign-in", 415, PAGE, media=HTML, who="visitor", body={}, at=""),
    Row(
        "POST /settings/keys",
        "/settings/keys",
        200,
        NEW_KEY,
        media=HTML,
        who="person",
        form={"name": "k", "scopes": ["node"]},
    ),
    *_shown(REVOKE, "{revoke}", PAGE, cache=NOT_KEPT, who="person"),
    Row(f"POST {REVOKE}", "{revoke}", 303, PAGE, who="person", form={}, at="{revoke}"),
    Row("GET /settings/authorize", "/settings/authorize", 400, PAGE, media=HTML, cookies=FORM_COOKIE),
    Row("HEAD /settings/authorize", "/settings/authorize", 400, PAGE, media=HTML, cookies=FORM_COOKIE),
    Row(
        "POST /settings/authorize",
        "/settings/authorize",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    Row(f"GET {DISCONNECT}", "/settings/agents/1/disconnect", 404, PAGE, media=HTML, who="person"),
    Row(f"HEAD {DISCONNECT}", "/settings/agents/1/disconnect", 404, PAGE, media=HTML, who="person"),
    Row(
        f"POST {DISCONNECT}",
        "/settings/agents/1/disconnect",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *_shown("/settings/ledger", "/settings/ledger", PAGE, cache=NOT_KEPT, who="person"),
    Row("GET /settings/ledger", "/settings/ledger", 401, PAGE, media=HTML, cookies=FORM_COOKIE),
    *_shown("/settings/requests", "/settings/requests", PAGE, cache=NOT_KEPT, who="person"),
    *_shown(
        "/settings/requests.csv",
        "/settings/requests.csv",
        PAGE,
        cache=NOT_KEPT,
        who="person",
        media="text/csv; charset=utf-8",
    ),
    *_shown("/settings/orders", "/settings/orders", PAGE, cache=NOT_KEPT, who="person"),
    Row("GET /settings/orders/{order_id}", "/settings/orders/x", 404, PAGE, media=HTML, who="person"),
    Row("HEAD /settings/orders/{order_id}", "/settings/orders/x", 404, PAGE, media=HTML, who="person"),
    Row("GET /settings/receipts/{payment_id}", "/settings/receipts/x", 404, PAGE, media=HTML, who="person"),
    Row("HEAD /settings/receipts/{payment_id}", "/settings/receipts/x", 404, PAGE, media=HTML, who="person"),
    *_shown("/settings/password", "/settings/password", PAGE, cache=NOT_KEPT, who="person"),
    Row(
        "POST /settings/password",
        "/settings/password",
        422,
        PAGE,
        media=HTML,
        who="person",
        form={"current": PASSWORD, "password": "x"},
        at="/settings/password",
    ),
    *_shown("/settings/reset", "/settings/reset", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE),
    Row(
        "POST /settings/reset",
        "/settings/reset",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *_shown("/settings/reset/{token}", f"/settings/reset/{TOKEN}", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE),
    Row(
        "POST /settings/reset/{token}",
        f"/settings/reset/{TOKEN}",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *_shown("/settings/unlock", "/settings/unlock", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE),
    Row(
        "POST /settings/unlock",
        "/settings/unlock",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *_shown(
        "/settings/unlock/{token}", f"/settings/unlock/{TOKEN}", PAGE, cache=NOT_KEPT, cookies=FORM_COOKIE
    ),
    Row(
        "POST /settings/unlock/{token}",
        f"/settings/unlock/{TOKEN}",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *(
        Row(f"POST {route}", asked, 403, PAGE, media=HTML, form={"x": "y"}, at="", cookies=FORM_COOKIE)
        for route, asked in (
            ("/settings/verification", "/settings/verification"),
            ("/settings/verification/{token}", f"/settings/verification/{TOKEN}"),
        )
    ),
    *_shown(
        "/settings/verification/{token}",
        f"/settings/verification/{TOKEN}",
        PAGE,
        cache=NOT_KEPT,
        cookies=FORM_COOKIE,
    ),
    Row(
        "POST /settings/buy/{pack}",
        "/settings/buy/pro",
        403,
        PAGE,
        media=HTML,
        form={"x": "y"},
        at="",
        cookies=FORM_COOKIE,
    ),
    *_shown("/settings/bought", "/settings/bought", PAGE, cache=NOT_KEPT, who="person"),
    Row(
        "POST /settings/sign-out",
        "/settings/sign-out",
        303,
        PAGE,
        who="person",
        form={},
        cookies=SESSION_COOKIE,
    ),
    # What is no route.
    Row("GET /nowhere", "/nowhere", 404, EVERY),
    Row("GET /api/v1/nowhere", "/api/v1/nowhere", 404, API),
    Row("GET /settings/nowhere", "/settings/nowhere", 404, PAGE, media=HTML, cookies=FORM_COOKIE),
    Row("DELETE /api/v1/me", "/api/v1/me", 405, API),
    Row("DELETE /settings", "/settings", 405, PAGE, media=HTML, cookies=FORM_COOKIE),
    Row("OPTIONS /api/v1/me", "/api/v1/me", 200, API, cache=None),
]

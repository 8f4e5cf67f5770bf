"""HTTP over raw sockets: whatever arrives, the server goes on, and nothing that it answers is a failure of ours."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpx
from hypothesis import strategies as st

from tests.fuzz.inputs import mutated
from tests.fuzz.target import Check, Grounds, Target

KEY = b"lr_live_KEY"
"""Stands for a key that is good."""
QUIET_SECONDS = 0.05
"""After so long without an answer the server is taken to wait for more."""
UNAVAILABLE = 503
_STATUS = re.compile(rb"^HTTP/1\.[01] (\d{3}) ", re.MULTILINE)
_HOST = b"Host: law.example\r\n"
_HEAD = _HOST + b"Authorization: Bearer " + KEY + b"\r\n"
_NODE = b"/api/v1/node/00000000-0000-5000-8000-000000000000"


def _get(target: bytes, headers: bytes = _HEAD, version: bytes = b"HTTP/1.1") -> bytes:
    return b"GET " + target + b" " + version + b"\r\n" + headers + b"\r\n"


def _post(target: bytes, body: bytes, headers: bytes = b"") -> bytes:
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST " + target + b" HTTP/1.1\r\n" + _HEAD + headers + length + b"\r\n" + body


FORM = b"Content-Type: application/x-www-form-urlencoded\r\nCookie: lr_form=abc; lr_session=def\r\n"
SAMPLES = (
    _get(b"/health"),
    _get(_NODE),
    _get(_NODE, b'Accept-Encoding: gzip;q=0.5, zstd\r\nIf-None-Match: W/"x"\r\nAccept: */*\r\n' + _HEAD),
    _get(b"/api/v1/search?q=harbor+permit&mode=keyword&limit=3&facets=true&jurisdiction=sample"),
    _get(b"/api/v1/resolve?citation=1+S.F.C.+%C2%A7+7&citation=Sample+Code+1-1"),
    _get(b"/api/v1/browse?codeBodyId=00000000-0000-5000-8000-000000000000&parent="),
    _get(b"/api/v1/gis/sample-city/at?lat=37.5005&lon=-122.3995&snapshot=2026.11.21-1"),
    _get(b"/zoning/sample-city?x=1"),
    _get(b"/settings?next=%2Fformation%2Fstart&done=welcome", _HOST + b"Cookie: lr_form=a; lr_session=b\r\n"),
    _get(b"/formation/start?state=dc&type=llc&name=Harbor%20Works"),
    _get(b"/docs/static/reference.css?v=1"),
    _get(b"/api/v1/coverage", _HEAD, b"HTTP/1.0"),
    _post(b"/settings/sign-in", b"email=a%40b.example&password=x&form_token=0", FORM),
    _post(b"/settings/keys", b"name=k&scopes=node&scopes=search", FORM),
    _post(b"/payments/stripe/webhook", b"{}", b"Stripe-Signature: t=1,v1=00\r\n"),
    b"POST /mcp HTTP/1.1\r\n" + _HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    b"HEAD /llms.txt HTTP/1.1\r\n" + _HOST + b"\r\n",
    b"OPTIONS /api/v1/search HTTP/1.1\r\n" + _HOST + b"Origin: https://a.example\r\n"
    b"Access-Control-Request-Method: GET\r\n\r\n",
    _get(b"/health") + _get(_NODE) + _get(b"/api/v1/me") + _get(b"/ready"),
)
PIECES = (
    *(
        b"GET ",
        b"POST ",
        b"DELETE ",
        b"CONNECT ",
        b"TRACE ",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b" HTTP/1.1\r\n",
    ),
    *(
        b" HTTP/1.0\r\n",
        b" HTTP/9.9\r\n",
        b"\r\n\r\n",
        b"\r",
        b":",
        b" ",
        b"\t",
        b"\x0b",
        b"\r\n folded: x\r\n",
    ),
    *(
        b"Host: a\r\nHost: b\r\n",
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 1_0\r\n",
    ),
    *(
        b"Content-Length: 99999999999999999999\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"0\r\n\r\n",
        b"ffffffff\r\n",
    ),
    *(b"Transfer-Encoding: gzip, chunked\r\n", b"Connection: close\r\n", b"Connection: keep-alive, TE\r\n"),
    *(
        b"Expect: 100-continue\r\n",
        b"Accept: application/problem+json;q=x\r\n",
        b"Accept-Encoding: gzip;q=2\r\n",
    ),
    *(b"Range: bytes=0-1\r\n", b"Accept: " + b"a/b," * 300 + b"\r\n", b"X-Forwarded-For: ::1, 999.1.1.1\r\n"),
    *(
        b"X-Forwarded-Proto: wss\r\n",
        b"X-Request-Id: \xff\r\n",
        b"Cookie: a=b; =; lr_session=\xe2\x98\x83\r\n",
    ),
    *(
        b"Authorization: Basic eDp5\r\n",
        b"Authorization: Bearer\r\n",
        b'If-None-Match: "\r\n',
        b"a:b\r\n" * 50,
    ),
    *(
        b"%",
        b"%zz",
        b"%ff",
        b"%00",
        b"%2e%2e/",
        b"//",
        b"/../",
        b"*",
        b"http://x/",
        b"?",
        b"&",
        b"=",
        b"#",
        b"[",
    ),
    *(b"q=", b"limit=0", b"lat=nan", b"lat=1e999", b"snapshot=", b"api_key=x", b"page=99999999999999999999"),
    *(b"/settings/reset/x", b"/settings/keys/9223372036854775808/revoke", b"/zoning/static/..%2f", b"/mcp"),
    *(b"/settings/buy/pro", b"/settings/static/%00", b"/.well-known/api-catalog", b"/metrics", b"next="),
)
INPUTS = mutated(SAMPLES, PIECES, changes=8) | st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join)


@contextmanager
def caller(grounds: Grounds) -> Iterator[Check]:
    """Calls the server of the grounds."""
    server, keys = grounds.server()

    def is_alive() -> bool:
        return server.process.poll() is None and client.get("/health").status_code == 200

    def check(data: bytes) -> None:
        key = keys.headers()["Authorization"].removeprefix("Bearer ").encode()
        answers = _answers(server.port, data.replace(KEY, key))
        statuses = [int(status) for status in _STATUS.findall(answers)]
        assert all(status < 500 or status == UNAVAILABLE for status in statuses), answers[:2_000]
        assert is_alive()
        grounds.require_no_traceback()

    with httpx.Client(base_url=server.url, timeout=10, headers={"Connection": "close"}) as client:
        yield check


def _answers(port: int, data: bytes) -> bytes:
    """Send bytes on a connection of their own, and give all that comes back."""
    received = b""
    address = ("127.0.0.1", port)
    with socket.create_connection(address, timeout=10) as connection, suppress(ConnectionError, TimeoutError):
        connection.sendall(data)
        connection.settimeout(QUIET_SECONDS)
        while piece := connection.recv(1 << 16):
            received += piece
    return received


TARGETS = (Target("http", INPUTS, opened=caller, examples=60, seconds=30),)

"""OAuth: whatever a client says of itself, asks for or exchanges, nobody gets a token or is sent elsewhere by it."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit

import httpx
import orjson

from tests.fuzz.inputs import mutated
from tests.fuzz.target import Check, Grounds, Target

CLIENT = b"{client}"
"""Stands for the id of a client that is registered."""
REDIRECT = "https://agent.example/callback"
PLACES = {
    b"register": ("/oauth/register", "application/json"),
    b"token": ("/oauth/token", "application/x-www-form-urlencoded"),
    b"revoke": ("/oauth/revoke", "application/x-www-form-urlencoded"),
}
AUTHORIZE = b"authorize"
DANGEROUS = ("javascript", "data", "vbscript", "file", "blob", "about")
"""Schemes at which a browser would do something with the answer."""
UNAVAILABLE = 503
_ASKED = (
    b"response_type=code&client_id={client}&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback&code_challenge="
    b"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=a+b&scope=search+node"
)
_REGISTERED = (
    b'{"client_name":"Harbor agent","redirect_uris":["https://agent.example/callback","http://127.0.0.1/x",'
    b'"com.example.app:/done"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],'
    b'"token_endpoint_auth_method":"none","scope":"search node"}'
)
SAMPLES = (
    b"register\n" + _REGISTERED,
    b'register\n{"redirect_uris":["http://[::1]:8080/a?b=c"]}',
    b"authorize\n" + _ASKED,
    b"authorize\n" + _ASKED + b"&resource=http%3A%2F%2F127.0.0.1%2Fmcp&prompt=consent&nonce=1",
    b"token\ngrant_type=authorization_code&client_id={client}&code=lr_code_0&code_verifier="
    b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback",
    b"token\ngrant_type=refresh_token&client_id={client}&refresh_token=lr_refresh_0&scope=search",
    b"revoke\nclient_id={client}&token=lr_access_0&token_type_hint=access_token",
)
PIECES = (
    *(
        b"&",
        b"=",
        b"%",
        b"%ff",
        b"%00",
        b"%22",
        b"+",
        b"?",
        b"#",
        b'"',
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"null",
    ),
    *(
        b"client_id={client}&",
        b"client_id=",
        b"state=",
        b"resource=",
        b"scope=",
        b"code_challenge_method=plain",
    ),
    *(
        b"redirect_uri=https%3A%2F%2Fevil.example%2F",
        b"redirect_uri=",
        b"request_uri=https%3A%2F%2Fevil.example",
    ),
    *(b"response_type=token", b"response_mode=fragment", b"request=e30.e30.", b"client_secret=x", b"iss=x"),
    *(b"grant_type=password&username=a&password=b", b"grant_type=client_credentials", b"code_verifier="),
    *(
        b'"redirect_uris":["javascript:alert(1)"]',
        b'"redirect_uris":["data:text/html,x"],',
        b'"redirect_uris":[]',
    ),
    *(
        b'"https://a@evil.example/"',
        b'"https://evil.example#x"',
        b'"http://evil.example/"',
        b'"x.y:z"',
        b'"HTTPS://A"',
    ),
    *(b'"client_name":"\\u202e\\u0000"', b'"client_name":"<b>"', b'"client_uri":1', b'"jwks":{}', b"[" * 600),
    *(b"register\n", b"authorize\n", b"token\n", b"revoke\n", b"https://", b"\\", b"//evil.example", b"@"),
)
INPUTS = mutated(SAMPLES, PIECES, changes=5)


@contextmanager
def client(grounds: Grounds) -> Iterator[Check]:
    """Asks the authorization server of the grounds, each time from another network."""
    server, _ = grounds.server()
    numbers = count()

    def check(data: bytes) -> None:
        place, _, said = data.replace(CLIENT, known).partition(b"\n")
        number = next(numbers)
        network = {
            "X-Forwarded-For": f"198.{18 + number // 60_000 % 2}.{number // 250 % 240}.{number % 250 + 1}"
        }
        if place in PLACES:
            path, media = PLACES[place]
            answer = http.post(path, content=said, headers=network | {"Content-Type": media})
            _require_no_token(answer)
        elif place == AUTHORIZE:
            # As the octets stand in an address; what cannot stand there is for the target `http`.
            query = "".join(
                chr(byte) if 0x21 <= byte <= 0x7E and byte != 0x23 else f"%{byte:02x}" for byte in said
            )
            answer = http.get(f"/settings/authorize?{query[:30_000]}", headers=network)
            assert "location" not in answer.headers, "nobody is sent anywhere who has not pressed a button"
            assert answer.status_code in (400, 401, 414, 422, 429, UNAVAILABLE), answer.text
        grounds.require_no_traceback()

    with httpx.Client(base_url=server.url, timeout=10) as http:
        registered = http.post("/oauth/register", json={"redirect_uris": [REDIRECT]})
        known = registered.json()["client_id"].encode()
        yield check


def _require_no_token(answer: httpx.Response) -> None:
    assert answer.status_code in (200, 201, 400, 401, 413, 429, UNAVAILABLE), answer.text
    told = orjson.loads(answer.content) if answer.content else {}
    assert "access_token" not in told
    assert "client_secret" not in told
    if answer.status_code >= 400:
        assert isinstance(told["error"], str)
    for uri in told.get("redirect_uris", ()):
        parts = urlsplit(uri)
        assert parts.scheme not in DANGEROUS
        assert (parts.username, parts.fragment) == (None, "")
        assert parts.scheme != "http" or parts.hostname in ("localhost", "127.0.0.1", "::1"), uri


TARGETS = (Target("authorization", INPUTS, opened=client, examples=150, seconds=30),)

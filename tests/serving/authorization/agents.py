"""An agent by hand: registers, asks for consent, exchanges codes and tokens."""

import base64
import hashlib
import secrets
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from tests.serving.pages.people import Person, hidden_fields

REDIRECT = "https://agent.example/callback"
AUTHORIZE = "/settings/authorize"
_numbers = count(1)


def s256(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


class Agent:
    """An agent of a network of its own, as the server's trusted proxy tells it."""

    def __init__(self, url: str) -> None:
        number = next(_numbers)
        address = f"198.51.{number // 250}.{number % 250 + 1}"
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=30, headers={"X-Forwarded-For": address})
        self.verifier = secrets.token_urlsafe(48)
        self.client_id = ""

    def register(self, **metadata: object) -> httpx.Response:
        body = {"client_name": "Harbor agent", "redirect_uris": [REDIRECT]} | metadata
        answer = self.http.post("/oauth/register", json=body)
        if answer.status_code == 201:
            self.client_id = answer.json()["client_id"]
        return answer

    def asks(self, **changed: str | None) -> str:
        """Address of the page that asks an account holder."""
        parameters = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": REDIRECT,
            "code_challenge": s256(self.verifier),
            "code_challenge_method": "S256",
            "state": "a state & more",
            "resource": f"{self.url}/mcp",
            "scope": "search node",
        } | changed
        return f"{AUTHORIZE}?" + urlencode({name: one for name, one in parameters.items() if one is not None})

    def is_allowed(
        self, person: Person, *, scopes: tuple[str, ...] = ("search", "node"), **asked: Any
    ) -> str:
        """Ask, have the account holder allow it, and give the code."""
        return answer_of(allow(person, self.asks(**asked), scopes=scopes))["code"]

    def exchanges(self, code: str, **changed: str | None) -> httpx.Response:
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": code,
            "redirect_uri": REDIRECT,
            "code_verifier": self.verifier,
        }
        return self._token(fields | changed)

    def refreshes(self, token: str, **changed: str | None) -> httpx.Response:
        fields: dict[str, str | None] = {"grant_type": "refresh_token", "client_id": self.client_id}
        return self._token(fields | {"refresh_token": token} | changed)

    def revokes(self, token: str, **changed: str | None) -> httpx.Response:
        fields: dict[str, str | None] = {"client_id": self.client_id, "token": token}
        fields |= changed
        return self.http.post("/oauth/revoke", data={k: v for k, v in fields.items() if v is not None})

    def connects(self, person: Person, **options: Any) -> dict[str, Any]:
        """Go through all of it and give the tokens."""
        answer = self.exchanges(self.is_allowed(person, **options))
        assert answer.status_code == 200, answer.text
        tokens: dict[str, Any] = answer.json()
        return tokens

    def calls(self, token: str, path: str = "/api/v1/me") -> httpx.Response:
        return self.http.get(path, headers={"Authorization": f"Bearer {token}"})

    def _token(self, fields: dict[str, str | None]) -> httpx.Response:
        data = {name: value for name, value in fields.items() if value is not None}
        return self.http.post("/oauth/token", data=data)


def allow(
    person: Person, address: str, *, scopes: tuple[str, ...], decision: str = "allow", **changed: str
) -> httpx.Response:
    """Submit the form of the page that asks, as a browser does."""
    page = person.get(address)
    assert page.status_code == 200, page.text
    fields: dict[str, Any] = hidden_fields(page.text, AUTHORIZE) | changed
    return person.http.post(AUTHORIZE, data=fields | {"scopes": list(scopes), "decision": decision})


def answer_of(answer: httpx.Response) -> dict[str, str]:
    """The parameters that a browser brings back to an agent."""
    assert answer.status_code == 303, answer.text
    query = parse_qs(urlsplit(answer.headers["location"]).query, strict_parsing=True)
    return {name: value for name, (value,) in query.items()}

"""A person with a browser of the simplest kind: follows forms, keeps cookies, runs no script."""

import re
from html import unescape
from itertools import count
from typing import Any

import httpx

PASSWORD = "an honest long secret"
_numbers = count(1)


class Person:
    """A visitor from a network address of its own, which the server takes from its trusted proxy: this machine."""

    def __init__(
        self, url: str, *, address: str | None = None, headers: dict[str, str] | None = None
    ) -> None:
        self.number = next(_numbers)
        self.email = f"person{self.number}@example.org"
        forwarded = {"X-Forwarded-For": address or f"203.0.{self.number // 250}.{self.number % 250 + 1}"}
        self.http = httpx.Client(base_url=url, timeout=30, headers=forwarded | (headers or {}))

    def get(self, path: str = "/settings", **options: Any) -> httpx.Response:
        return self.http.get(path, **options)

    def submit(
        self, path: str, *, page: str = "/settings", headers: dict[str, str] | None = None, **fields: object
    ) -> httpx.Response:
        """Send a form as its page has it: with the hidden fields, and those given."""
        hidden = hidden_fields(self.get(page).text, path)
        return self.http.post(path, data=hidden | fields, headers=headers)

    def sign_up(self) -> "Person":
        answer = self.submit("/settings/sign-up", email=self.email, password=PASSWORD)
        assert (answer.status_code, answer.headers["location"]) == (303, "/settings?done=welcome")
        return self

    def create_key(self, name: str = "test", **fields: Any) -> str:
        """Create a key and give its text."""
        answer = self.submit("/settings/keys", **({"name": name, "scopes": ["search", "node"]} | fields))
        assert answer.status_code == 200, answer.text
        return key_in(answer.text)


def hidden_fields(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that is sent to a path, or to where the page is."""
    forms = re.findall(r'<form[^>]*method="post"[^>]*>.*?</form>', page, re.DOTALL)
    (form,) = [form for form in forms if f'action="{action}"' in form or "action=" not in form]
    inputs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)
    return {name: unescape(value) for name, value in inputs}


def key_in(page: str) -> str:
    """The key that a page shows."""
    found: set[str] = set(re.findall(r"lr_live_[0-9A-Za-z]{38}", page))
    assert len(found) == 1
    return found.pop()


def problem_in(page: str) -> str:
    """What the summary of a page says is wrong."""
    (summary,) = re.findall(r'<div class="problems".*?</div>', page, re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", "".join(re.findall(r"<li>(.*?)</li>", summary))))

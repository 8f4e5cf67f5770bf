"""What protects visitors: cookies, tokens, headers, limits, and secrets that are nowhere twice."""

import re
from pathlib import Path

import httpx
import pytest

from tests.serving.pages.people import PASSWORD, hidden_fields, key_in, problem_in

pytestmark = pytest.mark.e2e
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def cookies_set(answer: httpx.Response) -> dict[str, str]:
    return {header.split("=")[0]: header for header in answer.headers.get_list("set-cookie")}


def test_cookies_are_for_this_site_and_no_script(person):
    first = cookies_set(person.get())
    assert set(first) == {"lr_form"}
    entered = cookies_set(person.submit("/settings/sign-up", email=person.email, password=PASSWORD))
    assert set(entered) == {"lr_session", "lr_device"}
    for header in (first["lr_form"], *entered.values()):
        attributes = {part.strip() for part in header.split(";")[1:]}
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= attributes
        assert "Secure" not in attributes, "this machine is reached without TLS"
    assert "Max-Age=1209600" in entered["lr_session"]
    assert "Max-Age=15552000" in entered["lr_device"]


@pytest.mark.parametrize("path", ["/settings", "/settings/ledger", "/settings/nowhere", "/settings/reset"])
def test_every_page_has_its_headers(person, path):
    answer = person.get(path)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["content-encoding"] == "gzip"
    for inline in (" style=", "<style", " onclick", "<script>", "http://", "https://"):
        assert inline not in answer.text.replace(str(person.http.base_url).rstrip("/"), "")


def test_a_page_that_is_read_twice_has_another_token_and_both_are_good(customer):
    first, second = (hidden_fields(customer.get().text, "/settings/sign-out") for _ in range(2))
    assert first["form_token"] != second["form_token"]
    renamed = {"current": "not this one", "password": "another long secret"}
    for fields in (first, second):
        answer = customer.http.post("/settings/password", data=fields | renamed)
        assert answer.status_code == 422, "it was read as a form of ours"


def test_redirects_are_not_kept(customer):
    answer = customer.submit("/settings/sign-out")
    assert (answer.status_code, answer.headers["cache-control"]) == (303, "no-store")


FORMS = ["/settings/sign-out", "/settings/keys", "/settings/password", "/settings/buy/pro"]


@pytest.mark.parametrize("path", FORMS)
def test_a_form_without_its_token_does_nothing(customer, path):
    for fields in ({"name": "k"}, {"form_token": "0" * 64}):
        answer = customer.http.post(path, data=fields)
        assert answer.status_code == 403
        assert "Nothing was done" in answer.text
    assert customer.get("/settings/ledger").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
    ],
)
def test_a_form_from_elsewhere_does_nothing(customer, headers):
    answer = customer.submit("/settings/keys", name="k", scopes=["node"], headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text
    assert "no live key" in customer.get().text


def test_another_visitors_token_does_nothing(server, customer, visit):
    fields = hidden_fields(visit(server).sign_up().get().text, "/settings/sign-out")
    assert customer.http.post("/settings/sign-out", data=fields).status_code == 403
    assert customer.get("/settings/ledger").status_code == 200


def test_a_token_from_before_signing_in_does_nothing(person):
    fields = hidden_fields(person.get().text, "/settings/sign-in")
    person.sign_up()
    assert person.http.post("/settings/sign-out", data=fields).status_code == 403


def test_a_form_without_cookies_says_so(server):
    answer = httpx.post(f"{server.url}/settings/sign-in", data={"email": "a@b.c"})
    assert answer.status_code == 403
    assert "cookie" in answer.text


def test_signing_in_renews_the_session(customer):
    before = customer.http.cookies["lr_session"]
    customer.submit("/settings/sign-out")
    assert "lr_session" not in customer.http.cookies
    customer.submit("/settings/sign-in", email=customer.email.upper(), password=PASSWORD)
    after = customer.http.cookies["lr_session"]
    assert after != before
    customer.http.cookies.clear()
    customer.http.cookies.set("lr_session", before)
    assert customer.get("/settings/ledger").status_code == 401, "a session that was signed out stays out"


def test_signing_in_again_ends_the_session_before(customer):
    before = customer.http.cookies["lr_session"]
    token = hidden_fields(customer.get().text, "/settings/sign-out")
    fields = {"email": customer.email, "password": PASSWORD}
    assert customer.http.post("/settings/sign-in", data=token | fields).status_code == 303
    assert customer.get("/settings/ledger").status_code == 200
    customer.http.cookies.clear()
    customer.http.cookies.set("lr_session", before)
    assert customer.get("/settings/ledger").status_code == 401


def test_a_new_password_signs_all_others_out(server, customer, visit):
    elsewhere = visit(server)
    elsewhere.submit("/settings/sign-in", email=customer.email, password=PASSWORD)
    assert elsewhere.get("/settings/ledger").status_code == 200
    wrong = customer.submit(
        "/settings/password",
        page="/settings/password",
        current="not this one",
        password="another long secret",
    )
    assert (wrong.status_code, problem_in(wrong.text)) == (422, "The current password is wrong.")
    weak = customer.submit(
        "/settings/password", page="/settings/password", current=PASSWORD, password="short"
    )
    assert (weak.status_code, 'id="password-new-error"' in weak.text) == (422, True)
    done = customer.submit(
        "/settings/password", page="/settings/password", current=PASSWORD, password="another long secret"
    )
    assert (done.status_code, done.headers["location"]) == (303, "/settings?done=password")
    assert customer.get("/settings/ledger").status_code == 200
    assert elsewhere.get("/settings/ledger").status_code == 401


def test_failed_sign_ins_are_slowed_down(server, customer, visit):
    stranger = visit(server)
    for _ in range(10):
        answer = stranger.submit("/settings/sign-in", email=customer.email, password="wrong password")
        assert (answer.status_code, problem_in(answer.text)) == (
            401,
            "The e-mail address or the password is wrong.",
        )
    answer = stranger.submit("/settings/sign-in", email=customer.email, password="wrong password")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 900
    assert "Too many attempts; try again in 15 minutes." in answer.text
    assert f'value="{customer.email}"' in answer.text


def test_accounts_from_one_address_are_limited(server, visit):
    address = "198.51.100.7"
    for _ in range(3):
        visit(server, address=address).sign_up()
    late = visit(server, address=address)
    answer = late.submit("/settings/sign-up", email=late.email, password=PASSWORD)
    assert answer.status_code == 429
    visit(server).sign_up()


def test_a_key_is_shown_once_and_kept_nowhere(server, customer):
    form = hidden_fields(customer.get().text, "/settings/keys") | {"name": "once", "scopes": ["node"]}
    answer = customer.http.post("/settings/keys", data=form)
    key = key_in(answer.text)
    assert answer.headers["cache-control"] == "no-store"
    assert key not in str(answer.headers) + str(answer.url)
    again = customer.http.post("/settings/keys", data=form)
    assert (again.status_code, "shown once" in problem_in(again.text)) == (409, True)
    pages = [again.text, *(customer.get(path).text for path in ("/settings", "/settings/ledger"))]
    assert not any(key in page for page in pages)
    assert again.text.count(f"{key[:12]}…") == 1, "loading the answer again made no second key"
    folder = Path(server.database.removeprefix("sqlite:///")).parent
    written = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
    assert b"person" in written
    for secret in (key, PASSWORD, *customer.http.cookies.values()):
        assert secret.encode() not in written


def test_what_people_type_is_text(customer):
    customer.create_key(name="<script>alert('§')</script>")
    page = customer.get().text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(&#39;§&#39;)" in page
    answer = customer.submit("/settings/keys", name='"><b>', scopes=[])
    assert 'value="&#34;&gt;&lt;b&gt;"' in answer.text


def test_only_its_owner_revokes_a_key(server, customer, visit):
    owner = visit(server).sign_up()
    owner.create_key()
    (path,) = re.findall(r'href="(/settings/keys/\d+/revoke)"', owner.get().text)
    assert customer.get(path).status_code == 404
    own = hidden_fields(customer.get().text, "/settings/sign-out")
    assert customer.http.post(path, data=own).status_code == 404
    assert "Revoke the key" in owner.get(path).text

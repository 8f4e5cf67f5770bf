"""A browser that is told to wait, with a real mail server: a mailed link lets it sign in at once."""

import re

import pytest

from tests.serving.pages.people import PASSWORD, hidden_fields, problem_in

pytestmark = pytest.mark.e2e


def ask(person, email):
    return person.submit("/settings/unlock", page="/settings/unlock", email=email)


def close(person, email) -> str:
    """Fail until the person's network is not listened to; the page that says so."""
    form = hidden_fields(person.get().text, "/settings/sign-in") | {"email": email}
    for number in range(10):
        wrong = person.http.post("/settings/sign-in", data={**form, "password": f"wrong guess {number}"})
        assert (wrong.status_code, "/settings/unlock" in wrong.text) == (401, False)
    refused = person.http.post("/settings/sign-in", data={**form, "password": PASSWORD})
    assert refused.status_code == 429
    text: str = refused.text
    return text


def test_a_mailed_link_lets_the_browser_sign_in(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    owner = visit(mailing_server)
    assert 'href="/settings/unlock"' in close(owner, customer.email)
    assert "Look into your mail" in ask(owner, customer.email.upper()).text
    mail = mail_server.wait()
    assert f"To: {customer.email}" in mail
    (link,) = re.findall(rf"{mailing_server.url}(/settings/unlock/\S+)", mail)

    shown = owner.get(link)
    assert (shown.status_code, shown.headers["referrer-policy"]) == (200, "no-referrer")
    token = link.rsplit("/", 1)[1]
    assert token not in shown.text
    done = owner.submit(link, page=link)
    assert (done.status_code, done.headers["location"]) == (303, "/settings?done=unlocked")
    assert "knows this browser" in owner.get(done.headers["location"]).text
    assert owner.submit("/settings/sign-in", email=customer.email, password=PASSWORD).status_code == 303
    used = visit(mailing_server).submit(link, page=link)
    assert (used.status_code, "not good any more" in problem_in(used.text)) == (422, True)
    assert "lr_device" not in used.headers.get("set-cookie", "")
    log = mailing_server.log.read_text(encoding="utf-8")
    assert '"path": "/settings/unlock/…"' in log
    assert token not in log
    assert owner.http.cookies["lr_device"] not in log


def test_nobody_learns_whether_there_is_an_account(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    person = visit(mailing_server)
    known, unknown = ask(person, customer.email), ask(person, "nobody@example.org")
    mail_server.wait()
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    other, third = visit(mailing_server), visit(mailing_server)
    told = close(other, customer.email), close(third, "nobody2@example.org")
    assert [re.findall("Too many attempts[^<]+", page) for page in told] == [
        ["Too many attempts; try again in 15 minutes."] * 2
    ] * 2
    assert not any("nobody" in mail for mail in mail_server.mails)


def test_links_are_limited(mailing_server, visit):
    person = visit(mailing_server)
    for _ in range(3):
        assert ask(person, "much@example.org").status_code == 200
    answer = ask(person, "much@example.org")
    assert (answer.status_code, "mailed within the hour is still good" in answer.text) == (429, True)
    assert int(answer.headers["retry-after"]) > 0


def test_a_service_without_mail_says_what_to_do(server, visit):
    person = visit(server)
    assert "/settings/unlock" not in close(person, "nobody@example.org")
    page = person.get("/settings/unlock")
    assert (page.status_code, "sends no mail" in page.text) == (200, True)

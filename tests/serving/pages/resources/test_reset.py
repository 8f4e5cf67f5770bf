"""A forgotten password, with a real mail server."""

import re

import pytest

from tests.serving.pages.people import PASSWORD, problem_in

pytestmark = pytest.mark.e2e
NEW = "a wholly different secret"


def ask(person, email):
    return person.submit("/settings/reset", page="/settings/reset", email=email)


def test_a_mailed_link_sets_the_password(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    elsewhere = visit(mailing_server)
    stranger = visit(mailing_server)
    assert "Look into your mail" in ask(elsewhere, customer.email.upper()).text
    mail = mail_server.wait()
    assert f"To: {customer.email}" in mail
    (link,) = re.findall(rf"{mailing_server.url}(/settings/reset/\S+)", mail)

    shown = elsewhere.get(link)
    assert (shown.status_code, shown.headers["referrer-policy"]) == (200, "no-referrer")
    assert link.rsplit("/", 1)[1] not in shown.text
    weak = elsewhere.submit(link, page=link, password="short")
    assert (weak.status_code, 'id="new-password-error"' in weak.text) == (422, True)
    done = elsewhere.submit(link, page=link, password=NEW)
    assert (done.status_code, done.headers["location"]) == (303, "/settings?done=reset")
    used = elsewhere.submit(link, page=link, password=NEW)
    assert (used.status_code, "not good any more" in problem_in(used.text)) == (422, True)

    assert customer.get("/settings/ledger").status_code == 401, "its sessions are over"
    for password, status in ((PASSWORD, 401), (NEW, 303)):
        answer = stranger.submit("/settings/sign-in", email=customer.email, password=password)
        assert answer.status_code == status
    log = mailing_server.log.read_text(encoding="utf-8")
    assert '"path": "/settings/reset/…"' in log
    for secret in (link, link.rsplit("/", 1)[1], customer.email, NEW, PASSWORD):
        assert secret not in log


def test_nobody_learns_whether_there_is_an_account(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    person = visit(mailing_server)
    known, unknown = ask(person, customer.email), ask(person, "nobody@example.org")
    mail_server.wait()
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text)
    assert not any("nobody@" in mail for mail in mail_server.mails)


def test_links_are_limited(mailing_server, visit):
    person = visit(mailing_server)
    for _ in range(3):
        assert ask(person, "much@example.org").status_code == 200
    answer = ask(person, "much@example.org")
    assert (answer.status_code, "Too many attempts" in answer.text) == (429, True)
    assert int(answer.headers["retry-after"]) > 0


def test_what_is_no_address_is_refused(mailing_server, visit):
    answer = ask(visit(mailing_server), "nobody")
    assert (answer.status_code, '<a href="#reset-email">' in answer.text) == (422, True)

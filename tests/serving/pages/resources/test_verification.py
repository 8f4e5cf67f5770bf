"""Confirming an address, with a real mail server: a mailed link shows that its holder reads the mail."""

import re

import pytest

from tests.serving.pages.people import PASSWORD, problem_in

pytestmark = pytest.mark.e2e
ASK, TOLD = "/settings/verification", "is not confirmed yet"


def test_a_mailed_link_confirms_the_address_once(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    assert TOLD in customer.get().text
    asked = customer.submit(ASK)
    assert (asked.status_code, asked.headers["location"]) == (303, "/settings?done=verification")
    mail = mail_server.wait()
    assert f"To: {customer.email}" in mail
    (link,) = re.findall(rf"{mailing_server.url}(/settings/verification/\S+)", mail)
    token = link.rsplit("/", 1)[1]

    reader = visit(mailing_server)  # the mail may be read in another browser
    shown = reader.get(link)
    assert (shown.status_code, shown.headers["referrer-policy"]) == (200, "no-referrer")
    assert token not in shown.text
    assert TOLD in customer.get().text, "a preview of the link confirms nothing"
    done = reader.submit(link, page=link)
    assert (done.status_code, done.headers["location"]) == (303, "/settings?done=verified")
    assert TOLD not in customer.get().text
    assert "lr_session" not in reader.http.cookies, "the link signs nobody in"
    used = reader.submit(link, page=link)
    assert (used.status_code, "not good any more" in problem_in(used.text)) == (422, True)
    log = mailing_server.log.read_text(encoding="utf-8")
    assert '"path": "/settings/verification/…"' in log
    assert token not in log


def test_a_link_that_sets_the_password_confirms_the_address_too(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    customer.submit("/settings/reset", page="/settings/reset", email=customer.email)
    (link,) = re.findall(rf"{mailing_server.url}(/settings/reset/\S+)", mail_server.wait())
    assert customer.submit(link, page=link, password="another long secret").status_code == 303
    signed_in = customer.submit("/settings/sign-in", email=customer.email, password="another long secret")
    assert signed_in.status_code == 303
    assert TOLD not in customer.get().text


def test_links_are_limited(mailing_server, mail_server, visit):
    customer = visit(mailing_server).sign_up()
    for _ in range(3):
        assert customer.submit(ASK).status_code == 303
        mail_server.wait()
    answer = customer.submit(ASK)
    assert (answer.status_code, "mailed within the hour is still good" in answer.text) == (429, True)
    assert int(answer.headers["retry-after"]) > 0


def test_a_service_without_mail_asks_nobody(customer):
    page = customer.get().text
    assert TOLD not in page
    form = {"form_token": re.findall(r'name="form_token" value="(\w+)"', page)[0]}
    assert customer.http.post(ASK, data=form).status_code == 404


def test_a_stranger_confirms_nothing(person):
    assert person.submit("/settings/sign-in", email=person.email, password=PASSWORD).status_code == 401
    form = {"form_token": re.findall(r'name="form_token" value="(\w+)"', person.get().text)[0]}
    assert person.http.post(ASK, data=form).status_code == 401

"""A reader reports an error of a provision, without a script and without an account."""

import re
from html import unescape

import pytest

from serving.accounts.attempts import REPORTS_FROM_NETWORK
from serving.accounts.reports import Reports
from serving.metering.database import Database
from tests.serving.pages.people import hidden_fields, problem_in

pytestmark = pytest.mark.e2e
LAW = "/law/us/sample/1/7"
WORDS = "The unlikely word xylograph is missing.\r\nSee <the> source & compare."


def lead(person) -> str:
    """The page of reports to which the page of a provision leads."""
    (found,) = re.findall(r'<a href="(/report/[0-9a-f-]{36})"', person.get(LAW).text)
    return str(found)


def reports_of(server):
    database = Database(server.database)
    try:
        return Reports(database).list()
    finally:
        database.close()


def test_a_report_reaches_the_operator_and_nobody_else(server, visit):
    reader = visit(server)
    page = lead(reader)
    shown = reader.get(page)
    assert (shown.status_code, shown.headers["cache-control"]) == (200, "no-store")
    assert f'href="{LAW}"' in shown.text
    done = reader.submit(page, page=page, words=WORDS, email="ada@example.org")
    assert (done.status_code, done.headers["location"]) == (303, f"{page}?done=reported")
    assert "Your report was sent" in reader.get(done.headers["location"]).text
    report = reports_of(server)[-1]
    assert (report.words, report.email) == (WORDS.replace("\r\n", "\n"), "ada@example.org")
    assert (report.citation, report.snapshot) == ("1 S.F.C. § 7", "2026.11.21-1")
    assert report.node_id == page.rsplit("/", 1)[1]
    for path in (page, LAW, "/api/v1/corrections"):
        assert "xylograph" not in visit(server).get(path).text
    assert "xylograph" not in server.log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"words": "  ", "email": ""}, "Say what is wrong"),
        ({"words": WORDS, "email": "ada"}, "'ada' is not an e-mail address"),
        ({"words": "a\x00b", "email": ""}, "Control characters"),
    ],
)
def test_what_is_wrong_with_a_report_is_told_beside_what_was_typed(server, visit, fields, told):
    reader = visit(server)
    page, before = lead(reader), len(reports_of(server))
    answer = reader.submit(page, page=page, **fields)
    assert answer.status_code == 422
    assert told in answer.text.replace("&#39;", "'")
    if "\x00" not in fields["words"]:
        assert told in problem_in(answer.text)
        (typed,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", answer.text, re.DOTALL)
        assert unescape(typed).split() == fields["words"].split()
    assert len(reports_of(server)) == before


def test_a_form_of_another_site_or_visitor_reports_nothing(server, visit):
    reader, other = visit(server), visit(server)
    page, before = lead(reader), len(reports_of(server))
    other.get(page)
    form = hidden_fields(reader.get(page).text, page) | {"words": WORDS, "email": ""}
    assert other.http.post(page, data=form).status_code == 403
    assert visit(server).http.post(page, data=form).status_code == 403
    assert reader.http.post(page, data=form, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert len(reports_of(server)) == before
    assert reader.http.post(page, data=form).status_code == 303


def test_a_network_cannot_report_without_end(server, visit):
    reader = visit(server)
    page = lead(reader)
    form = hidden_fields(reader.get(page).text, page) | {"words": WORDS, "email": ""}
    for _ in range(REPORTS_FROM_NETWORK.most):
        assert reader.http.post(page, data=form).status_code == 303
    refused = reader.http.post(page, data=form)
    assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
    assert "Too many attempts" in refused.text
    assert "xylograph is missing." in refused.text, "what was typed can be sent later"


@pytest.mark.parametrize("node", ["00000000-0000-4000-8000-000000000000", "x", ""])
def test_there_is_no_page_for_what_is_no_provision(person, node):
    answer = person.get(f"/report/{node}")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")

"""The operator's own texts: as pages where they are there, and harmless whatever they hold."""

import pytest

from serving.pages.operator_pages import MOST_BYTES, markup, read_texts
from serving.settings.settings import SettingsError
from tests.serving.pages.conftest import copied, run_server
from tests.serving.pages.looking import faults

TERMS = """\
# Terms of this service

Be **fair**, and read [the privacy page](/privacy) or [write](mailto:law@example.org).
This goes on.

## What you pay
1. Nothing at first.
2. Then what is on [the list](https://example.org/list?a=b&c=d).

- no warranty
  of any kind
- <b>none</b> & no [more](javascript:alert(1))
"""


def test_a_text_becomes_a_page():
    title, body = markup(TERMS)
    assert title == "Terms of this service"
    assert str(body).splitlines() == [
        '<p>Be <strong>fair</strong>, and read <a href="/privacy">the privacy page</a> or '
        '<a href="mailto:law@example.org">write</a>. This goes on.</p>',
        "<h2>What you pay</h2>",
        "<ol><li>Nothing at first.</li><li>Then what is on "
        '<a href="https://example.org/list?a=b&amp;c=d">the list</a>.</li></ol>',
        "<ul><li>no warranty of any kind</li>"
        "<li>&lt;b&gt;none&lt;/b&gt; &amp; no [more](javascript:alert(1))</li></ul>",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1)) [y](data:text/html,z) [z](//evil.example)",
        '[x](https://a"onmouseover="alert(1))',
        "# <img src=x onerror=alert(1)>\n\n**<i>**",
        "[<b>](https://a)",
    ],
)
def test_no_text_brings_elements_of_its_own(text):
    title, body = markup(text)
    page = f"{title and ''}{body}"
    for element in (
        "<script",
        "<img",
        "<i>",
        "<b>",
        'href="javascript',
        'href="data',
        'href="//',
        '"onmouse',
    ):
        assert element not in page


@pytest.mark.parametrize("text", ["", "\n\n", "#", "# ", "**", "[", "- ", "1.", "plain\r\nwords\r\n"])
def test_any_text_is_taken(text):
    title, body = markup(text)
    assert title is None
    assert "None" not in str(body)


def test_what_cannot_be_read_is_said_by_its_setting(tmp_path):
    assert read_texts(None) == ()
    assert read_texts(tmp_path) == ()
    with pytest.raises(SettingsError, match="LAW_OPERATOR_PAGES: there is no folder"):
        read_texts(tmp_path / "nowhere")
    for content, why in ((b"\xff\xfe", "UTF-8"), (b"x" * (MOST_BYTES + 1), "more than")):
        (tmp_path / "terms.md").write_bytes(content)
        with pytest.raises(SettingsError, match=why):
            read_texts(tmp_path)


@pytest.mark.e2e
def test_the_pages_are_linked_where_they_are(snapshots_folder, sqlite_template, tmp_path, visit, open_page):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "terms.md").write_text(TERMS, encoding="utf-8")
    (texts / "contact.md").write_text("Write to us.", encoding="utf-8")
    database = copied(sqlite_template, tmp_path)
    for server in run_server(tmp_path, snapshots_folder, database, LAW_OPERATOR_PAGES=str(texts)):
        person = visit(server)
        for path in ("/", "/settings", "/law", "/formation/start"):
            page = person.get(path).text
            assert '<a href="/terms">Terms</a> · <a href="/contact">Contact</a>' in page
            assert 'href="/privacy"' not in page
        terms = person.get("/terms")
        assert terms.status_code == 200
        assert "default-src 'none'" in terms.headers["content-security-policy"]
        assert person.get("/terms", headers={"If-None-Match": terms.headers["etag"]}).status_code == 304
        assert person.http.head("/contact").status_code == 200
        assert "<h1>Contact</h1>" in person.get("/contact").text
        assert person.get("/privacy").status_code == 404
        for scheme in ("light", "dark"):
            page = open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
            page.goto(f"{server.url}/terms")
            assert faults(page) == []
            assert page.complaints == []


@pytest.mark.e2e
def test_nothing_is_linked_that_is_not_there(person):
    for path in ("terms", "privacy", "status", "contact"):
        assert person.get(f"/{path}").status_code == 404
        assert f'href="/{path}"' not in person.get("/").text + person.get().text

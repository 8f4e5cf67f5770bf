"""What goes into a header, whoever chose it."""

import pytest

from serving.api.header_values import header_value
from serving.http.response import Response


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("/formation/start?name=Harbor+LLC&x=%41", "/formation/start?name=Harbor+LLC&x=%41"),
        ('<https://law.example/?q=a>; rel="next"', '<https://law.example/?q=a>; rel="next"'),
        ("/formation/start?name=Müller", "/formation/start?name=M%C3%BCller"),
        ("/formation/start?name=法律", "/formation/start?name=%E6%B3%95%E5%BE%8B"),
        ("/a\r\nSet-Cookie: x=1", "/a%0D%0ASet-Cookie: x=1"),
        ("\x00\x7f\x85\u2028", "%00%7F%C2%85%E2%80%A8"),
        ("\ud800", "?"),
        ("", ""),
    ],
)
def test_a_header_is_printable_ascii(text, value):
    assert header_value(text) == value
    answer = Response()
    answer.set_header("Location", text)
    assert answer.get_header("location") == value


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/settings", "/api/v1/search", "/nothing", "/zoning", "/formation/start"])
def test_no_text_of_a_client_breaks_an_answer(client, path, method):
    for text in ("法律", "é", "\U0001f600", "a\r\nb: c", "\x00"):
        for name in ("next", "done", "q", "name", text):
            result = client.request(method, path, params={name: text}, headers={"Accept": f"text/{text!a}"})
            assert result.status_code < 500
            assert all(value.isascii() and value.isprintable() for value in result.headers.values())

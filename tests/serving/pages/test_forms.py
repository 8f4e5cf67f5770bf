"""Forms as they are read."""

import asyncio

import falcon.asgi
import falcon.testing
import pytest

from serving.contract.errors import ValidationError
from serving.pages.forms import SubmissionRefusedError, parse_form, read_form


def test_fields_are_read_in_their_order():
    form = parse_form(b"name=my+laptop&scopes=search&scopes=node&empty=&signs=%C2%A7%26")
    assert (form.one("name"), form.one("empty"), form.one("signs")) == ("my laptop", "", "§&")
    assert form.many("scopes") == ("search", "node")
    assert form.one("missing") == ""


@pytest.mark.parametrize("code", ["%00", "%0A", "%0D", "%1B", "%7F", "%C2%85"])
def test_control_characters_are_refused(code):
    with pytest.raises(ValidationError, match="Control") as refused:
        parse_form(f"name=a{code}b".encode())
    assert refused.value.parameter == "name"


def test_fields_of_several_lines_have_ends_of_lines_and_no_other_control_characters():
    assert parse_form(b"words=a%0D%0Ab", texts=("words",)).one("words") == "a\r\nb"
    for body in (b"words=a%0Ab", b"words=a%0Db", b"words=a%0D%0A%00", b"words=a&name=a%0D%0Ab"):
        with pytest.raises(ValidationError, match="Control"):
            parse_form(body, texts=("words",))


@pytest.mark.parametrize("body", [b"name=\xc3\xa9", b"name=%FF", b"&".join([b"a=1"] * 41)])
def test_what_cannot_be_read_is_refused(body):
    with pytest.raises(ValidationError, match="could not be read"):
        parse_form(body)


def test_a_field_that_is_one_is_not_sent_twice():
    with pytest.raises(ValidationError, match="twice"):
        parse_form(b"password=a&password=b").one("password")


def test_no_repr_shows_what_was_typed():
    assert "s3cret" not in repr(parse_form(b"password=s3cret"))


def sent(body: bytes, **headers: str) -> falcon.asgi.Request:
    """A submission of which so much came before the connection broke off."""
    scope = falcon.testing.create_scope(
        method="POST", headers={"Content-Type": "application/x-www-form-urlencoded", **headers}
    )
    messages = iter([{"type": "http.request", "body": body, "more_body": True}, {"type": "http.disconnect"}])

    async def receive():
        return next(messages)

    return falcon.asgi.Request(scope, receive)


def test_half_a_form_does_nothing():
    whole = b"scopes=search&name=laptop"
    with pytest.raises(SubmissionRefusedError, match="whole") as refused:
        asyncio.run(read_form(sent(whole[:13], **{"Content-Length": str(len(whole))})))
    assert refused.value.status == 400
    form = asyncio.run(read_form(sent(whole, **{"Content-Length": str(len(whole))})))
    assert form.one("name") == "laptop"

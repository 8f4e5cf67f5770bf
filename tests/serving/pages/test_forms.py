"""Forms as they are read."""

import pytest

from serving.contract.errors import ValidationError
from serving.pages.forms import parse_form


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


@pytest.mark.parametrize("body", [b"name=\xc3\xa9", b"name=%FF", b"&".join([b"a=1"] * 41)])
def test_what_cannot_be_read_is_refused(body):
    with pytest.raises(ValidationError, match="could not be read"):
        parse_form(body)


def test_a_field_that_is_one_is_not_sent_twice():
    with pytest.raises(ValidationError, match="twice"):
        parse_form(b"password=a&password=b").one("password")


def test_no_repr_shows_what_was_typed():
    assert "s3cret" not in repr(parse_form(b"password=s3cret"))

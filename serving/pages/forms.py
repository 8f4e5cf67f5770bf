"""Reading what a browser submits: URL-encoded forms of bounded size, without control characters."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

import falcon
import falcon.asgi

from serving.contract.errors import LawError, ValidationError

MAX_BYTES = 16_384
MAX_FIELDS = 40


class SubmissionRefusedError(LawError):
    """A form was not looked at: it is no form of ours, or did not come from a page of ours."""

    code = "submission_refused"

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True, repr=False)
class Form:
    """The fields of one submission, in their order. They hold passwords: no `repr` shows them."""

    fields: Sequence[tuple[str, str]] = ()

    def one(self, name: str) -> str:
        """Give a field's value; an empty text where the browser sent none.

        Raises:
            ValidationError: it was sent more than once.
        """
        found = self.many(name)
        if len(found) > 1:
            raise ValidationError("The form names a field twice.", parameter=name)
        return found[0] if found else ""

    def many(self, name: str) -> tuple[str, ...]:
        """Give all values of a field, as of checkboxes."""
        return tuple(value for key, value in self.fields if key == name)


async def read_form(req: falcon.asgi.Request) -> Form:
    """Read a submitted form.

    Raises:
        SubmissionRefusedError: it is not URL-encoded, larger than any form of ours, or did not come whole.
        ValidationError: it is malformed, or a value holds control characters.
    """
    content_type = (req.content_type or "").split(";")[0].strip().lower()
    if content_type != falcon.MEDIA_URLENCODED:
        raise SubmissionRefusedError("Forms are sent URL-encoded.", status=415)
    return parse_form(await _body(req))


def parse_form(body: bytes) -> Form:
    """Parse the body of a form.

    Raises:
        ValidationError: it is malformed, or a value holds control characters.
    """
    try:
        fields = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS
        )
    except ValueError as error:
        raise ValidationError("The form could not be read.") from error
    for name, value in fields:
        if any(unicodedata.category(character) == "Cc" for character in value):
            raise ValidationError("Control characters are not accepted.", parameter=name)
    return Form(fields)


async def _body(req: falcon.asgi.Request) -> bytes:
    body = b""
    # The length is not always declared, and a read may give less than was asked for.
    if (req.content_length or 0) <= MAX_BYTES:
        while len(body) <= MAX_BYTES and (piece := await req.stream.read(MAX_BYTES + 1 - len(body))):
            body += piece
        if len(body) <= MAX_BYTES:
            # A connection that breaks off looks like the end of the body: half a form does nothing.
            if len(body) < (req.content_length or 0):
                raise SubmissionRefusedError("The form did not come whole, so nothing was done.", status=400)
            return body
    raise SubmissionRefusedError(f"A form has at most {MAX_BYTES:,} bytes.", status=413)

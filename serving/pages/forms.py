"""Forms that browsers submit: URL-encoded, of limited size, without control characters."""

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
    """A form was not processed: it is not one of ours, or did not come from a page of ours."""

    code = "submission_refused"

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True, repr=False)
class Form:
    """The fields of one submission, in their order. They may hold passwords and stay out of `repr`."""

    fields: Sequence[tuple[str, str]] = ()

    def one(self, name: str) -> str:
        """Return a field's value; an empty text if the browser sent none.

        Raises:
            ValidationError: it was sent more than once.
        """
        found = self.many(name)
        if len(found) > 1:
            raise ValidationError("The form names a field twice.", parameter=name)
        return found[0] if found else ""

    def many(self, name: str) -> tuple[str, ...]:
        """Return all values of a field, such as those of checkboxes."""
        return tuple(value for key, value in self.fields if key == name)


async def read_form(req: falcon.asgi.Request, *, texts: Sequence[str] = ()) -> Form:
    """Read a submitted form; `texts` are its fields of several lines.

    Raises:
        SubmissionRefusedError: it is not URL-encoded, larger than any form of ours, or did not come whole.
        ValidationError: it is malformed, or a value holds control characters.
    """
    content_type = (req.content_type or "").split(";")[0].strip().lower()
    if content_type != falcon.MEDIA_URLENCODED:
        raise SubmissionRefusedError("Forms are sent URL-encoded.", status=415)
    return parse_form(await _body(req), texts=texts)


def parse_form(body: bytes, *, texts: Sequence[str] = ()) -> Form:
    """Parse the body of a form.

    Raises:
        ValidationError: it is malformed, or a value holds control characters other than the ends of lines in
            fields of several lines.
    """
    try:
        fields = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS
        )
    except ValueError as error:
        raise ValidationError("The form could not be read.") from error
    for name, value in fields:
        line = value.replace("\r\n", " ") if name in texts else value
        if any(unicodedata.category(character) == "Cc" for character in line):
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

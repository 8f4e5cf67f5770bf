"""Parameters of requests to the authorization server: each once, printable ASCII, of bounded length."""

import re
from collections.abc import Iterable

from authlib.oauth2.rfc6749 import InvalidRequestError

LONGEST = 2048
"""Characters of a value."""
_PRINTABLE = re.compile(r"[\x20-\x7e]*")
_QUOTABLE = re.compile(r"[\x20\x21\x23-\x5b\x5d-\x7e]*")
"""Characters that a description of an error may repeat (RFC 6749, 4.1.2.1)."""


def read_parameters(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the parameters by name, without those that are empty, which count as omitted (RFC 6749, 3.1).

    Raises:
        InvalidRequestError: a parameter is repeated, too long, or not printable ASCII.
    """
    parameters: dict[str, str] = {}
    for name, value in pairs:
        shown = name if re.fullmatch(r"\w{1,40}", name, re.ASCII) else "a parameter"
        if name in parameters:
            raise InvalidRequestError(f"{shown} is given twice.")
        if len(value) > LONGEST:
            raise InvalidRequestError(f"{shown} has more than {LONGEST} characters.")
        # Nothing but the client itself reads its state.
        if (_PRINTABLE if name == "state" else _QUOTABLE).fullmatch(value) is None:
            raise InvalidRequestError(f"{shown} has characters that are not accepted.")
        parameters[name] = value
    return {name: value for name, value in parameters.items() if value}

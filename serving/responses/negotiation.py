"""Content negotiation: the media type that a request prefers, and entity tags."""

from collections.abc import Sequence
from functools import lru_cache

import falcon

from serving.contract.errors import LawError

HTML = "text/html"
PROBLEM = "application/problem+json"
LONGEST = 512
"""Characters of `Accept` that are examined. Longer headers are ignored, as RFC 9110 (12.4.1) allows: parsed
headers are cached, here and in falcon, and clients choose their size."""


class NotAcceptableError(LawError):
    """The endpoint has no representation that the request accepts."""

    code = "not_acceptable"


@lru_cache(maxsize=1024)
def _best_type(header: str, offered: Sequence[str]) -> str | None:
    ranges = _folded(header)
    if not ranges:
        return offered[0]
    # A client that names the error type means JSON endpoints: it gets their JSON.
    candidates = (*offered, PROBLEM) if falcon.MEDIA_JSON in offered else offered
    try:
        best = falcon.mediatypes.best_match(candidates, ranges)
    except ValueError:
        return None
    return falcon.MEDIA_JSON if best == PROBLEM else best or None


def _folded(header: str) -> str:
    """Return `Accept` without its empty elements and in lower case: media types are of any case.

    Falcon takes an empty element for a malformed range, where RFC 9110 (5.6.1) has it ignored.
    """
    return ",".join(part for part in header.lower().split(",") if part.strip())


def accepted_type(header: str | None, offered: tuple[str, ...]) -> str:
    """Return the media type among `offered` that `Accept` prefers; the first if it names none.

    Raises:
        NotAcceptableError: it accepts none of them, or is malformed.
    """
    if header is None or header == "*/*" or len(header) > LONGEST:
        return offered[0]
    best = _best_type(header, offered)
    if best is None:
        raise NotAcceptableError(f"This path answers {', '.join(offered)}; `Accept` asks for something else.")
    return best


def wants_problem(header: str | None) -> bool:
    """Return whether `Accept` names the media type of errors, RFC 9457, and likes it no less than JSON."""
    ranges = "" if header is None or len(header) > LONGEST else _folded(header)
    if PROBLEM not in ranges:
        return False
    try:
        wish, json = (falcon.mediatypes.quality(kind, ranges) for kind in (PROBLEM, falcon.MEDIA_JSON))
    except ValueError:
        return False
    return wish > 0 and wish >= json


def prefers_page(header: str | None) -> bool:
    """Return whether `Accept` prefers HTML to JSON, as browsers do and clients of an API do not."""
    try:
        return accepted_type(header, (falcon.MEDIA_JSON, HTML)) == HTML
    except NotAcceptableError:
        return False


def names_any(if_none_match: str | None) -> bool:
    """Return whether `If-None-Match` is `*`, which any answer that there is matches."""
    return if_none_match is not None and if_none_match.strip() == "*"


def matches(if_none_match: str | None, etag: str) -> bool:
    """Return whether `If-None-Match` names this entity tag, compared weakly as RFC 9110 has it for GET."""
    if if_none_match is None:
        return False
    if names_any(if_none_match):
        return True
    wanted = etag.removeprefix("W/")
    return any(part.strip().removeprefix("W/") == wanted for part in if_none_match.split(","))

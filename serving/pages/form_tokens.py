"""Tokens of forms, which prove that a form was submitted from a page of ours: tied to two cookies.

A page of another site can make a browser send our cookies, but can read neither them nor our forms. The token
is derived from a random cookie and from the session, so that planting such a cookie is not enough to attack
somebody who is signed in. The origin of the submission is checked as well.

A token is masked anew in each page: pages are compressed, and the length of one that repeats what somebody
else chose would tell of what stays the same in them (BREACH).
"""

import hashlib
import hmac
import secrets
from urllib.parse import urlsplit

FIELD = "form_token"
"""Name of the hidden field in every form."""
_LENGTH = hashlib.sha256().digest_size
_LONGEST = 300
"""Characters of an origin that are examined: a host name has 253 at most."""


def new_secret() -> str:
    """Return a new random value to which a browser's forms are tied."""
    return secrets.token_urlsafe(32)


def token_for(secret: str, session: str | None, *, purpose: str = "form") -> str:
    """Return the token that a form carries: a random mask, and the masked value. Each is another."""
    mask = secrets.token_bytes(_LENGTH)
    return (mask + _masked(_value(secret, session, purpose), mask)).hex()


def is_token(given: str, secret: str, session: str | None, *, purpose: str = "form") -> bool:
    """Return whether a submitted token is one for these cookies."""
    try:
        sent = bytes.fromhex(given)
    except ValueError:
        return False
    if len(sent) != 2 * _LENGTH:
        return False
    mask, masked = sent[:_LENGTH], sent[_LENGTH:]
    return hmac.compare_digest(masked, _masked(_value(secret, session, purpose), mask))


def _value(secret: str, session: str | None, purpose: str) -> bytes:
    message = f"{purpose}\n{session or ''}"
    return hmac.digest(secret.encode(), message.encode(), hashlib.sha256)


def _masked(value: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(value, mask, strict=True))


def is_from_us(*, fetch_site: str | None, origin: str | None, host: str, public_url: str) -> bool:
    """Return whether the browser's headers allow that a page of ours submitted the form.

    Our pages send no referrer, so that browsers give their origin as `null`; then `Sec-Fetch-Site` decides.
    Browsers too old for it, and those on plain HTTP, say nothing, and the token decides alone.
    """
    if fetch_site is not None:
        return fetch_site == "same-origin"
    if origin is None or origin == "null":
        return True
    # `urlsplit` remembers what it was given.
    if len(origin) > _LONGEST:
        return False
    return urlsplit(origin).netloc in {host, urlsplit(public_url).netloc}

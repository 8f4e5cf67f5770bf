"""API keys as text: made, checked without a look-up, hashed for storage and shortened for display."""

import hashlib
import re
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from serving.contract.errors import ValidationError

BRAND = "lr_live_"
SCOPES = ("search", "node", "browse", "gis", "formation")
"""Every scope that a key may have, in the order in which they are shown and stored."""

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET_LENGTH, _CHECK_LENGTH, _SHOWN_LENGTH = 32, 6, 4
_KEY_LIKE = re.compile(rf"({BRAND}[0-9A-Za-z]{{{_SHOWN_LENGTH}}})[0-9A-Za-z]+", re.ASCII)
_FORM = re.compile(rf"{BRAND}[0-9A-Za-z]{{{_SECRET_LENGTH + _CHECK_LENGTH}}}", re.ASCII)


@dataclass(frozen=True, slots=True)
class MintedKey:
    """A new key. `text` is shown once and never stored; it stays out of `repr` so that no log can hold it."""

    digest: str
    prefix: str
    _text: tuple[str]

    @property
    def text(self) -> str:
        """The key itself, for its owner."""
        return self._text[0]

    def __repr__(self) -> str:
        return f"MintedKey(prefix={self.prefix!r})"


def mint() -> MintedKey:
    """Make a key of 190 random bits."""
    body = BRAND + "".join(secrets.choice(_ALPHABET) for _ in range(_SECRET_LENGTH))
    text = body + _check(body)
    return MintedKey(digest=digest(text), prefix=text[: len(BRAND) + _SHOWN_LENGTH], _text=(text,))


def is_well_formed(text: str) -> bool:
    """Return whether the text has the form and the checksum of a key; nothing is looked up."""
    return _FORM.fullmatch(text) is not None and text[-_CHECK_LENGTH:] == _check(text[:-_CHECK_LENGTH])


def redacted(text: str) -> str:
    """Return the text with every key in it cut down to the part that lists show, even a mistyped key."""
    return _KEY_LIKE.sub(r"\1…", text) if BRAND in text else text


def digest(text: str) -> str:
    """Return the SHA-256 of a key or token in hex, the only form in which one is stored."""
    return hashlib.sha256(text.encode()).hexdigest()


def parse_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return the scopes without repetition and in order.

    Raises:
        ValidationError: none is given, or one is unknown.
    """
    wanted = set(scopes)
    unknown = sorted(wanted - set(SCOPES))
    if unknown or not wanted:
        reason = f"{unknown[0]!r} is not a scope" if unknown else "A key needs at least one scope"
        raise ValidationError(f"{reason}; the scopes are {', '.join(SCOPES)}.", parameter="scopes")
    return tuple(scope for scope in SCOPES if scope in wanted)


def _check(body: str) -> str:
    value = zlib.crc32(body.encode())
    digits = []
    for _ in range(_CHECK_LENGTH):
        value, digit = divmod(value, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))

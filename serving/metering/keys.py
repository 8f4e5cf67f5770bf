"""API keys and tokens as text: made, checked without a look-up, hashed for storage, shortened for display."""

import hashlib
import re
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from serving.contract.errors import ValidationError

BRAND = "lr_live_"
"""Beginning of the keys that people make."""
ACCESS = "lr_access_"
"""Beginning of the access tokens of connected agents, which open what a key opens."""
REFRESH, CODE = "lr_refresh_", "lr_code_"
"""Beginnings of refresh tokens and authorization codes, which open nothing but the token endpoint."""
SCOPES = ("search", "node", "browse", "gis", "formation")
"""Every scope that a key may have, in the order in which they are shown and stored."""

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET_LENGTH, _CHECK_LENGTH, _SHOWN_LENGTH = 32, 6, 4
_BRANDS = "|".join((BRAND, ACCESS, REFRESH, CODE))
_KEY_LIKE = re.compile(rf"((?:{_BRANDS})[0-9A-Za-z]{{{_SHOWN_LENGTH}}})[0-9A-Za-z]+", re.ASCII)
_FORM = re.compile(rf"(?:{BRAND}|{ACCESS})[0-9A-Za-z]{{{_SECRET_LENGTH + _CHECK_LENGTH}}}", re.ASCII)


@dataclass(frozen=True, slots=True)
class MintedKey:
    """A new key or token. `text` is shown once and never stored; it stays out of `repr`, and so of logs."""

    digest: str
    prefix: str
    _text: tuple[str]

    @property
    def text(self) -> str:
        """The key itself, for its owner."""
        return self._text[0]

    def __repr__(self) -> str:
        return f"MintedKey(prefix={self.prefix!r})"


def mint(brand: str = BRAND, *, family: str = "") -> MintedKey:
    """Make a key, or a token that begins with another brand, of 190 random bits.

    Args:
        brand: beginning of the text.
        family: what follows it in all tokens of one family; "" where there is none.
    """
    body = brand + family + random_text(_SECRET_LENGTH)
    text = body + _check(body)
    return MintedKey(digest=digest(text), prefix=text[: len(brand) + _SHOWN_LENGTH], _text=(text,))


def random_text(length: int) -> str:
    """Return random letters and digits, of nearly six bits each."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def is_well_formed(text: str) -> bool:
    """Return whether the text has the form and the checksum of a key or access token, without a look-up."""
    return _FORM.fullmatch(text) is not None and is_whole(text)


def is_whole(text: str) -> bool:
    """Return whether a key or token ends in its checksum: it is neither mistyped nor cut off."""
    return text[-_CHECK_LENGTH:] == _check(text[:-_CHECK_LENGTH])


def redacted(text: str) -> str:
    """Return the text with every key and token in it cut to the part that lists show, mistyped ones too."""
    return _KEY_LIKE.sub(r"\1…", text) if "lr_" in text else text


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

"""Passwords: which are acceptable, how they are hashed for rest, and how one is checked."""

import base64
import secrets
import string
import unicodedata

from argon2 import PasswordHasher, Type
from argon2.exceptions import VerifyMismatchError

from serving.contract.errors import ValidationError

MIN_LENGTH, MAX_LENGTH = 10, 256
"""Characters of a password."""

_MIN_DIFFERENT = 5
_COMMON = """
    abcdef abcdefghij admin administrator baseball changeme dragon football iloveyou letmein monkey passwort
    password passwordpassword princess q2w3e4r5t qaz2wsx3edc qazwsx qwert qwerty qwertyuiop qwertz qwertzuiop
    secret sunshine superman test trustno welcome
"""
"""What most guesses are made of, once the digits and signs around are taken off."""
_AROUND = string.digits + string.punctuation + " "
_DISGUISES = str.maketrans("0@$", "oas")

_HASHER = PasswordHasher(
    time_cost=3, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16, type=Type.ID
)
"""About 50 ms and 19 MiB a password: a little more than what OWASP asks for at least."""


def require_acceptable(password: str, *, email: str | None) -> None:
    """Refuse a password that is too short, too long or among the first guesses.

    Raises:
        ValidationError: with `parameter="password"` and what is asked for.
    """
    prepared = _prepared(password)
    fault = None
    if not MIN_LENGTH <= len(prepared) <= MAX_LENGTH:
        fault = f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters."
    elif any(unicodedata.category(character) in {"Cc", "Cs"} for character in prepared):
        fault = "A password holds no control characters."
    elif _is_easy(prepared.casefold()):
        fault = "This password is among the first that anyone would guess; choose another one."
    elif email is not None and prepared.casefold() in {email.casefold(), email.casefold().partition("@")[0]}:
        fault = "A password has to differ from the e-mail address."
    if fault is not None:
        raise ValidationError(fault, parameter="password")


def hash_password(text: str) -> str:
    """Hash a password with argon2id: the only form in which one is stored."""
    return _HASHER.hash(_bytes(text))


def verify(stored: str | None, text: str) -> bool:
    """Whether the text is the password of that hash.

    Without a hash the answer is no, after the same work: an address that is unknown takes as long as a wrong
    password.
    """
    try:
        _HASHER.verify(_NO_PASSWORD if stored is None else stored, _bytes(text))
    except VerifyMismatchError:
        return False
    return stored is not None


def needs_rehash(stored: str) -> bool:
    """Whether the hash was made with other parameters than are in use now."""
    return _HASHER.check_needs_rehash(stored)


def _is_easy(folded: str) -> bool:
    word = folded.strip(_AROUND).translate(_DISGUISES)
    return not word or word in _COMMON.split() or len(set(folded)) < _MIN_DIFFERENT


def _prepared(text: str) -> str:
    # Keyboards differ in how they compose an accented letter; the password is the same.
    return unicodedata.normalize("NFC", text)


def _bytes(text: str) -> bytes:
    return _prepared(text).encode("utf-8", "surrogatepass")


def _hash_of_nothing() -> str:
    salt, output = (
        base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (_HASHER.salt_len, _HASHER.hash_len)
    )
    cost = f"m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}"
    return f"$argon2id$v=19${cost}${salt}${output}"


_NO_PASSWORD = _hash_of_nothing()
"""A hash with the parameters in use that is the hash of no known password."""

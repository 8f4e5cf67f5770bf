"""Which passwords are taken, and what is known of them afterwards."""

import time

import pytest
from argon2 import PasswordHasher

from serving.accounts.passwords import (
    MAX_LENGTH,
    MIN_LENGTH,
    hash_password,
    needs_rehash,
    require_acceptable,
    verify,
)
from serving.contract.errors import ValidationError


def test_a_password_is_known_by_its_hash_alone():
    stored = hash_password("seven stones in a river")
    assert stored.startswith("$argon2id$")
    assert "stones" not in stored
    assert verify(stored, "seven stones in a river")
    assert not verify(stored, "seven stones in a rivet")
    assert not verify(stored, "")
    assert stored != hash_password("seven stones in a river")


def test_an_accent_may_be_typed_either_way():
    assert verify(hash_password("caf\u00e9 in the morning"), "cafe\u0301 in the morning")


def test_a_text_that_is_no_unicode_is_a_wrong_password():
    assert not verify(hash_password("seven stones in a river"), "\ud800 stones")


def test_nothing_opens_where_there_is_no_password():
    assert not verify(None, "seven stones in a river")
    assert not verify(None, "")


def test_where_there_is_no_password_the_same_work_is_done():
    def work(stored: str | None) -> float:
        before = time.process_time()
        assert not verify(stored, "seven stones")
        return time.process_time() - before

    stored = hash_password("seven stones in a river")
    known = min(work(stored) for _ in range(5))
    unknown = min(work(None) for _ in range(5))
    # Five times is far more than the noise and far less than the thousands that no hashing would be.
    assert known / 5 < unknown < known * 5


def test_a_hash_with_other_parameters_is_to_be_made_again():
    assert not needs_rehash(hash_password("seven stones in a river"))
    older = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("seven stones in a river")
    assert needs_rehash(older)
    assert verify(older, "seven stones in a river")


@pytest.mark.parametrize(
    "password",
    [
        "seven stones",
        "x7#kQ2!m9z",
        "パスワードは長いほうがよい",
        "passwords are tiresome",
        "correct horse battery staple",
        "q" * 200 + "wert",
    ],
)
def test_a_reasonable_password_is_taken(password):
    require_acceptable(password, email="ada@example.org")


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("x7#kQ2!m9", "10 to 256 characters"),
        ("e\u0301\u0301" + "x7#kQ2!", "10 to 256"),
        ("", "10 to 256"),
        ("ab cdefg" * 40, "10 to 256"),
        ("seven\nstones", "control characters"),
        ("seven \ud800 stones", "control characters"),
        ("seven\0stones", "control characters"),
        ("Password123", "would guess"),
        ("P@ssw0rd2026!", "would guess"),
        ("1234567890", "would guess"),
        ("!!qwertyuiop", "would guess"),
        ("aaaaaaaaaaab", "would guess"),
        ("ADA@Example.org", "differ from the e-mail"),
        ("ada.lovelace", "differ from the e-mail"),
    ],
)
def test_an_easy_or_broken_password_is_refused(password, reason):
    email = "ada.lovelace@example.org" if password == "ada.lovelace" else "ada@example.org"
    with pytest.raises(ValidationError, match=reason) as refused:
        require_acceptable(password, email=email)
    assert refused.value.parameter == "password"
    assert not password or password not in refused.value.message


def test_the_shortest_and_the_longest_password_are_taken():
    text = "abcdefghijklmnop qrstuvwxyz " * 10
    require_acceptable(text[2 : 2 + MIN_LENGTH], email=None)
    require_acceptable(text[:MAX_LENGTH], email=None)

"""Tokens of forms, and where forms come from."""

import pytest

from serving.pages.form_tokens import is_from_us, is_token, new_secret, token_for

HERE = "https://law.example"


def test_a_token_belongs_to_one_browser_session_and_purpose():
    one, other = new_secret(), new_secret()
    token = token_for(one, "session")
    assert is_token(token, one, "session")
    assert not is_token(token, other, "session")
    assert not is_token(token, one, "another session")
    assert not is_token(token, one, None)
    assert not is_token(token, one, "session", purpose="once")


@pytest.mark.parametrize(
    "given",
    ["", "é", "0", "00" * 31, "00" * 32, "00" * 33, "00" * 63, "00" * 64, "00" * 65, "zz" * 64, "ff" * 64],
)
def test_what_is_no_token_is_none(given):
    assert not is_token(given, new_secret(), "session")


def test_a_part_of_a_token_is_none_and_nothing_follows_it():
    secret = new_secret()
    token = token_for(secret, None)
    for other in (token[:-2], token[2:], token[:64], token[64:], token + "00", token[64:] + token[:64][::-1]):
        assert not is_token(other, secret, None)


def test_each_page_has_another_token_and_all_are_good():
    secret = new_secret()
    tokens = {token_for(secret, "session") for _ in range(50)}
    assert len(tokens) == 50
    assert all(is_token(token, secret, "session") for token in tokens)
    # No part of it stays: what is alike in all pages is what a length could tell of.
    assert len({token[:64] for token in tokens}) == len({token[64:] for token in tokens}) == 50


def test_the_token_does_not_tell_the_secret():
    secret = new_secret()
    assert secret not in token_for(secret, None)


@pytest.mark.parametrize(
    ("fetch_site", "origin", "ours"),
    [
        ("same-origin", None, True),
        ("same-origin", "null", True),
        ("same-site", "https://other.law.example", False),
        ("cross-site", HERE, False),
        ("cross-site", "null", False),
        ("none", None, False),
        (None, HERE, True),
        (None, "http://127.0.0.1:8000", True),
        (None, "https://evil.example", False),
        (None, "https://law.example.evil.example", False),
        (None, "null", True),
        (None, None, True),
    ],
)
def test_where_a_form_comes_from(fetch_site, origin, ours):
    found = is_from_us(fetch_site=fetch_site, origin=origin, host="127.0.0.1:8000", public_url=HERE)
    assert found is ours

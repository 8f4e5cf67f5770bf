"""Keys as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.contract.errors import ValidationError
from serving.metering.keys import digest, is_well_formed, mint, parse_scopes


def test_a_minted_key_has_the_documented_form():
    minted = mint()
    assert len(minted.text) == len("lr_live_") + 32 + 6
    assert minted.text.startswith("lr_live_")
    assert minted.text.isascii()
    assert is_well_formed(minted.text)
    assert minted.digest == digest(minted.text)
    assert minted.text.startswith(minted.prefix)
    assert len(minted.prefix) == 12


def test_no_two_keys_are_alike():
    assert len({mint().text for _ in range(100)}) == 100


def test_a_key_stays_out_of_repr():
    minted = mint()
    assert minted.text not in repr(minted)
    assert minted.text not in f"{minted}"


def test_the_checksum_is_the_documented_one():
    body = "lr_live_" + "0" * 32
    # CRC-32 of the 40 characters before it, as six base62 digits, most significant first.
    assert [tail for tail in ("2n4JXW", "000000") if is_well_formed(body + tail)] == ["2n4JXW"]


@given(st.data())
def test_one_wrong_character_is_junk(data):
    text = mint().text
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters().filter(lambda character: character != text[place]))
    assert not is_well_formed(text[:place] + other + text[place + 1 :])


@given(st.text())
def test_junk_is_refused_whatever_it_is(text):
    assert not is_well_formed(text)
    assert not is_well_formed(mint().text + (text or "\n"))


def test_scopes_come_in_order_and_once():
    assert parse_scopes(["gis", "search", "gis"]) == ("search", "gis")


@pytest.mark.parametrize("scopes", [[], ["everything"], ["node", "Node"]])
def test_unknown_scopes_are_refused(scopes):
    with pytest.raises(ValidationError, match="search, node, browse, gis, formation"):
        parse_scopes(scopes)

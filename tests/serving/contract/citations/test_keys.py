"""The keys under which citations are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.contract.citations.keys import citation_key, key_head
from serving.contract.citations.lists import natural_key

IN_ORDER = [
    "17 U.S.C. § 9",
    "17 U.S.C. § 10",
    "17 U.S.C. § 106",
    "17 U.S.C. § 106A",
    "17 U.S.C. § 107",
    "17 U.S.C. § 107-1",
    "17 U.S.C. § 1101",
    "42 U.S.C. § 2000e",
    "42 U.S.C. § 2000e-1",
    "42 U.S.C. § 2000e-10",
    "42 U.S.C. § 2000f",
    "42 U.S.C. § 2000z-1",
    "42 U.S.C. § 2000aa",
    "42 U.S.C. § 2000bb",
    "42 U.S.C. § 2000aaa",
    "D.C. Code § 29-101.02",
    "D.C. Code § 29-101.11",
    "D.C. Code § 29-1001.01",
]


def test_keys_sort_as_the_law_numbers() -> None:
    keys = [citation_key(citation) for citation in IN_ORDER]
    assert sorted(keys, key=str.encode) == keys
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "other",
    ["42 U.S.C. § 2000e–2", "42 u.s.c. § 2000E-2", "42\u00a0U.S.C. §\u00a02000e-2", "42 U.S.C. §  2000e-2"],
)
def test_spellings_that_differ_in_case_dashes_or_spaces_have_one_key(other: str) -> None:
    assert citation_key(other) == citation_key("42 U.S.C. § 2000e-2")


def test_a_length_stands_before_digits_and_the_letters_after_them() -> None:
    assert citation_key("42 U.S.C. § 2000e-2") == "0242 u.s.c. § 0420001e-012"


def test_a_list_stands_among_the_sections() -> None:
    keys = [citation_key(text) for text in ("24 U.S.C. § 1", "24 U.S.C. §§ 2, 3", "24 U.S.C. § 4")]
    assert sorted(keys) == keys
    assert len({key_head(key) for key in keys}) == 1


@pytest.mark.parametrize(
    ("citation", "head"),
    [
        ("17 U.S.C. § 107", "0217 u.s.c. § "),
        ("50 U.S.C. app. § 5", "0250 u.s.c. app. § "),
        ("Fed. R. Civ. P. 12", "fed. r. civ. p. "),
        ("D.C. Code § 29-801.02", "d.c. code § "),
    ],
)
def test_sections_of_one_title_share_a_head(citation: str, head: str) -> None:
    assert key_head(citation_key(citation)) == head


@given(st.lists(st.from_regex(r"[1-9][0-9]{0,5}[a-z]{0,2}(-[1-9][0-9]{0,2})?", fullmatch=True), min_size=2))
def test_numbers_keep_apart_and_digits_in_order(numbers: list[str]) -> None:
    keys = {number: citation_key(f"1 X § {number}") for number in numbers}
    assert len(set(keys.values())) == len(set(numbers))
    assert sorted(keys, key=lambda number: keys[number].encode()) == sorted(keys, key=natural_key)


@given(st.text(max_size=40))
def test_any_text_has_a_key(text: str) -> None:
    assert key_head(citation_key(text)) in citation_key(text)


@given(st.from_regex(r"[0-9]{1,120}", fullmatch=True), st.from_regex(r"[0-9]{1,120}", fullmatch=True))
def test_no_two_runs_of_digits_have_one_key(first: str, second: str) -> None:
    assert (citation_key(first) == citation_key(second)) == (first == second)

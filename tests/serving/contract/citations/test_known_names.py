"""Names of codes and acts are found however they are dotted and spaced, the longest first."""

import random

import pytest

from serving.contract.citations import Grammar
from serving.contract.citations.grammar import folded_name_key, name_spellings
from serving.contract.citations.known_names import KnownNames
from serving.contract.citations.source import fold

NAMES = KnownNames(
    ["U.S.C.", "U.S. Code", "D.C. Code", "D.C. Code Ann.", "Or. L. & Prac.", "AS", "N.Y. Workers' Comp. Law"],
    ["AAA", "Clean Air Act", "Fair Labor and Commerce Act"],
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("5 U.S.C. 1 and 6 usc 2 and 7 u. s. c. 3", ["u.s.c.", "usc", "u. s. c."]),
        ("the U.S. Code, us code, uscode", ["u.s. code", "us code", "uscode"]),
        ("D.C. Code Ann. § 1; D.C. Code § 2", ["d.c. code ann.", "d.c. code"]),
        ("Or L and Prac 5, or. l. & prac. 6", ["or l and prac", "or. l. & prac."]),
        ("fair labor & commerce act", ["fair labor & commerce act"]),
        ("NY Workers Comp Law", ["ny workers comp law"]),
        ("17USC107 but 410aaa, and AAA", ["usc", "aaa"]),
        ("title 5, titles of nobility, tit. 6", ["", ""]),
        ("V.AS, causes, as", ["as"]),
        ("U.S.C.App. § 1", ["u.s.c."]),
        ("the Clean Water Act", []),
    ],
)
def test_a_name_is_found_as_it_is_written(text: str, names: list[str]) -> None:
    assert [found.name for found in NAMES.find_all(fold(text))] == names


def test_a_name_stands_where_it_begins_and_alone() -> None:
    folded = fold("see D.C. Code § 1")
    assert NAMES.name_at(folded, 4) == (4, 13, "d.c. code")
    assert NAMES.name_at(folded, 5) is None
    assert NAMES.name_at(fold("title 5"), 0) is None
    assert NAMES.is_name(folded, 4, 13)
    assert not NAMES.is_name(folded, 4, 11)
    assert not NAMES.is_name(fold("title 5"), 0, 5)


def test_no_names_are_found_where_none_are_known() -> None:
    assert list(KnownNames([], []).find_all("5 u.s.c. § 1")) == []


def test_every_name_of_the_data_is_found_in_full(grammar: Grammar) -> None:
    """Whatever letters it is kept by: a name is found as far as it goes, behind a digit where it is a code's."""
    codes = [name for scheme in grammar.schemes for name in (*scheme.names, *scheme.short_names)]
    acts = [name.name for name in grammar.popular_names]
    spelled = [spelling for name in (*codes, *acts) for spelling in name_spellings(name)]
    for name in random.Random(12).sample(spelled, 1_500):
        folded = fold(f"({name} 5")
        found = grammar.names.search(folded)
        assert found is not None, name
        assert (found.start, folded_name_key(found.name)) == (1, folded_name_key(fold(name))), name

"""Spellings of citations, as people write them."""

import pytest

from assets.registry import Registry, load_citing
from assets.release.quality.spellings import spell
from serving.contract.citations import Grammar, read_one
from tests.conftest import CHECKOUT


@pytest.fixture(scope="module")
def grammar(registry: Registry) -> Grammar:
    return load_citing(
        CHECKOUT / "datasets" / "citations", registry, ["us-usc", "dc-code", "us-cfr"]
    ).grammar()


@pytest.mark.parametrize(
    "citation",
    [
        "17 U.S.C. § 107",
        "42 U.S.C. § 2000e-2",
        "D.C. Code § 29-801.02",
        "Fed. R. Civ. P. 12",
        "50 U.S.C. app. § 5",
        "24 U.S.C. §§ 1, 2",
        "2 C.F.R. § 200.1",
    ],
)
def test_spellings_differ_and_can_be_read(grammar: Grammar, citation: str) -> None:
    spellings = spell(citation, grammar, part="(a)(1)")
    texts = [spelling.text for spelling in spellings]
    assert len(set(texts)) == len(texts) == 10
    assert citation not in texts
    for text in texts:
        read = read_one(text, grammar)
        assert isinstance(read, tuple), text


def test_a_part_is_cited_where_the_provision_has_one(grammar: Grammar) -> None:
    forms = {one.form: one.text for one in spell("17 U.S.C. § 107", grammar, part="(2)")}
    assert forms["pin cite"] == "17 U.S.C. § 107(2)"
    assert "pin cite" not in {one.form for one in spell("17 U.S.C. § 107", grammar)}


def test_an_appendix_is_spelled_without_what_sections_alone_have(grammar: Grammar) -> None:
    spellings = spell("2 C.F.R. pt. 200, app. II", grammar, part="(a)")
    assert {one.form for one in spellings} >= {"lower case", "no dots", "another name", "full stop"}
    assert not {one.form for one in spellings} & {"pin cite", "et seq.", "in words"}
    assert all(isinstance(read_one(one.text, grammar), tuple) for one in spellings)


def test_a_citation_of_no_scheme_has_no_spellings(grammar: Grammar) -> None:
    assert spell("Chapter 7", grammar) == []

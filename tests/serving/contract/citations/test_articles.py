"""Codes whose sections begin anew in each article, which citations name beside the section."""

import pytest

from serving.contract.citations import CitationScheme, Grammar, parse

CODE = CitationScheme.from_dict(
    {
        "key": "zz-harbor",
        "code": "zz-harbor",
        "jurisdiction": "zz",
        "template": "Harbor City Code art. {title}, § {num}",
        "names": ["Harbor City Code", "Harb. City Code"],
        "number": r"\d{1,2}-\d{1,4}",
        "title": r"\d{1,2}a?",
    }
)
CHARTER = CitationScheme.from_dict(
    {
        "key": "zz-charter",
        "code": "zz-charter",
        "jurisdiction": "zz",
        "template": "Harbor Charter art. {title}, § {num}",
        "names": ["Harbor Charter"],
        "number": r"\d{1,3}[a-z]?",
        "title": r"[ivx]{1,5}",
    }
)
PEAK = CitationScheme.from_dict(
    {
        "key": "zz-peak",
        "code": "zz-peak",
        "jurisdiction": "zz",
        "template": "Peak Code tit. {title}, § {num}",
        "names": ["Peak Code"],
        "number": r"\d{1,2}-\d{1,4}",
        "title": r"\d{1,2}",
    }
)
GRAMMAR = Grammar([CODE, CHARTER, PEAK])


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Harbor City Code art. 7, § 1-1", ["Harbor City Code art. 7, § 1-1"]),
        ("see Harb. City Code, Art. 7, § 1-2(e)(2).", ["Harbor City Code art. 7, § 1-2(e)(2)"]),
        ("Harbor City Code, Article 22A, Section 3-1", ["Harbor City Code art. 22A, § 3-1"]),
        ("Harbor City Code art. 7", ["Harbor City Code art. 7"]),
        ("Harbor Charter, Art. VII § 28", ["Harbor Charter art. VII, § 28"]),
        # A title within an article, which this does not name: not Article 7.
        ("Harbor City Code tit. 7, § 1-1", ["Harbor City Code tit. 7, § 1-1"]),
        ("Harbor City Code § 1-1", []),
        ("Peak Code art. 7, § 1-1", []),
        ("Peak Code tit. 7, § 1-1", ["Peak Code tit. 7, § 1-1"]),
    ],
)
def test_an_article_stands_for_the_title_only_in_codes_that_are_cited_by_it(
    text: str, canonical: list[str]
) -> None:
    assert [citation.canonical for citation in parse(text, GRAMMAR)] == canonical

"""NAICS look-up: by code, by words and by meaning, and how well it finds what people describe."""

import csv
import re
from pathlib import Path

import pytest

from serving.contract.errors import NotFoundError, ValidationError
from serving.services.naics import MAX_MATCHES, lookup_naics, naics_code

HERE = Path(__file__).parent
DATA = HERE.parents[2] / "datasets" / "formation"


def described(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
    return [(row["description"], set(row["codes"].split("|"))) for row in rows]


def found(snapshot, name, *, limit):
    return sum(
        bool(codes & {match.code for match in lookup_naics(snapshot, text, limit=limit).matches})
        for text, codes in described(name)
    )


# Measured when the words were written: 60 of 60 and 38 of 40 in the first five; 48 and 27 at the top.
@pytest.mark.parametrize(
    ("name", "count", "share"), [("naics_queries.tsv", 60, 0.95), ("naics_held_out.tsv", 40, 0.85)]
)
def test_the_right_code_is_among_the_first_five(snapshot, name, count, share):
    assert len(described(name)) == count
    assert found(snapshot, name, limit=5) >= share * count


def test_no_description_is_in_the_data():
    def folded(text):
        return " ".join(re.findall(r"[a-z0-9]+", text.lower()))

    tested = {
        folded(text) for name in ("naics_queries.tsv", "naics_held_out.tsv") for text, _ in described(name)
    }
    lines = (DATA / "naics_words.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    words = {folded(word) for row in rows for word in row["words"].split(";")}
    assert not tested & words


def test_a_code_is_given_with_what_stands_above_and_below(snapshot):
    (match,) = lookup_naics(snapshot, " 722330 ").matches
    assert (match.title, match.level, match.ways) == ("Mobile Food Services", "national_industry", ("code",))
    assert [(code.code, code.level) for code in match.hierarchy] == [
        ("72", "sector"),
        ("722", "subsector"),
        ("7223", "industry_group"),
        ("72233", "naics_industry"),
    ]
    assert match.children == ()
    (group,) = lookup_naics(snapshot, "7223").matches
    assert [code.code for code in group.children] == ["72231", "72232", "72233"]


@pytest.mark.parametrize("code", ["31", "33", "31-33"])
def test_sectors_of_a_range_are_one(snapshot, code):
    (match,) = lookup_naics(snapshot, code).matches
    assert (match.code, match.level) == ("31-33", "sector")
    assert {child.code[:2] for child in match.children} == {"31", "32", "33"}
    (below,) = lookup_naics(snapshot, "332").matches
    assert [code.code for code in below.hierarchy] == ["31-33"]


def test_a_description_is_answered_with_codes_of_six_digits_in_order(snapshot):
    result = lookup_naics(snapshot, "  we   mend shoes ", limit=MAX_MATCHES)
    assert result.query == "we mend shoes"
    assert "811430" in [match.code for match in result.matches[:2]]
    assert {"words", "meaning"} >= set(result.matches[0].ways) != set()
    assert [match.score for match in result.matches] == sorted(
        (match.score for match in result.matches), reverse=True
    )
    assert all(len(match.code) == 6 and len(match.hierarchy) == 4 for match in result.matches)
    assert len({match.code for match in result.matches}) == MAX_MATCHES


@pytest.mark.parametrize("query", ["", "   ", "x" * 501])
def test_a_query_has_bounds(snapshot, query):
    with pytest.raises(ValidationError) as refused:
        lookup_naics(snapshot, query)
    assert refused.value.parameter == "query"


@pytest.mark.parametrize("limit", [0, MAX_MATCHES + 1])
def test_a_limit_has_bounds(snapshot, limit):
    with pytest.raises(ValidationError):
        lookup_naics(snapshot, "bakery", limit=limit)


@pytest.mark.parametrize(
    "query", ["999999", "5", "7223301", "7" * 30, "-1", "7223 30", "31-34", "???", "１２"]
)
def test_a_code_that_is_none_is_said(snapshot, query):
    with pytest.raises(NotFoundError) as unknown:
        lookup_naics(snapshot, query)
    assert unknown.value.kind == "naics_code"


def test_an_order_names_a_code_of_six_digits(snapshot):
    with pytest.raises(ValidationError):
        naics_code(snapshot, "7223")


@pytest.mark.parametrize("query", ["the", "日本", "\ud800x", "12 monkeys", "24/7 gym"])
def test_any_text_is_answered(snapshot, query):
    assert len(lookup_naics(snapshot, query).matches) == 5

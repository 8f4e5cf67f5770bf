"""The reviewed acts: what their tables may say, and what of it the grammar of citations takes."""

import pytest

from assets.registry import ReviewedAct, reviewed_acts
from serving.contract.citations import CitationDataError

RENT = {
    "name": "Rent Act",
    "short": ["RA"],
    "called": ["Rent Control"],
    "citation": "1 S.C. § 1",
    "also": ["1 S.C. § 2"],
}


def test_each_place_is_a_name_to_the_grammar_and_what_it_is_called_is_none() -> None:
    act = ReviewedAct.from_dict(RENT)
    assert act.names == ("Rent Act", "RA", "Rent Control")
    assert act.places == ("1 S.C. § 1", "1 S.C. § 2")
    assert [(name.name, name.short, name.citation) for name in act.popular_names()] == [
        ("Rent Act", ("RA",), "1 S.C. § 1"),
        ("Rent Act", (), "1 S.C. § 2"),
    ]


def test_topic_is_no_citation() -> None:
    (act, topic) = reviewed_acts(
        {"name": [RENT], "topic": [{"name": "Rent Program", "citation": "1 S.C. § 3"}]}
    )
    assert not act.is_topic
    assert (topic.is_topic, topic.places, topic.popular_names()) == (True, ("1 S.C. § 3",), ())


@pytest.mark.parametrize(
    "table",
    [
        {"name": "Rent Act", "alone": ["Lease"]},
        {"name": "Rent Act", "also": ["1 S.C. § 2"]},
        {"name": "Rent Act", "place": "1 S.C. § 2"},
        {"short": ["RA"]},
    ],
)
def test_malformed_table_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(CitationDataError):
        ReviewedAct.from_dict(table)

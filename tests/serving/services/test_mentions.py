"""Places and kinds that a query names."""

from dataclasses import replace

import pytest

from serving.services.mentions import mentioned_places, names_any_kind, names_kind


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("permits in Sample City", {"sample", "sample-city"}),
        ("SAMPLE city noise", {"sample", "sample-city"}),
        ("federal crime", {"us"}),
        ("United States citizenship", {"us"}),
        ("tell us about permits", set()),
        ("city permits", {"sample-city"}),
        ("samples of water", set()),
        ("permits in California", set()),
        ("who gets a permit in the United States.", {"us"}),
        ("minors in sample-city?", {"sample", "sample-city"}),
    ],
)
def test_places_with_law_are_named_by_their_names(snapshot, query, places):
    assert mentioned_places(query, snapshot.manifest) == places


def test_a_name_within_a_longer_one_is_not_meant(snapshot):
    """As in what a search says of law that is missing."""
    held = replace(snapshot.code_bodies[0], jurisdiction="va")
    manifest = replace(snapshot.manifest, code_bodies=(held,))
    assert mentioned_places("mines of Virginia", manifest) == {"va"}
    assert mentioned_places("mines of West Virginia", manifest) == set()
    assert mentioned_places("mines of West Virginia and Virginia.", manifest) == {"va"}
    assert mentioned_places("VA harbor dues", manifest) == {"va"}
    assert mentioned_places("form VA2 of the harbor", manifest) == set(), "which is another word"


def test_a_kind_is_named_by_the_words_of_its_tag():
    assert names_kind(frozenset({"penalti", "perjuri"}), "crimes penalty")
    assert names_kind(frozenset({"effect", "date"}), "effective_date")
    assert not names_kind(frozenset({"date"}), "effective_date")
    assert not names_kind(frozenset({"penalti"}), "")


def test_any_kind_is_named_where_one_of_them_is():
    tags = frozenset({"effective_date", "crimes", "penalty"})
    for terms in ({"date"}, {"effect", "date"}, {"crime", "penalti"}, {"penalti"}, {"water"}, set()):
        assert names_any_kind(frozenset(terms), tags) == any(
            names_kind(frozenset(terms), tag) for tag in tags
        )

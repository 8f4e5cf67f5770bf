"""Places and kinds that a query names."""

import pytest

from serving.services.mentions import mentioned_places, names_kind


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
    ],
)
def test_places_with_law_are_named_by_their_names(snapshot, query, places):
    assert mentioned_places(query, snapshot.manifest) == places


def test_a_kind_is_named_by_the_words_of_its_tag():
    assert names_kind(frozenset({"penalti", "perjuri"}), "crimes penalty")
    assert names_kind(frozenset({"effect", "date"}), "effective_date")
    assert not names_kind(frozenset({"date"}), "effective_date")
    assert not names_kind(frozenset({"penalti"}), "")

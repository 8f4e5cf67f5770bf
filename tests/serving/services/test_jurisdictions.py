"""Jurisdictions as people name them, over the manifest of the sample law."""

import pytest

from serving.contract.errors import ValidationError
from serving.services.jurisdictions import find_jurisdiction, holds_law, missing_law


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("va", "va"),
        ("VA", "va"),
        ("California", "ca"),
        ("  new   YORK ", "ny"),
        ("District of Columbia", "dc"),
        ("D.C.", "dc"),
        ("N.Y.", "ny"),
        ("u.s.", "us"),
        ("sample-city", "sample-city"),
    ],
)
def test_codes_and_names_lead_to_the_code(snapshot, given, code):
    assert find_jurisdiction(snapshot.manifest, given) == code


@pytest.mark.parametrize(
    ("given", "near"),
    [("Californa", "ca"), ("Calif.", "ca"), ("nwe york", "ny"), ("vaa", "va"), ("il-chicago", "il")],
)
def test_what_is_nearly_right_is_refused_with_the_nearest(snapshot, given, near):
    with pytest.raises(ValidationError) as refused:
        find_jurisdiction(snapshot.manifest, given)
    assert near in refused.value.message.partition("Nearest: ")[2]
    assert refused.value.parameter == "jurisdiction"


def test_nothing_is_near_to_nonsense(snapshot):
    with pytest.raises(ValidationError, match=r"not listed here\.$"):
        find_jurisdiction(snapshot.manifest, "qqqqqqqq")


def test_a_state_holds_the_law_of_its_cities(snapshot):
    assert holds_law(snapshot.manifest, "sample")
    assert holds_law(snapshot.manifest, "us")
    assert not holds_law(snapshot.manifest, "sam")
    assert not holds_law(snapshot.manifest, "va")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("lemon law in California", "ca"),
        ("west virginia mine safety", "wv"),
        ("what does Virginia's code say", "va"),
        ("virginia: harbor dues", "va"),
        ("New York and California", "ny"),
        ("harbor", None),
        ("", None),
        ("District of Columbia", "dc"),
        ("columbia river", None),
    ],
)
def test_a_query_that_names_law_that_is_not_held(snapshot, query, code):
    found = missing_law(snapshot.manifest, query, jurisdiction=None, code_body=None)
    assert (found and (found.jurisdiction.short_code, found.partly)) == (code and (code, False))


@pytest.mark.parametrize(
    ("query", "filters", "code", "partly"),
    [
        ("harbor", {"jurisdiction": "sample-city"}, "sample-city", True),
        ("harbor in California", {"jurisdiction": "sample-city"}, "sample-city", True),
        ("harbor in California", {"jurisdiction": "us"}, None, False),
        ("harbor", {"jurisdiction": "va"}, "va", False),
        ("harbor in {city} and Virginia", {}, "va", False),
        ("harbor in {city}", {}, "sample-city", True),
        ("harbor of the United States", {}, None, False),
    ],
)
def test_law_that_is_missing_is_told_from_law_held_whole(snapshot, query, filters, code, partly):
    city = next(one.name for one in snapshot.manifest.jurisdictions if one.short_code == "sample-city")
    found = missing_law(
        snapshot.manifest,
        query.format(city=city),
        jurisdiction=filters.get("jurisdiction"),
        code_body=filters.get("code_body"),
    )
    assert (found and (found.jurisdiction.short_code, found.partly)) == (code and (code, partly))


def test_a_filter_by_code_asks_for_its_jurisdiction(snapshot):
    for body in snapshot.code_bodies:
        found = missing_law(snapshot.manifest, "harbor", jurisdiction=None, code_body=body.id)
        assert (found is None) == body.complete, body.key

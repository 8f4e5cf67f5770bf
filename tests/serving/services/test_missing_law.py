"""Law that a search is about and that is not held, over the manifest of the sample law."""

from dataclasses import replace

import pytest

from serving.contract.records import Jurisdiction
from serving.services.missing_law import missing_law


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("lemon law in California", "ca"),
        ("west virginia mine safety", "wv"),
        ("what does Virginia's code say", "va"),
        ("virginia: harbor dues", "va"),
        ("harbor", None),
        ("", None),
        ("District of Columbia", "dc"),
        ("columbia river", None),
        ("rent control in Washington, D.C.", "dc"),
        ("washington dc tenants", None),
        ("mine safety in washington in winter", "wa"),
        ("Virginia (VA) harbor dues", "va"),
        ("is there a lemon law in California.", "ca"),
        ("lemon law (N. Dakota)", None),
        ("rent control in D.C.", "dc"),
        ("D.C. tenants", "dc"),
        ("Washington D.C. tenants", "dc"),
        ("n.y. lemon law", "ny"),
        ("DC tenants", "dc"),
        ("dc tenants", None),
        ("TX landlord", "tx"),
        ("landlord rules, TX", "tx"),
        ("VA benefits", None),
        ("PA license", None),
        ("TX LANDLORD", None),
        ("the US Coast Guard", None),
        ("who is liable, i.e. the owner", None),
        ("5 p.m. curfew", None),
        ("the vessel M.E. Pike", None),
    ],
)
def test_a_query_that_names_law_that_is_not_held(snapshot, query, code):
    found = missing_law(snapshot.manifest, query)
    assert [(one.jurisdiction, one.partly) for one in found] == ([(code, False)] if code else [])


@pytest.mark.parametrize(
    ("query", "filters", "code", "partly"),
    [
        ("harbor", {"jurisdiction": "sample-city"}, "sample-city", True),
        ("harbor in California", {"jurisdiction": "sample-city"}, "sample-city", True),
        ("harbor in California", {"jurisdiction": "us"}, None, False),
        ("harbor", {"jurisdiction": "va"}, "va", False),
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
    assert [(one.jurisdiction, one.partly) for one in found] == ([(code, partly)] if code else [])


def test_of_several_places_those_without_any_law_are_told_first(snapshot):
    city = next(one.name for one in snapshot.manifest.jurisdictions if one.short_code == "sample-city")
    query = f"harbor in {city}, New York and California, or in California"
    found = missing_law(snapshot.manifest, query)
    told = [(one.jurisdiction, one.partly) for one in found]
    assert told == [("ny", False), ("ca", False), ("sample-city", True)]


@pytest.mark.parametrize(
    ("query", "acts", "codes"),
    [
        (
            "grants under the Alaska Native Claims Settlement Act",
            ("alaska native claims settlement act",),
            [],
        ),
        ("Texas grants under the Alaska Native Claims Settlement Act", ("alaska native claims act",), ["tx"]),
        (
            "Alaska grants under the Alaska Native Claims Settlement Act",
            ("alaska native claims act",),
            ["ak"],
        ),
        ("Ohio River Maine Pilots Act, Ohio", ("ohio river maine pilots act",), ["oh"]),
        ("dues in Maine", ("harbors act",), ["me"]),
    ],
)
def test_a_place_within_the_name_of_an_act_is_not_asked_for(snapshot, query, acts, codes):
    assert [one.jurisdiction for one in missing_law(snapshot.manifest, query, acts=acts)] == codes


def test_law_of_a_state_is_missing_where_that_of_a_city_is_held_alone(snapshot):
    city = next(body for body in snapshot.code_bodies if body.jurisdiction == "sample-city")
    manifest = replace(
        snapshot.manifest,
        jurisdictions=(
            *snapshot.manifest.jurisdictions,
            Jurisdiction("ca-sample", "Sample, California", "municipal", "ca"),
        ),
        code_bodies=(replace(city, jurisdiction="ca-sample", complete=True),),
    )
    query = "minimum wage in California and Texas, and in California"
    found = missing_law(manifest, query)
    assert [(one.jurisdiction, one.partly) for one in found] == [("tx", False), ("ca", True)]


def test_a_filter_by_code_asks_for_its_jurisdiction(snapshot):
    for body in snapshot.code_bodies:
        found = missing_law(snapshot.manifest, "harbor", code_body=body.id)
        assert (found == ()) == body.complete, body.key

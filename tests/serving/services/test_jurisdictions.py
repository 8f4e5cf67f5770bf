"""Jurisdictions as people name them, over the manifest of the sample law."""

from dataclasses import replace

import pytest

from serving.contract.errors import ValidationError
from serving.contract.records import Jurisdiction
from serving.services.jurisdictions import (
    code_of,
    find_jurisdiction,
    holds_law,
    missing_law,
    named_jurisdictions,
    nearest_codes,
)


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


@pytest.mark.parametrize(
    ("given", "code"),
    [("Washington, D.C.", "dc"), ("washington dc", "dc"), ("Albany, New York", "ny"), ("Evanston IL", "il")],
)
def test_the_government_behind_the_name_of_a_place_is_the_nearest(snapshot, given, code):
    assert code_of(snapshot.manifest, given) is None
    assert nearest_codes(snapshot.manifest, given)[0] == code


def test_a_name_that_two_jurisdictions_have_means_neither(snapshot):
    twice = [
        Jurisdiction(code, "Springfield", "city", code[:2]) for code in ("il-springfield", "mo-springfield")
    ]
    manifest = replace(snapshot.manifest, jurisdictions=(*snapshot.manifest.jurisdictions, *twice))
    assert code_of(manifest, "Springfield") is None
    assert code_of(manifest, "MO-Springfield") == "mo-springfield"


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
    ("query", "codes"),
    [
        ("Kansas City, Missouri noise ordinance", ["mo"]),
        ("Kansas City Missouri noise ordinance", ["mo"]),
        ("Kansas City, MO noise ordinance", ["mo"]),
        ("Kansas City MO", ["mo"]),
        ("kansas city, kansas noise", ["ks", "ks"]),
        ("Kansas City noise", ["ks"]),
        ("Washington, District of Columbia rent control", ["dc"]),
        ("Washington, D.C. rent control", ["dc"]),
        ("Washington DC rent control", ["dc"]),
        ("Austin, TX and Reno, NV", ["tx", "nv"]),
        ("Kansas City, KS", ["ks", "ks"]),
        ("Washington D.C. rent control", ["dc"]),
        ("Texas, Ohio and N.Y. dues", ["tx", "oh", "ny"]),
        ("N.Y., D.C. and Texas dues", ["ny", "dc", "tx"]),
        ("Buffalo, N.Y. dues", ["ny"]),
        ("the U.S. and Texas", ["tx"]),
        ("Washington County, Oregon", ["or"]),
        ("Indiana, Pennsylvania", ["pa"]),
        ("Nevada, Missouri parking", ["mo"]),
        ("West New York, New Jersey", ["nj"]),
        ("parking in Nevada , Missouri", ["mo"]),
        ("Virginia and Maryland", ["va", "md"]),
        ("Maryland Virginia compact", ["md", "va"]),
        ("Virginia, and Maryland", ["va", "md"]),
        ("Virginia, Maryland and Delaware", ["va", "md", "de"]),
        ("Virginia, Maryland, Delaware, or Ohio", ["va", "md", "de", "oh"]),
        ("Kansas City, Missouri and Kansas City, Kansas", ["mo", "ks", "ks"]),
        ("Kansas City, Missouri, Virginia", ["mo", "va"]),
        ("Kansas City Missouri, Virginia noise", ["mo", "va"]),
        ("Kansas City, Missouri, Virginia and Maryland", ["mo", "va", "md"]),
        ("Kansas City, Missouri, Kansas City, Kansas", ["mo", "ks", "ks"]),
        ("Washington County, Oregon, California", ["or", "ca"]),
        ("Kansas City, MO, Virginia", ["mo", "va"]),
        ("Washington, D.C., Virginia", ["dc", "va"]),
        ("Virginia, Kansas City, Missouri", ["va", "mo"]),
        ("lemon law in California, United States", ["ca", "us"]),
        ("Virginia ID card", []),
        ("Lake Michigan fishing", []),
        ("Tennessee Valley Authority rates", []),
        ("George Washington memorial parkway", []),
        ("Miranda v. Arizona warnings", []),
        ("Texas v. Johnson", ["tx"]),
        ("Ohio River pilots in Ohio", ["oh"]),
        ("New York Times copyright", []),
        ("1600 Pennsylvania Avenue", []),
        ("Michigan lake fishing", ["mi"]),
        ("rent in Ohio, river boats", ["oh"]),
        ("by the lake, Michigan law", ["mi"]),
        ("harbor, virginia", ["va"]),
    ],
)
def test_a_name_before_that_of_another_government_is_of_a_place_there(snapshot, query, codes):
    assert [one.short_code for one in named_jurisdictions(snapshot.manifest, query)] == codes


def test_a_place_before_the_name_of_the_state_that_it_lies_in_is_named(snapshot):
    city = Jurisdiction("ca-springfield", "Springfield", "city", "ca")
    manifest = replace(snapshot.manifest, jurisdictions=(*snapshot.manifest.jurisdictions, city))
    for query in ("Springfield, California noise", "Springfield, CA noise"):
        assert next(named_jurisdictions(manifest, query)) == city
    assert [one.short_code for one in named_jurisdictions(manifest, "Springfield, Ohio noise")] == ["oh"]


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

"""Jurisdictions that queries name, over the manifest of the sample law."""

from dataclasses import replace

import pytest

from serving.contract.records import Jurisdiction
from serving.services.named_jurisdictions import named_jurisdictions


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

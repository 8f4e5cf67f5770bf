"""Jurisdictions as people name them, over the manifest of the sample law."""

from dataclasses import replace

import pytest

from serving.contract.errors import ValidationError
from serving.contract.records import Jurisdiction
from serving.services.jurisdictions import (
    code_of,
    find_jurisdiction,
    holds_law,
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
        ("federal", "us"),
        ("USA", "us"),
        ("U.S.A.", "us"),
        ("United States of America", "us"),
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


@pytest.mark.parametrize("given", ["Bay Harbor, California", "Bay Harbor, CA", "bay harbor, ca."])
def test_a_place_is_named_with_the_name_or_the_code_of_what_it_lies_in(snapshot, given):
    manifest = with_place(
        snapshot, Jurisdiction("ca-bay-harbor", "Bay Harbor, California", "municipal", "ca")
    )
    assert code_of(manifest, given) == "ca-bay-harbor"


@pytest.mark.parametrize(
    "given", ["Bay Harbor", "Bay Harbor, OR", "Bay Harbor, Oregon", "Harbor, CA", "state"]
)
def test_a_part_of_a_name_and_a_name_with_another_government_mean_nothing(snapshot, given):
    manifest = with_place(
        snapshot, Jurisdiction("ca-bay-harbor", "Bay Harbor, California", "municipal", "ca")
    )
    assert code_of(manifest, given) is None


def test_a_name_that_ends_with_another_government_than_its_own_has_no_code_behind_it(snapshot):
    place = Jurisdiction("ca-new-york", "Old Town, New York", "municipal", "ca")
    manifest = with_place(snapshot, place)
    assert code_of(manifest, "Old Town, New York") == "ca-new-york"
    assert code_of(manifest, "Old Town, CA") is None
    assert code_of(manifest, "Old Town, NY") is None


def with_place(snapshot, place):
    manifest = snapshot.manifest
    return replace(manifest, jurisdictions=(*manifest.jurisdictions, place))


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

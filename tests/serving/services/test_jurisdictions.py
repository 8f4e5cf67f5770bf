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

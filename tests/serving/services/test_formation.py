"""Formation tools: requirements with the law they rest on, prices, names, and the link that hands over."""

from urllib.parse import parse_qs, urlsplit

import pytest

from serving.contract.errors import ValidationError
from serving.contract.identity import node_id
from serving.services.datasets import founding_offer
from serving.services.formation import (
    clean_entity_name,
    formation_states,
    handoff,
    name_has_any_designator,
    name_has_designator,
    price_of,
    requirements,
)
from serving.snapshot.store import open_snapshot
from tests.serving.conftest import Row

URL = "https://law.example"


def test_every_state_has_its_requirements(snapshot):
    states = formation_states(snapshot)
    assert len(states) == 51
    for state in states:
        found = requirements(snapshot, state)
        assert found.llc is not None
        assert found.llc.designators
        assert found.llc.document
        assert found.llc.act.outcome
        assert (found.state, found.price.entity_type) == (state, "llc")


def test_law_that_is_not_held_is_said(snapshot):
    llc = requirements(snapshot, "DC").llc
    assert llc is not None
    act = llc.act
    assert act.citation == "D.C. Code 29-802.01"
    # The grammar of the sample does not list the code.
    assert (act.outcome, act.provision) == ("unknown_code", None)


DISTRICT = """
[[entry]]
key = "dc-code"
name = "D.C. Code"
jurisdiction = "dc"
reader = "dc_law"
root = "/dc/code"
citation = "D.C. Code § {num}"
short_name = "D.C. Code"
publisher = "Sample Publisher"
license = "CC0-1.0"

[entry.citing]
names = ["D.C. Code"]
number = '[0-9]+-[0-9]+(?:[.][0-9]+)?'
"""


def test_law_that_is_held_is_the_node(publisher):
    publisher.register(DISTRICT)
    section = "/dc/code/29-802.01"
    law = [Row(section, None, "section", "29-802.01", "Formation", "D.C. Code § 29-802.01", "One or more.")]
    opened = open_snapshot(publisher.workspace.snapshots / publisher.publish({"dc-code": law}))
    try:
        llc = requirements(opened, "dc").llc
        assert llc is not None
        act = llc.act
        assert act.provision is not None
        assert (act.outcome, act.provision.heading) == ("found", "Formation")
        assert act.provision.node_id == str(node_id(section))
        for state in formation_states(opened):
            found = requirements(opened, state).llc
            assert found is not None
            assert all(
                act.provision is None or act.provision.jurisdiction == state
                for act in (found.act, found.name_act)
            )
    finally:
        opened.close()


@pytest.mark.parametrize("state", ["ny", " NY ", "New York"])
def test_a_state_is_known_by_code_and_name(snapshot, state):
    assert price_of(snapshot, state, "LLC").state == "ny"


@pytest.mark.parametrize(
    ("state", "entity", "parameter"), [("zz", "llc", "state"), ("dc", "trust", "entityType")]
)
def test_what_is_none_is_refused(snapshot, state, entity, parameter):
    with pytest.raises(ValidationError) as refused:
        requirements(snapshot, state, entity)
    assert refused.value.parameter == parameter


def test_less_is_known_of_nonprofits_and_that_is_said(snapshot):
    found = requirements(snapshot, "va", "nonprofit")
    assert found.llc is None
    assert not found.price.complete
    assert set(found.price.missing) == {"processing", "companion"}


def test_a_price_adds_up(snapshot):
    for state in formation_states(snapshot):
        price = price_of(snapshot, state, "llc")
        assert price.total_cents == sum(item.cents or 0 for item in price.items)


@pytest.mark.parametrize(
    ("state", "name", "fits"),
    [
        ("dc", "Harbor Works LLC", True),
        ("dc", "Harbor Works, L.L.C.", True),
        ("dc", "Harbor Works L.L.C", True),
        ("dc", "harbor works limited liability company", True),
        ("dc", "Harbor Works Ltd. Liability Co.", True),
        ("dc", "Harbor Works", False),
        ("dc", "Hallclub", False),
        ("dc", "LLCs of Harbor", False),
        ("nv", "Harbor Limited-Liability Company", True),
        ("co", "Harbor Ltd.", True),
        ("ny", "Harbor Ltd.", False),
        ("ny", "Harbor Ltd. Liability Co.", True),
        ("tx", "Harbor Ltd. Co.", True),
        ("ak", "Harbor L.C.", False),
    ],
)
def test_designators_are_judged_by_state(snapshot, state, name, fits):
    assert name_has_designator(snapshot, state, "llc", name) is fits
    assert name_has_designator(snapshot, state, "nonprofit", name)


@pytest.mark.parametrize(
    ("name", "fits"), [("Harbor L.C.", True), ("Harbor LLC", True), ("Harbor", False), ("Harbor Inc.", False)]
)
def test_a_name_is_judged_by_all_states_where_lists_are_a_floor(snapshot, name, fits):
    assert name_has_any_designator(snapshot, "llc", name) is fits
    assert name_has_any_designator(snapshot, "nonprofit", name)


def test_a_hand_off_carries_what_is_known(snapshot):
    made = handoff(snapshot, URL, state="DC", entity_name=" Harbor  Works & Söhne LLC ", naics="722330")
    parts = urlsplit(made.url)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "law.example", "/formation/start")
    assert parse_qs(parts.query) == {
        "state": ["dc"],
        "entity": ["llc"],
        "name": ["Harbor Works & Söhne LLC"],
        "naics": ["722330"],
    }
    assert made.naics is not None
    assert made.naics.title == "Mobile Food Services"
    assert made.name_hint is None
    assert made.price.total_cents == price_of(snapshot, "dc", "llc").total_cents


def test_a_hand_off_hints_at_the_name(snapshot):
    made = handoff(snapshot, URL, state="dc", entity_name="Harbor Works")
    assert made.name_hint is not None
    assert "must say that it is one" in made.name_hint
    assert "the law may allow more" in made.name_hint
    assert handoff(snapshot, URL, state="dc").url == f"{URL}/formation/start?state=dc&entity=llc"


@pytest.mark.parametrize("wrong", [{"naics": "7223"}, {"entity_name": " "}, {"entity_name": "x" * 201}])
def test_a_hand_off_of_nonsense_is_refused(snapshot, wrong):
    with pytest.raises(ValidationError):
        handoff(snapshot, URL, state="dc", **wrong)


def test_names_are_folded_and_bounded():
    assert clean_entity_name("  Harbor \n Works ") == "Harbor Works"
    with pytest.raises(ValidationError):
        clean_entity_name("Harbor\x00Works")


def test_an_offer_ends_with_its_cohort(snapshot):
    whole = founding_offer(snapshot, taken=0)
    assert whole is not None
    assert whole.remaining == whole.cap
    assert founding_offer(snapshot, taken=whole.cap) is None

"""The price list: what its totals say of charges that are known in part, and of whom a charge is due."""

from pathlib import Path

import pytest

from assets.formation.operator import load_operator
from assets.formation.prices import price_list
from assets.formation.states import load_states

DATA = Path(__file__).parents[3] / "datasets" / "formation"


@pytest.fixture(scope="module")
def states():
    return load_states(DATA, load_operator(DATA / "operator.toml"))


@pytest.fixture(scope="module")
def prices(states):
    answer = price_list(states, load_operator(DATA / "operator.toml"))
    return {(entry["state"], entry["entityType"]): entry for entry in answer["prices"]}


@pytest.mark.parametrize(
    ("state", "item", "cents"), [("ny", "companion", 5000), ("tn", "filing", 30000)], ids=["ny", "tn"]
)
def test_a_total_does_not_hide_what_comes_on_top(prices, state, item, cents):
    entry = prices[state, "llc"]
    (found,) = [one for one in entry["items"] if one["item"] == item]
    assert found["cents"] == cents
    assert entry["total"]["missing"] == [item]
    assert not entry["total"]["complete"]
    assert entry["total"]["cents"] == sum(one["cents"] for one in entry["items"])


def test_an_llc_is_charged_for_publication_only_where_it_publishes(states, prices):
    for state in states.states:
        (companion,) = [one for one in prices[state.code, "llc"]["items"] if one["item"] == "companion"]
        if "newspaper" in (companion["what"] or ""):
            assert state.llc.publication, state.code

"""The checks of formation data: they pass on what is published, and see what is broken in it."""

import copy
from datetime import date
from pathlib import Path

import pytest

from assets.formation import checks, validate
from assets.formation.operator import load_operator
from assets.formation.prices import price_list, requirements_answer
from assets.formation.providers import comparison_answer, load_comparison
from assets.formation.states import load_states
from assets.workspace import Workspace
from tests.formation import add_formation

DATA = Path(__file__).parents[3] / "datasets" / "formation"
TODAY = date(2026, 11, 21)


@pytest.fixture
def comparison():
    return load_comparison(DATA)


@pytest.fixture
def compared(comparison):
    return comparison_answer(comparison)


@pytest.fixture
def operator():
    return load_operator(DATA / "operator.toml")


@pytest.fixture
def states(operator):
    return load_states(DATA, operator)


@pytest.fixture
def priced(states, operator):
    return price_list(states, operator)


@pytest.fixture
def workspace(tmp_path, encoder_folder):
    workspace = Workspace(tmp_path / "work", DATA.parent, tmp_path / "snapshots")
    workspace.root.mkdir()
    workspace.encoder.symlink_to(encoder_folder)
    add_formation(workspace, encoder_folder)
    return workspace


@pytest.mark.parametrize(
    "check",
    [
        checks.every_provider_is_compared,
        checks.scores_recompute,
        checks.facts_have_sources,
        checks.every_state_is_priced,
        checks.totals_add_up,
        checks.charges_have_sources,
        checks.naics_codes_are_whole,
    ],
)
def test_what_is_published_passes(workspace, check):
    verdict = check(workspace)
    assert verdict.examined
    assert not verdict.findings


def codes_of(verdict):
    return {finding.code for finding in verdict.findings}


def test_a_provider_or_a_fact_that_is_missing_is_seen(compared, comparison):
    broken = copy.deepcopy(compared)
    del broken["providers"][3]["facts"]["mcpServer"]
    assert codes_of(validate.every_provider_is_there(broken, comparison.rubric)) == {"fact_missing"}
    del broken["providers"][3]
    assert codes_of(validate.every_provider_is_there(broken, comparison.rubric)) == {"providers_wrong"}


def test_a_publisher_that_is_not_marked_is_seen(compared, comparison):
    broken = copy.deepcopy(compared)
    for provider in broken["providers"]:
        provider["isPublisher"] = False
    assert codes_of(validate.every_provider_is_there(broken, comparison.rubric)) == {"publisher_wrong"}


def test_a_score_that_does_not_follow_is_seen(compared, comparison):
    broken = copy.deepcopy(compared)
    broken["providers"][0]["score"] = 50
    broken["providers"][1]["unknownWeight"] += 1
    verdict = validate.scores_recompute(broken, comparison.rubric)
    assert [finding.code for finding in verdict.findings] == ["score_differs", "score_differs"]


@pytest.mark.parametrize(
    "change",
    [
        {"source": None},
        {"source": "see their page"},
        {"date": None},
        {"date": "last year"},
        {"value": None},
        {"status": "recalled"},
        {"status": "unknown"},
        {"pageDate": "undated"},
    ],
)
def test_an_unsound_fact_is_seen(compared, change):
    facts = validate.facts_of_comparison(compared)
    where, fact, value = next(entry for entry in facts if entry[1]["status"] == "reported")
    assert codes_of(validate.sources_are_sound([(where, {**fact, **change}, value)])) == {"fact_unsound"}


def test_a_total_that_does_not_add_up_is_seen(priced):
    broken = copy.deepcopy(priced)
    entries = broken["prices"]
    entries[0]["total"]["cents"] += 1
    entries[2]["total"]["status"] = "verified"
    entries[4]["total"]["complete"] = not entries[4]["total"]["complete"]
    found = [finding.code for finding in validate.totals_add_up(broken).findings]
    assert found == ["total_wrong", "status_wrong", "total_incomplete"]


def test_a_state_without_a_price_is_seen(priced, states):
    broken = {**priced, "prices": priced["prices"][1:]}
    assert codes_of(validate.every_state_is_priced(broken, requirements_answer(states))) == {"price_missing"}


def test_old_facts_are_warned_of(priced):
    facts = validate.facts_of_prices(priced)
    assert not validate.facts_are_fresh(facts, today=TODAY).findings
    late = validate.facts_are_fresh(facts, today=date(2028, 1, 1))
    assert codes_of(late) == {"fact_stale"}
    assert late.passed


def test_codes_that_are_missing_or_orphaned_are_seen():
    codes = [{"code": "11", "title": "A", "terms": []}, {"code": "2213", "title": "B", "terms": []}]
    found = codes_of(validate.naics_is_whole(codes, (0, 3), 3))
    assert {"codes_wrong", "code_orphaned"} <= found
    assert "vectors_wrong" in codes_of(validate.naics_is_whole(codes, (1, 3), 3))


def test_an_operator_files_where_it_says(tmp_path, operator):
    only = tmp_path / "operator.toml"
    text = (DATA / "operator.toml").read_text(encoding="utf-8")
    only.write_text(text.replace('states = "all"', 'states = ["DC", "va"]'), encoding="utf-8")
    chosen = load_states(DATA, load_operator(only))
    assert [state.code for state in chosen.states] == ["dc", "va"]
    assert len(price_list(chosen, operator)["prices"]) == 4

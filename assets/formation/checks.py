"""Checks of formation: nothing of the free datasets is published that does not add up or has no source."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import orjson

from assets.checking import artefact_check
from assets.findings import Verdict
from assets.formation import validate
from assets.formation.assets import formation_prices, naics_table, provider_comparison
from assets.formation.providers import load_comparison
from assets.workspace import Workspace
from serving.contract import layout
from serving.encoder.config import load_config


def every_provider_is_compared(workspace: Workspace) -> Verdict:
    """Count providers and facts."""
    return validate.every_provider_is_there(
        _answer(workspace, "provider_comparison", layout.LLC_SERVICES),
        load_comparison(workspace.formation).rubric,
    )


def scores_recompute(workspace: Workspace) -> Verdict:
    """Score again."""
    return validate.scores_recompute(
        _answer(workspace, "provider_comparison", layout.LLC_SERVICES),
        load_comparison(workspace.formation).rubric,
    )


def facts_have_sources(workspace: Workspace) -> Verdict:
    """Look at every fact's status, source and date."""
    return validate.sources_are_sound(validate.facts_of_comparison(_comparison(workspace)))


def facts_are_fresh(workspace: Workspace) -> Verdict:
    """Look at every fact's age."""
    facts = validate.facts_of_comparison(_comparison(workspace))
    return validate.facts_are_fresh(facts, today=datetime.now(UTC).date())


def every_state_is_priced(workspace: Workspace) -> Verdict:
    """Count states and types of entity."""
    return validate.every_state_is_priced(
        _prices(workspace), _answer(workspace, "formation_prices", layout.FORMATION_REQUIREMENTS)
    )


def totals_add_up(workspace: Workspace) -> Verdict:
    """Add up again."""
    return validate.totals_add_up(_prices(workspace))


def charges_have_sources(workspace: Workspace) -> Verdict:
    """Look at every charge's status, source and date."""
    return validate.sources_are_sound(validate.facts_of_prices(_prices(workspace)))


def charges_are_fresh(workspace: Workspace) -> Verdict:
    """Look at every charge's age."""
    facts = validate.facts_of_prices(_prices(workspace))
    return validate.facts_are_fresh(facts, today=datetime.now(UTC).date())


def naics_codes_are_whole(workspace: Workspace) -> Verdict:
    """Count codes, follow the hierarchy and measure the vectors."""
    codes = _answer(workspace, "naics_table", layout.NAICS_CODES)["codes"]
    vectors = np.load(workspace.artefact("naics_table") / layout.NAICS_VECTORS, mmap_mode="r")
    return validate.naics_is_whole(codes, vectors.shape, load_config(workspace.encoder).dimension)


def _comparison(workspace: Workspace) -> dict[str, Any]:
    return _answer(workspace, "provider_comparison", layout.LLC_SERVICES)


def _prices(workspace: Workspace) -> dict[str, Any]:
    return _answer(workspace, "formation_prices", layout.FORMATION_PRICES)


def _answer(workspace: Workspace, artefact: str, name: str) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads((workspace.artefact(artefact) / f"{name}.json").read_bytes())
    return content


CHECKS = [
    artefact_check(
        provider_comparison,
        every_provider_is_compared,
        description="All 19 providers are compared in every fact, and the publisher is marked as such.",
    ),
    artefact_check(
        provider_comparison,
        scores_recompute,
        description="The scores follow from the published facts by the rubric, whose weights make 100.",
    ),
    artefact_check(
        provider_comparison,
        facts_have_sources,
        description="What is known has a source and a day; what is not known has no value.",
    ),
    artefact_check(
        provider_comparison,
        facts_are_fresh,
        description="No fact was looked up more than a year ago.",
        blocking=False,
    ),
    artefact_check(
        formation_prices,
        every_state_is_priced,
        description="Each state has a price for an LLC and a nonprofit, and what an LLC takes there.",
    ),
    artefact_check(
        formation_prices,
        totals_add_up,
        description="Totals are the sum of their items, and as well known as the least known of them.",
    ),
    artefact_check(
        formation_prices,
        charges_have_sources,
        description="A charge that is reported or verified has a source and a day.",
    ),
    artefact_check(
        formation_prices,
        charges_are_fresh,
        description="No charge was looked up more than a year ago.",
        blocking=False,
    ),
    artefact_check(
        naics_table,
        naics_codes_are_whole,
        description="All 2,125 codes are there, each under another, and each phrase has its vector.",
    ),
]

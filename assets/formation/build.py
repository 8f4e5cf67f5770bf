"""Write the artefacts of formation: ready answers and the NAICS table, each into an empty folder."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from assets.errors import BuildError
from assets.formation.naics import codes_answer, load_codes, phrases
from assets.formation.operator import load_operator
from assets.formation.prices import price_list, requirements_answer
from assets.formation.providers import comparison_answer, load_comparison
from assets.formation.states import load_states
from assets.progress import Advance
from assets.text.phrases import encode_phrases
from assets.workspace import Workspace
from serving.contract import layout
from serving.encoder.config import query_folder
from serving.encoder.encoder import open_encoder

BUILT = "built.json"
"""Beside the NAICS table: the hash of the encoder that made its vectors."""


def build_comparison(workspace: Workspace, destination: Path) -> dict[str, int]:
    """Write the comparison of providers; return counts."""
    comparison = load_comparison(workspace.formation)
    answer = comparison_answer(comparison)
    _write(destination, layout.LLC_SERVICES, answer)
    facts = [fact for provider in comparison.providers for fact in provider.facts.values()]
    return {
        "providers": len(comparison.providers),
        "scored": sum(provider["score"] is not None for provider in answer["providers"]),
        "facts": len(facts),
        "facts known": sum(fact.value is not None for fact in facts),
    }


def build_prices(workspace: Workspace, destination: Path) -> dict[str, int]:
    """Write the price list and the requirements; return counts."""
    operator = load_operator(workspace.formation / "operator.toml")
    states = load_states(workspace.formation, operator)
    answer = price_list(states, operator)
    _write(destination, layout.FORMATION_PRICES, answer)
    _write(destination, layout.FORMATION_REQUIREMENTS, requirements_answer(states))
    return {
        "states": len(states.states),
        "prices": len(answer["prices"]),
        "complete": sum(price["total"]["complete"] for price in answer["prices"]),
    }


def build_naics(
    workspace: Workspace, destination: Path, *, progress: Advance = lambda _done, _total: None
) -> dict[str, int]:
    """Write the NAICS table and its vectors, made with the workspace's encoder of queries; return counts."""
    codes = load_codes(workspace.formation)
    # A description of a business is as short as a query, and they are compared with each other.
    encoder = open_encoder(query_folder(workspace.encoder))
    vectors = encode_phrases(phrases(codes), encoder, workspace.embedding_cache, progress=progress)
    _write(destination, layout.NAICS_CODES, codes_answer(codes))
    with (destination / layout.NAICS_VECTORS).open("wb") as file:
        np.save(file, vectors)
    (destination / BUILT).write_text(json.dumps({"encoder": encoder.sha256}) + "\n", encoding="utf-8")
    return {"codes": len(codes.codes), "phrases": len(vectors)}


def require_encoder(folder: Path, sha256: str) -> None:
    """Refuse a NAICS table whose vectors another encoder made.

    Raises:
        BuildError: it is such a one, or it was not built.
    """
    try:
        made_by = json.loads((folder / BUILT).read_bytes())["encoder"]
    except FileNotFoundError:
        raise BuildError(f"{folder} holds no finished artefact: build {folder.name} first.") from None
    if made_by != sha256:
        raise BuildError(f"{folder.name} was made with another encoder: build it again.")


def _write(destination: Path, name: str, answer: dict[str, Any]) -> None:
    (destination / f"{name}.json").write_bytes(orjson.dumps(answer))

"""The grammar of the reviewed data, and canonical citations of real law where the shared data is at hand."""

import tomllib
from pathlib import Path

import pytest

from assets.registry import load_registry, reviewed_acts
from serving.contract.citations import CitationScheme, Grammar, PopularName, schemes_of_tables

DATASETS = Path(__file__).resolve().parents[4] / "datasets"


def reviewed_schemes() -> list[CitationScheme]:
    registry = load_registry(DATASETS / "registry")
    held = [scheme for body in registry.code_bodies for scheme in body.citation_schemes()]
    return [*held, *schemes_of_tables(_tables("other_codes.toml", "code"))]


def reviewed_names() -> list[PopularName]:
    acts = reviewed_acts(tomllib.loads((DATASETS / "citations" / "popular_names.toml").read_text()))
    return [name for act in acts for name in act.popular_names()]


def _tables(file: str, name: str) -> list[dict[str, object]]:
    tables: list[dict[str, object]] = tomllib.loads((DATASETS / "citations" / file).read_text())[name]
    return tables


@pytest.fixture(scope="session")
def grammar() -> Grammar:
    return Grammar(reviewed_schemes(), reviewed_names())

"""The grammar of the reviewed data, and canonical citations of real law where the shared data is at hand."""

from pathlib import Path

import pytest

from assets.registry import Citing, load_citing, load_registry
from serving.contract.citations import CitationScheme, Grammar, PopularName

DATASETS = Path(__file__).resolve().parents[4] / "datasets"


def reviewed_citing() -> Citing:
    """Return what is known of citing, as if every code body of the registry were held."""
    registry = load_registry(DATASETS / "registry")
    return load_citing(DATASETS / "citations", registry, [body.key for body in registry.code_bodies])


def reviewed_schemes() -> list[CitationScheme]:
    return list(reviewed_citing().schemes)


def reviewed_names() -> list[PopularName]:
    return list(reviewed_citing().popular_names)


@pytest.fixture(scope="session")
def grammar() -> Grammar:
    return Grammar(reviewed_schemes(), reviewed_names())

"""The table of dialects: every name of the registry leads to a reader with its oracle."""

from pathlib import Path

import pytest

from assets.errors import RegistryError
from assets.ingest.readers import dialect
from assets.registry import load_registry


def test_every_code_body_of_the_registry_has_a_reader_and_an_oracle() -> None:
    registry = load_registry(Path(__file__).parents[3] / "datasets" / "registry")
    for body in registry.code_bodies:
        known = dialect(body.reader)
        assert callable(known.reader.read)
        assert callable(known.account)


def test_an_unknown_reader_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RegistryError, match="No reader 'ecfr'; known: uslm, dc_law"):
        dialect("ecfr")

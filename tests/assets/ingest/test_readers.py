"""The table of dialects: every name of the registry leads to a reader with its oracle."""

import re
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
        assert callable(known.oracle(body))
        assert callable(known.follow_links)
        assert callable(known.named_section)


def test_nothing_but_the_table_knows_a_format_by_its_name() -> None:
    assets = Path(__file__).parents[3] / "assets"
    own = {assets / "ingest" / "readers.py", *(assets / "ingest" / "formats").glob("*.py")}
    named = re.compile(r"[\"'](?:uslm|dc_law|open_law|unicourt|ecfr)[\"']")
    others = set(assets.rglob("*.py")) - own
    assert not [path for path in others if named.search(path.read_text(encoding="utf-8"))]


def test_an_unknown_reader_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RegistryError, match="No reader 'toy'; known: uslm, dc_law"):
        dialect("toy")

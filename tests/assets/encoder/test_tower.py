"""The query tower: written small, read true, and put to use for queries alone."""

from pathlib import Path

import numpy as np
import pytest

from assets.encoder.build import build_encoder
from assets.encoder.tower import QueryTower, load_tower, save_tower
from assets.encoder.weights import find_model_folder, load_weights
from assets.errors import BuildError
from serving.encoder.config import file_sha256, query_folder
from serving.encoder.encoder import open_encoder
from tests.conftest import QUERY_TOWER

QUERY = "my landlord will not give my deposit back"


def _tower(base: str) -> QueryTower:
    chance = np.random.default_rng(3)
    weights, _ = load_weights(find_model_folder())
    names = ("encoder.layer.5.output.dense.bias", "encoder.layer.5.output.dense.weight")
    differences = {name: (chance.normal(size=weights[name].shape) / 50).astype(np.float32) for name in names}
    return QueryTower(differences, {"base": base, "date": "2026-11-28"})


def test_a_tower_is_read_as_it_was_written(tmp_path: Path) -> None:
    tower = _tower("abc")
    save_tower(tmp_path / "tower", tower)
    read = load_tower(tmp_path / "tower")
    assert read.about == tower.about
    assert read.differences.keys() == tower.differences.keys()
    for name, added in tower.differences.items():
        # A step of eight bits is a 127th of the largest of a row.
        assert np.abs(read.differences[name] - added).max() <= np.abs(added).max() / 127
    weights, _ = load_weights(find_model_folder())
    applied = read.applied_to(weights)
    assert applied.keys() == weights.keys()
    changed = [name for name in weights if not np.array_equal(applied[name], weights[name])]
    assert sorted(changed) == sorted(tower.differences)


@pytest.mark.parametrize("content", [None, b"", b"no tower", b"\x40" + bytes(200)])
def test_what_is_no_tower_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "tower").write_bytes(content)
    with pytest.raises(BuildError, match=str(tmp_path / "tower")):
        load_tower(tmp_path / "tower")


def test_a_tower_for_other_weights_is_refused(tmp_path: Path) -> None:
    save_tower(tmp_path / "tower", _tower("0" * 64))
    with pytest.raises(BuildError, match="was trained for other weights"):
        build_encoder(tmp_path / "encoder", tmp_path / "tower")


def test_queries_alone_are_encoded_by_the_tower(encoder_folder: Path, tmp_path: Path) -> None:
    plain = build_encoder(tmp_path / "encoder", tmp_path / "none")
    assert plain.queries is None
    assert query_folder(tmp_path / "encoder") == tmp_path / "encoder"
    report = build_encoder(encoder_folder, QUERY_TOWER)
    passages, queries = open_encoder(encoder_folder), open_encoder(query_folder(encoder_folder))
    assert plain.sha256 == report.sha256 == passages.sha256
    assert report.queries == queries.sha256 != passages.sha256
    assert 0.5 < float(queries.encode_query(QUERY) @ passages.encode_query(QUERY)) < 0.99


def test_the_shipped_tower_is_for_the_weights_that_are_installed() -> None:
    about = load_tower(QUERY_TOWER).about
    assert about["base"] == file_sha256(find_model_folder() / "model.safetensors")
    readme = (QUERY_TOWER.parent / "README.md").read_text(encoding="utf-8")
    for figure in (file_sha256(QUERY_TOWER), about["date"], f"{about['questions']:,}", f"{about['steps']:,}"):
        assert str(figure) in readme
    assert QUERY_TOWER.stat().st_size <= 50_000_000

"""The keyword index and the vector index as they are built."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow.parquet as pq
import pytest
from lancedb.index import HnswSq, IvfRq

from assets.errors import BuildError
from assets.registry import Registry
from assets.search import vector
from assets.search.keyword import build_keyword_index, scope_upwards
from assets.search.recall import known_item_recall
from assets.search.vector import build_vector_index
from assets.selection.selection import Selection, load_selection
from assets.workspace import Workspace
from serving.contract import indexes
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import PASSAGE_VECTORS, VECTOR_CODES, VECTOR_TABLE
from serving.contract.records import Jurisdiction
from serving.snapshot.filters import Filters
from serving.snapshot.vector import VectorIndex
from serving.snapshot.vector_opening import open_vectors


@pytest.fixture
def selection(small_workspace: Workspace, registry: Registry) -> Selection:
    """The selection of the small workspace."""
    return load_selection(small_workspace, registry)


def _open(folder: Path, selection: Selection) -> VectorIndex:
    return open_vectors(
        folder / "vectors",
        selection.numbering.chunk_nodes,
        jurisdictions=selection.jurisdictions,
        dimension=384,
        passing=lambda _: np.ones(len(selection), bool),
    )


def test_the_keyword_index_holds_every_node_in_one_segment(selection: Selection, tmp_path: Path) -> None:
    seen: list[int] = []
    counts = build_keyword_index(selection, tmp_path, progress=seen.append)
    assert counts == {"documents": 12, "segments": 1}
    assert sum(seen) == 12
    assert json.loads((tmp_path / "built.json").read_bytes())["inputs"] == {
        "provisions": selection.inputs.provisions
    }


def test_a_scope_includes_what_a_place_is_a_part_of() -> None:
    places = (
        Jurisdiction("il", "Illinois", "state", None),
        Jurisdiction("il-cook", "Cook County", "county", "il"),
        Jurisdiction("il-chicago", "Chicago", "municipal", "il-cook"),
    )
    assert scope_upwards("il-chicago", places) == ("il-chicago", "il-cook", "il")
    assert scope_upwards("il", places) == ("il",)


def test_a_small_vector_index_compares_every_vector(selection: Selection, tmp_path: Path) -> None:
    counts = build_vector_index(selection, tmp_path)
    assert counts == {"vectors": selection.chunks.num_rows, "dimension": 384, "lists": 0}
    index = _open(tmp_path, selection)
    assert not index.indexed
    verdict = known_item_recall(index, selection, sample=20)
    assert verdict.passed
    assert verdict.measured["recall"] == 1.0
    assert verdict.examined == min(20, selection.chunks.num_rows)


def test_vectors_are_found_under_the_rows_of_their_chunks(selection: Selection, tmp_path: Path) -> None:
    build_vector_index(selection, tmp_path)
    index = _open(tmp_path, selection)
    embeddings = np.concatenate([np.load(entry.embeddings) for entry in selection.bodies])
    numbering = selection.numbering
    for row, position in enumerate(numbering.chunk_positions.tolist()):
        (hit,) = index.search(embeddings[position], filters=Filters(statuses=()), limit=1)
        assert hit.node_row == numbering.chunk_nodes[row]
        assert hit.distance == pytest.approx(0, abs=1e-3)


@pytest.fixture(params=[False, True], ids=["table", "codes"])
def coded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the few chunks of the selection have codes, as many have."""
    if request.param:
        monkeypatch.setattr(vector, "CODED_FROM", 5)
    return bool(request.param)


def test_codes_find_nearly_all(selection: Selection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "CODED_FROM", 5)
    assert build_vector_index(selection, tmp_path)["lists"] == 1
    assert (tmp_path / "vectors" / VECTOR_CODES).exists()
    index = _open(tmp_path, selection)
    assert index.indexed
    assert known_item_recall(index, selection, sample=20).passed


def test_cosines_are_exact_by_codes_and_by_the_table(
    coded: bool, selection: Selection, tmp_path: Path
) -> None:
    build_vector_index(selection, tmp_path)
    embeddings = np.concatenate([np.load(entry.embeddings) for entry in selection.bodies]).astype(np.float32)
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    query = 3 * embeddings[0] + embeddings[-1]
    exact = embeddings[selection.numbering.chunk_positions] @ (query / np.linalg.norm(query))
    every = np.arange(len(exact))[::-1]
    index = _open(tmp_path, selection)
    assert index.indexed == coded
    hits = index.search(query, filters=Filters(statuses=()), limit=5)
    assert [1 - hit.distance for hit in hits] == pytest.approx(
        [exact[hit.chunk_row] for hit in hits], abs=1e-5
    )
    assert index.passages.similarity(query, every) == pytest.approx(exact[::-1], abs=1e-5)
    assert index.passages.similarity(query, every[:0]).shape == (0,)


@pytest.mark.parametrize(
    "config",
    [
        HnswSq(distance_type="cosine", num_partitions=1),
        IvfRq(distance_type="cosine", num_partitions=1, num_bits=1),
    ],
    ids=["graph", "codes"],
)
def test_snapshots_of_earlier_builds_find_the_same(
    config: Any, selection: Selection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_vector_index(selection, tmp_path)
    embeddings = np.concatenate([np.load(entry.embeddings) for entry in selection.bodies]).astype(np.float32)
    query = 3 * embeddings[0] + embeddings[-1]
    exact = _open(tmp_path, selection).search(query, filters=Filters(statuses=()), limit=5)
    table = lancedb.connect(str(tmp_path / "vectors")).open_table(VECTOR_TABLE)
    table.create_index(indexes.VECTOR, config=config)
    monkeypatch.setattr("serving.contract.indexes.lists_of_codes", lambda _rows: 1)
    for present in (True, False):
        if not present:
            (tmp_path / "vectors" / PASSAGE_VECTORS).unlink()
        index = _open(tmp_path, selection)
        assert index.indexed
        assert index.search(query, filters=Filters(statuses=()), limit=5) == exact


def test_vectors_of_another_snapshot_are_refused(coded: bool, selection: Selection, tmp_path: Path) -> None:
    build_vector_index(selection, tmp_path)
    np.save(tmp_path / "vectors" / PASSAGE_VECTORS, np.zeros((3, 384), np.float16))
    with pytest.raises(SnapshotCorruptError, match="holds float16"):
        _open(tmp_path, selection)


def test_poor_recall_fails_the_check(selection: Selection, tmp_path: Path) -> None:
    build_vector_index(selection, tmp_path)
    verdict = known_item_recall(_open(tmp_path, selection), selection, sample=20, floor=1.1)
    assert {finding.code for finding in verdict.findings} == {"recall_low"}
    assert not verdict.passed


@pytest.mark.parametrize(
    "spoil", [lambda array: array[:-1], lambda array: array.astype(np.float32), lambda array: array[:, 0]]
)
def test_embeddings_that_do_not_fit_are_refused(
    spoil: Callable[[np.ndarray], np.ndarray], selection: Selection, tmp_path: Path
) -> None:
    original = np.load(selection.bodies[0].embeddings)
    spoiled = tmp_path / "embeddings.npy"
    np.save(spoiled, spoil(original))
    bodies = (replace(selection.bodies[0], embeddings=spoiled), *selection.bodies[1:])
    with pytest.raises(BuildError, match="encode again"):
        build_vector_index(replace(selection, bodies=bodies), tmp_path)


def test_a_selection_of_nothing_is_refused(tmp_path: Path, registry: Registry) -> None:
    empty = Workspace(tmp_path, tmp_path, tmp_path)
    with pytest.raises(BuildError, match="nothing to publish"):
        load_selection(empty, registry)
    with pytest.raises(BuildError, match="build the code body us-usc first"):
        load_selection(empty, registry, ["us-usc"])


def test_selected_bodies_are_in_the_order_of_their_keys(selection: Selection) -> None:
    assert [entry.body.key for entry in selection.bodies] == ["sample-city-code", "sample-code"]
    assert [entry.first for entry in selection.bodies] == [0, 3]
    table = pq.read_table(selection.bodies[1].folder / "provisions.parquet", columns=["identifier"])
    assert selection.provisions.column("identifier").to_pylist()[3:] == table.column(0).to_pylist()

"""Questions of a snapshot: the nearest, whatever is filtered, and those of given provisions."""

from pathlib import Path

import numpy as np
import pytest

from serving.contract.errors import SnapshotCorruptError
from serving.snapshot.filters import Filters, NodeFilter
from serving.snapshot.questions import QuestionIndex
from serving.snapshot.store import Snapshot

ASKED = "how long until i get my bond back after i move out"


def _nearest(snapshot, query, limit=10, **filters):
    vector = snapshot.encoder.encode_query(query)
    found = snapshot.questions.nearest(vector, filters=Filters(**filters), limit=limit)
    return [snapshot.nodes.citation(provision.node_row) for provision in found], found


def test_a_provision_is_found_once_by_its_nearest_question(snapshot):
    cited, found = _nearest(snapshot, ASKED)
    assert cited == ["1 Sample Code § 102", "Sample City Code § 29-102"]
    vector = snapshot.encoder.encode_query(ASKED)
    exact = snapshot.encoder.encode_query("when do i get my bond back after moving out")
    cosine = vector @ exact / np.linalg.norm(vector) / np.linalg.norm(exact)
    assert found[0].cosine == pytest.approx(cosine, abs=2e-3)
    assert _nearest(snapshot, ASKED, limit=1)[0] == cited[:1]


def test_none_is_farther_than_the_least_cosine(snapshot):
    vector = snapshot.encoder.encode_query(ASKED)
    every = snapshot.questions.nearest(vector, filters=Filters(), limit=10)
    for place, provision in enumerate(every):
        least = provision.cosine
        assert (
            snapshot.questions.nearest(vector, filters=Filters(), limit=10, least=least) == every[: place + 1]
        )
        above = float(np.nextafter(least, 2))
        assert snapshot.questions.nearest(vector, filters=Filters(), limit=10, least=above) == every[:place]


@pytest.mark.parametrize(
    ("filters", "cited"),
    [
        ({"jurisdiction": "sample"}, ["1 Sample Code § 102", "Sample City Code § 29-102"]),
        ({"jurisdiction": "us"}, []),
        ({"jurisdiction": "sample-city"}, ["Sample City Code § 29-102"]),
        ({"level": "chapter"}, []),
        ({"tag": "fees"}, ["Sample City Code § 29-102"]),
        ({"tag": "water"}, []),
        ({"statuses": ("repealed",)}, ["1 Sample Code § 103"]),
        (
            {"statuses": ()},
            ["1 Sample Code § 102", "1 Sample Code § 103", "Sample City Code § 29-102"],
        ),
    ],
)
def test_filters_hold_before_the_search(snapshot, filters, cited):
    assert _nearest(snapshot, ASKED, **filters)[0] == cited


def test_a_filter_by_code_body_holds(snapshot):
    (entry,) = (entry for entry in snapshot.manifest.code_bodies if entry.key == "sample-city-code")
    assert _nearest(snapshot, ASKED, code_body=entry.id)[0] == ["Sample City Code § 29-102"]


def test_each_provision_has_the_cosine_of_its_nearest_question(snapshot):
    vector = snapshot.encoder.encode_query(ASKED)
    rows = np.arange(len(snapshot.nodes))
    cosines = snapshot.questions.likeness(vector, rows).best
    for provision in snapshot.questions.nearest(vector, filters=Filters(statuses=()), limit=10):
        assert cosines[provision.node_row] == pytest.approx(provision.cosine, abs=1e-5)
        cosines[provision.node_row] = 0
    assert not cosines.any()


def test_the_five_nearest_questions_of_a_provision_count_together(snapshot, tmp_path):
    chance = np.random.default_rng(5)
    counts = {0: 3, 2: 5, 3: 9, 5: 1}
    nodes = np.repeat(list(counts), list(counts.values())).astype(np.uint32)
    vectors = chance.normal(size=(len(nodes), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", nodes)
    index, vector = _index(tmp_path, snapshot), chance.normal(size=384).astype(np.float32)
    rows = np.array([5, 1, 3, 0, 2])
    likeness = index.likeness(vector, rows)
    for row, best, five in zip(rows, *likeness, strict=True):
        cosines = np.sort(vectors[nodes == row] @ vector / np.linalg.norm(vector))[::-1]
        assert five == pytest.approx(cosines[:5].sum() / 5, abs=1e-6)
        assert best == pytest.approx(cosines.max(initial=-1.0) if len(cosines) else 0.0, abs=1e-6)


def _index(folder: Path, snapshot: Snapshot) -> QuestionIndex:
    passing = NodeFilter(snapshot.nodes, snapshot.manifest.jurisdictions).passing
    return QuestionIndex(folder, len(snapshot.nodes), passing=passing, dimension=384)


def test_a_snapshot_of_an_earlier_build_has_no_questions(snapshot, tmp_path):
    index = _index(tmp_path / "questions", snapshot)
    vector = np.ones(384, np.float32)
    assert len(index) == 0
    assert index.nearest(vector, filters=Filters(), limit=5) == []
    likeness = index.likeness(vector, np.arange(3))
    assert not likeness.best.any()
    assert not likeness.five.any()


@pytest.mark.parametrize(
    ("vectors", "nodes"),
    [
        (np.zeros((2, 384), np.float32), np.array([1], np.uint32)),
        (np.zeros((2, 12), np.float32), np.array([1, 2], np.uint32)),
        (np.zeros((2, 384), np.float32), np.array([2, 1], np.uint32)),
        (np.zeros((1, 384), np.float32), np.array([10**6], np.uint32)),
        (None, np.array([1], np.uint32)),
    ],
)
def test_files_that_do_not_fit_are_refused(snapshot, tmp_path, vectors, nodes):
    if vectors is not None:
        np.save(tmp_path / "vectors.npy", vectors)
    np.save(tmp_path / "nodes.npy", nodes)
    with pytest.raises(SnapshotCorruptError, match=r"holds"):
        _index(tmp_path, snapshot)

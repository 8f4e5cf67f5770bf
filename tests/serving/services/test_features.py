"""Features of candidates: what each says of a provision, on a real snapshot."""

from functools import partial

import numpy as np
import pytest

from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.services.citations.leads import NO_LEADS, Leads
from serving.services.features import _asked_of, _highest, describe
from serving.services.fusion import merge
from serving.services.opening import open_warm
from serving.services.search import nearest
from serving.snapshot.filters import Filters


def _described(snapshot, query, leads=NO_LEADS):
    near = nearest(snapshot, query, Filters())
    words = snapshot.keyword.candidates(query, filters=Filters(), limit=50)
    candidates = merge(words, [hit.node_row for hit in near.hits], [], leads)
    found = describe(snapshot, query, near.vector, candidates)
    columns = dict(zip(FEATURES, found.features.T, strict=True))
    return candidates, columns, dict(zip(QUERY_FEATURES, found.query, strict=True))


@pytest.fixture
def described(snapshot):
    return partial(_described, snapshot)


@pytest.fixture
def asked_of(small_snapshot):
    """A snapshot with questions that lead."""
    opened = open_warm(small_snapshot)
    yield opened
    opened.close()


@pytest.mark.parametrize("size", [1, 4, 5, 6, 50])
def test_the_highest_are_those_of_a_stable_order(size):
    values = np.random.default_rng(size).integers(0, 8, size).astype(np.float32)  # many are equal
    assert _highest(values, 5).tolist() == np.argsort(-values, kind="stable")[:5].tolist()


def test_the_provision_that_is_meant_stands_out(described, snapshot):
    candidates, columns, query = described("fair use of a protected work")
    place = next(
        place for place, row in enumerate(candidates.rows) if snapshot.nodes.heading(row) == "Fair use"
    )
    for name in ("cosine", "echo_cosine", "relevance", "held", "in_heading"):
        assert columns[name][place] == columns[name].max()
    assert columns["cosine_gap"][place] == columns["relevance_gap"][place] == 0
    assert query["best_cosine"] == columns["cosine"].max()
    assert query["best_held"] == pytest.approx(1)


def test_every_value_is_finite_and_of_moderate_size(described):
    for query in ("permit", "how do i get a permit", "§ 7", "zanzibar permit fee harbor"):
        _, columns, asked = described(query)
        for values in columns.values():
            assert np.isfinite(values).all()
            assert np.abs(values).max() < 20
        assert asked["one"] == 1
    assert described("how do i get a permit")[2]["asks"] == 1
    assert described("permit")[2]["asks"] == 0


def test_a_named_place_is_told_from_the_others(described, snapshot):
    candidates, columns, _ = described("harbor permit sample-city")
    for row, named in zip(candidates.rows, columns["named_place"], strict=True):
        assert named == (1 if snapshot.nodes.jurisdiction(row).startswith("sample") else -1)
    assert not described("harbor permit")[1]["named_place"].any()


def test_a_candidate_without_chunks_is_as_far_as_the_farthest(described, snapshot):
    candidates, columns, _ = described("harbor")
    bare = [
        place for place, row in enumerate(candidates.rows) if len(set(snapshot.nodes.chunk_range(row))) == 1
    ]
    assert all(columns["cosine"][place] == columns["cosine"].min() for place in bare)


ASKED = "when do i get my bond back after moving out"


def test_what_is_asked_tells_of_provisions_with_like_questions(asked_of):
    candidates, columns, _ = _described(asked_of, ASKED)
    likeness = asked_of.questions.likeness(asked_of.encoder.encode_query(ASKED), np.array(candidates.rows))
    assert columns["asked_five"].any()
    assert columns["asked_five"].tolist() == likeness.five.tolist()


def test_what_is_asked_elsewhere_tells_nothing_of_a_named_place():
    five, places = np.array([0.5, 0.6, 0.7]), np.array([-1.0, 1.0, 0.0])
    assert _asked_of(five, places, NO_LEADS).tolist() == [0.0, 0.6, 0.7]


@pytest.mark.parametrize(
    "leads", [Leads(rows=(0,)), Leads(rows=(0,), named={0: 0.5}), Leads(beside={1: 0.5})]
)
def test_what_is_asked_tells_nothing_where_law_is_given(asked_of, leads):
    assert not _described(asked_of, ASKED, leads)[1]["asked_five"].any()

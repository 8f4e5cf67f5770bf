"""Fusion of the two arms: nothing is lost, and the ranker's order is the list's."""

import numpy as np
import pytest

from serving.contract.ranking import FEATURES
from serving.services.citations.leads import Leads
from serving.services.features import describe
from serving.services.fusion import fuse, merge
from serving.services.search import nearest, nearest_and_asked
from serving.snapshot.filters import Filters

_PLACES = {FEATURES.index("keyword_place"), FEATURES.index("semantic_place")}


@pytest.fixture
def arms(snapshot):
    def run(query):
        near = nearest(snapshot, query, Filters())
        words = snapshot.keyword.candidates(query, filters=Filters(), limit=20)
        return near.vector, words, [hit.node_row for hit in near.hits][:20]

    return run


@pytest.mark.parametrize("query", ["fair use of a protected work", "permit", "who pays for the harbor plan?"])
def test_nothing_is_lost_doubled_or_out_of_order(arms, snapshot, query):
    vector, words, meaning = arms(query)
    fused = fuse(snapshot, query, vector, merge(words, meaning, []))
    assert sorted(item.row for item in fused) == sorted({*words, *meaning})
    scores = [item.score for item in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    for item in fused:
        assert item.keyword_rank == (words.index(item.row) + 1 if item.row in words else None)
        assert item.semantic_rank == (meaning.index(item.row) + 1 if item.row in meaning else None)


def test_the_chunk_is_the_nearest_of_the_provision(arms, snapshot):
    vector, words, meaning = arms("matter 57 of the harbor plan")
    for item in fuse(snapshot, "matter 57 of the harbor plan", vector, merge(words, meaning, [])):
        first, last = snapshot.nodes.chunk_range(item.row)
        if first == last:
            assert item.chunk is None
            continue
        cosines = snapshot.vectors.passages.similarity(vector, np.arange(first, last))
        assert item.chunk == first + int(cosines.argmax())


def test_features_do_not_depend_on_the_order_of_the_arms_beside_their_places(arms, snapshot):
    vector, words, meaning = arms("permit fee")
    one = describe(snapshot, "permit fee", vector, merge(words, meaning, []))
    other = describe(snapshot, "permit fee", vector, merge(meaning, words, []))
    rows = {row: place for place, row in enumerate(merge(meaning, words, []).rows)}
    order = [rows[row] for row in merge(words, meaning, []).rows]
    assert one.query == pytest.approx(other.query, abs=1e-5)
    alike = [place for place in range(one.features.shape[1]) if place not in _PLACES]
    assert one.features[:, alike] == pytest.approx(other.features[order][:, alike], abs=1e-5)


def test_nothing_found_is_nothing_fused(arms, snapshot):
    vector, _, _ = arms("permit")
    assert list(fuse(snapshot, "permit", vector, merge([], [], []))) == []


def test_what_answers_a_like_question_is_proposed_though_no_word_leads_there(snapshot):
    query = "quote from a novel in a book review"
    near, asked = nearest_and_asked(snapshot, query, Filters())
    assert [snapshot.nodes.citation(provision.node_row) for provision in asked] == ["1 S.F.C. § 7"]
    fused = fuse(snapshot, query, near.vector, merge([], [], [provision.node_row for provision in asked]))
    assert [(item.keyword_rank, item.semantic_rank, item.asked) for item in fused] == [(None, None, True)]


def test_what_is_like_the_provisions_that_lead_is_told_by_how_far_it_is_from_the_likest(arms, snapshot):
    vector, words, meaning = arms("fair use of a protected work")
    rows = merge(words, meaning, []).rows
    column = FEATURES.index("like_lead")

    def middle(row):
        passages = snapshot.vectors.passages.read(np.arange(*snapshot.nodes.chunk_range(row))).units()
        return passages.mean(axis=0) / np.linalg.norm(passages.mean(axis=0))

    told = [row for row in rows if np.ptp(snapshot.nodes.chunk_range(row))]
    leading = told[-2:]
    described = describe(snapshot, "fair use", vector, merge(words, meaning, [], Leads(tuple(leading))))
    likeness = dict(zip(rows, described.features[:, column], strict=True))
    expected = {row: max(float(middle(row) @ middle(lead)) for lead in leading) - 1 for row in told}
    assert {row: likeness[row] for row in told} == pytest.approx(expected, abs=1e-5)
    assert not {likeness[row] for row in rows if row not in told} - {min(likeness.values())}
    without = describe(snapshot, "fair use", vector, merge(words, meaning, []))
    assert not without.features[:, column].any()

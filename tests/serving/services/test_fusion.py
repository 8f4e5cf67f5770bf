"""Reciprocal-rank fusion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.services.fusion import KEYWORD_WEIGHT, SEMANTIC_WEIGHT, K, fuse

RANKED = st.lists(st.integers(0, 300), unique=True, max_size=120)


def test_agreement_beats_a_single_first_place():
    fused = fuse([1, 2, 3], [4, 2, 5])
    assert fused[0].row == 2
    assert (fused[0].keyword_rank, fused[0].semantic_rank) == (2, 2)
    assert fused[0].score == pytest.approx((KEYWORD_WEIGHT + SEMANTIC_WEIGHT) / (K + 2))


def test_the_arms_weigh_the_same():
    assert KEYWORD_WEIGHT == SEMANTIC_WEIGHT
    first, second = fuse([1], [2])
    assert first.score == second.score
    assert first.row == 1, "equal scores keep the keyword arm first"


@given(RANKED, RANKED)
def test_nothing_is_lost_doubled_or_out_of_order(keyword, semantic):
    fused = fuse(keyword, semantic)
    assert sorted(item.row for item in fused) == sorted({*keyword, *semantic})
    scores = [item.score for item in fused]
    assert scores == sorted(scores, reverse=True)
    for item in fused:
        assert item.keyword_rank == (keyword.index(item.row) + 1 if item.row in keyword else None)
        assert item.semantic_rank == (semantic.index(item.row) + 1 if item.row in semantic else None)


@given(RANKED)
def test_one_arm_keeps_its_order(ranked):
    assert [item.row for item in fuse(ranked, [])] == ranked
    assert [item.row for item in fuse([], ranked)] == ranked

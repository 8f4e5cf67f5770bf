"""Intervals by resampling queries."""

from statistics import NormalDist

import numpy as np
import pytest

from assets.release.evaluation.bootstrap import difference, interval


def test_the_interval_is_that_of_the_mean() -> None:
    values = np.random.default_rng(5).normal(0.5, 0.2, 400).tolist()
    found = interval(values)
    half = NormalDist().inv_cdf(0.975) * np.std(values) / len(values) ** 0.5
    assert found.mean == pytest.approx(np.mean(values))
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half), abs=0.003)


def test_the_same_figures_have_the_same_interval() -> None:
    assert interval([0.0, 1.0, 0.5]) == interval([0.0, 1.0, 0.5])
    assert interval([0.25]) == (0.25, 0.25, 0.25)


def test_pairing_sees_a_small_gain_under_large_differences_between_queries() -> None:
    random = np.random.default_rng(3)
    theirs = random.uniform(0, 1, 100)
    ours = theirs + random.normal(0.02, 0.01, 100)
    found = difference(ours.tolist(), theirs.tolist())
    assert 0.01 < found.low < found.mean < found.high < 0.03
    assert found.p == 0
    assert difference(theirs.tolist(), ours.tolist()).p == 1


def test_no_difference_is_no_gain() -> None:
    found = difference([0.1, 0.9], [0.1, 0.9])
    assert (found.mean, found.p) == (0, 1)


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1.0], [1.0, 0.0])])
def test_figures_that_cannot_be_paired_are_refused(ours: list[float], theirs: list[float]) -> None:
    with pytest.raises(ValueError, match=r"resample|paired"):
        difference(ours, theirs)

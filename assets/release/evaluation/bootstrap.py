"""Confidence intervals by resampling queries: of a mean, and of the difference of two paired runs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

DRAWS = 10_000
SEED = 13
_BOUNDS = (2.5, 97.5)


class Interval(NamedTuple):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


class Difference(NamedTuple):
    """The mean by which one run exceeds another, its 95 % interval, and the share of draws without a gain."""

    mean: float
    low: float
    high: float
    p: float


def interval(values: Sequence[float]) -> Interval:
    """Return the mean of one figure a query with its interval.

    Raises:
        ValueError: there is no value.
    """
    means = _means(values)
    low, high = np.percentile(means, _BOUNDS)
    return Interval(float(np.mean(values)), float(low), float(high))


def difference(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Return by how much our figures exceed theirs, which stand in the same order of queries.

    Raises:
        ValueError: there is no value, or there are not as many of each.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} figures cannot be paired with {len(theirs)}")
    gains = np.subtract(ours, theirs)
    means = _means(gains.tolist())
    low, high = np.percentile(means, _BOUNDS)
    return Difference(float(gains.mean()), float(low), float(high), float(np.mean(means <= 0)))


def _means(values: Sequence[float]) -> np.ndarray:
    if not len(values):
        raise ValueError("there is nothing to resample")
    random = np.random.default_rng(SEED)
    drawn = random.integers(0, len(values), (DRAWS, len(values)))
    means: np.ndarray = np.asarray(values, float)[drawn].mean(axis=1)
    return means

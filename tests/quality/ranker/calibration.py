"""Calibration of a ranker: its scores come to tell how likely a provision is relevant."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assets.release.evaluation.measures import RELEVANT
from serving.contract.ranking import FEATURES
from serving.snapshot.ranker import Network, Ranker
from tests.quality.ranker.examples import Example


def calibrate(ranker: Ranker, examples: Sequence[Example]) -> Ranker:
    """Return a ranker of the same order, scaled and with the weights of `one` set, so that scores are probabilities."""
    some = [one for one in examples if len(one.nodes)]
    scores = np.concatenate([ranker.level(one.features, one.query) for one in some])
    queries = np.concatenate([np.tile(one.query, (len(one.nodes), 1)) for one in some])
    relevant = np.concatenate([one.grades >= RELEVANT for one in some]).astype(float)
    columns = np.column_stack([scores, queries])
    fitted = np.zeros(columns.shape[1])
    for _ in range(50):  # Newton's method, a little damped
        likely = 1 / (1 + np.exp(-columns @ fitted))
        slope = columns.T @ (likely - relevant) + 1e-2 * fitted
        bend = (columns * (likely * (1 - likely))[:, None]).T @ columns + 1e-2 * np.eye(len(fitted))
        fitted -= np.linalg.solve(bend, slope)
    factor = max(fitted[0], 1e-3)
    weights = ranker.weights * factor
    weights[FEATURES.index("one")] += fitted[1:]
    return Ranker(weights, ranker.network and scaled(ranker.network, factor))


def scaled(network: Network, factor: float) -> Network:
    """Return a network whose scores are so many times those of another."""
    *hidden, (weights, added) = network.layers
    return replace(network, layers=(*hidden, (weights * factor, added * factor)))

"""Training of the linear part of the ranker: a softmax over each query's candidates (ListNet) towards their gains."""

import json
from collections.abc import Sequence

import numpy as np

from assets.release.evaluation.measures import RELEVANT
from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.snapshot.ranker import parse_ranker
from tests.quality.ranker.examples import Example

PENALTY = 1e-2
STEPS, RATE = 400, 0.05


def train(examples: Sequence[Example], *, penalty: float = PENALTY) -> np.ndarray:
    """Return the weights, (features, query features), learned from examples with something relevant in them."""
    useful = [one for one in examples if (one.grades >= RELEVANT).any()]
    products = np.concatenate([one.products for one in useful])
    spread = products.std(axis=0)
    spread[spread < 1e-9] = 1.0
    scaled = (products / spread).astype(np.float32)
    starts = np.cumsum([0, *(len(one.grades) for one in useful)])[:-1]
    owner = np.repeat(np.arange(len(useful)), [len(one.grades) for one in useful])
    gains = 2.0 ** np.concatenate([one.grades for one in useful]) - 1
    target = (gains / np.add.reduceat(gains, starts)[owner]).astype(np.float32)
    weights = np.zeros(scaled.shape[1], np.float32)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = scaled @ weights
        scores = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        share = scores / np.add.reduceat(scores, starts)[owner]
        slope = scaled.T @ (share - target) / len(useful) + 2 * penalty * weights
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= RATE * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    learned: np.ndarray = (weights / spread).reshape(len(FEATURES), len(QUERY_FEATURES))
    return learned


def kept(stored: bytes, learned: np.ndarray) -> np.ndarray:
    """Return the weights of a ranker, and of features that it lacks the learned ones.

    A ranker's weights were scaled when it was calibrated: they are set to the scale of the learned ones, by the weight of
    `named_act`, which is chosen and not learned.
    """
    weights = parse_ranker(stored, "the ranker to keep").weights
    known = [FEATURES.index(name) for name in json.loads(stored)["features"]]
    anchor = FEATURES.index("named_act"), 0
    if not weights[anchor]:
        raise ValueError("The ranker to keep has no weight of `named_act`, by which its weights are scaled.")
    merged = learned.copy()
    merged[known] = weights[known] * (learned[anchor] / weights[anchor])
    return merged

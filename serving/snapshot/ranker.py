"""The learned ranker of hybrid search: linear, by weights that the query sets, beside a small network."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import RANKER
from serving.contract.ranking import FEATURES, NETWORK_INPUTS, OF_GIVEN_LAW, QUERY_FEATURES

FARTHEST = 6.0
"""Most that an input of the network is from its mean, in units of its spread: few that it saw are farther."""
_NAMED_ACT = FEATURES.index("named_act")
_OF_GIVEN_LAW = [FEATURES.index(name) for name in OF_GIVEN_LAW]
_INPUTS = [FEATURES.index(name) for name in NETWORK_INPUTS if name in FEATURES]


def network_inputs(features: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Return a row of `NETWORK_INPUTS` for each provision.

    Args:
        features: a row for each provision, a column for each of `FEATURES`.
        query: a value for each of `QUERY_FEATURES`.
    """
    asked = np.broadcast_to(query[1:], (len(features), len(query) - 1))
    return np.concatenate([features[:, _INPUTS], asked], axis=1)


def gives_law(features: np.ndarray) -> bool:
    """Return whether the query cites or names law or has a number of it, by its provisions' features."""
    return bool(features[:, _OF_GIVEN_LAW].any())


@dataclass(frozen=True, slots=True)
class Network:
    """Layers of a network over `NETWORK_INPUTS`.

    Attributes:
        mean: of each input, where the network learned.
        spread: standard deviation of each, likewise.
        layers: weights, a row for each of what goes in, and what is added. Below the last one negative values
            become 0; the last one gives the score.
    """

    mean: np.ndarray
    spread: np.ndarray
    layers: Sequence[tuple[np.ndarray, np.ndarray]]

    def score(self, features: np.ndarray, query: np.ndarray) -> np.ndarray:
        """Return a number for each provision, to be added to another score before the logistic function."""
        values = (network_inputs(features, query) - self.mean) / self.spread
        values = np.clip(values, -FARTHEST, FARTHEST)
        *hidden, (last, level) = self.layers
        for weights, added in hidden:
            values = np.maximum(values @ weights + added, 0.0)
        scores: np.ndarray = (values @ last + level)[:, 0]
        return scores


@dataclass(frozen=True, slots=True)
class Ranker:
    """The weights of a ranking.

    Attributes:
        weights: a row for each of `FEATURES`, a column for each of `QUERY_FEATURES`.
        network: adds to the linear score unless the query gives law (`gives_law`); None in rankers of earlier
            snapshots.
    """

    weights: np.ndarray
    network: Network | None = None

    @property
    def orders_named_acts(self) -> bool:
        """It weighs the places of an act that is named among other words; they led whatever else before."""
        return bool(self.weights[_NAMED_ACT].any())

    def score(self, features: np.ndarray, query: np.ndarray) -> np.ndarray:
        """Return a number between 0 and 1 for each provision: the higher, the better it answers.

        Args:
            features: a row for each provision, a column for each of `FEATURES`.
            query: a value for each of `QUERY_FEATURES`.
        """
        scores: np.ndarray = 1.0 / (1.0 + np.exp(-self.level(features, query)))
        return scores

    def level(self, features: np.ndarray, query: np.ndarray) -> np.ndarray:
        """Return the scores before the logistic function, likewise."""
        linear: np.ndarray = features @ (self.weights @ query)
        # The network has seen too few queries that cite or name law to order what is beside that law.
        if self.network is None or gives_law(features):
            return linear
        both: np.ndarray = linear + self.network.score(features, query)
        return both


def parse_ranker(stored: bytes, source: str) -> Ranker:
    """Return the ranker that a file describes.

    Raises:
        SnapshotCorruptError: it is none over the features that this server computes.
    """
    try:
        values = json.loads(stored)
        by_feature = dict(zip(values["features"], values["weights"], strict=True))
        _require_known(by_feature.keys(), FEATURES)
        _require_known(set(values["queryFeatures"]), QUERY_FEATURES)
        # A feature that came after the day of the snapshot has no weight in its ranking.
        none = [0.0] * len(values["queryFeatures"])
        weights = _numbers(
            [_in_order(by_feature.get(name, none), values["queryFeatures"]) for name in FEATURES]
        )
        network = _parse_network(values["network"]) if "network" in values else None
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SnapshotCorruptError(source, f"is no ranker of this server's: {error!r}") from error
    return Ranker(weights, network)


def _parse_network(stored: Mapping[str, Any]) -> Network:
    by_name = {one["name"]: one for one in stored["inputs"]}
    _require_known(by_name.keys(), NETWORK_INPUTS)
    none = {"mean": 0.0, "spread": 1.0, "weights": [0.0] * len(stored["added"])}
    inputs = [by_name.get(name, none) for name in NETWORK_INPUTS]
    mean, spread, weights = (
        _numbers([one[part] for one in inputs]) for part in ("mean", "spread", "weights")
    )
    if not (spread > 0).all():
        raise ValueError("a spread that is not above 0")
    above = ((_numbers(one["weights"]), _numbers(one["added"])) for one in stored["layers"])
    network = Network(mean, spread, ((weights, _numbers(stored["added"])), *above))
    # Whether the layers fit each other.
    network.score(np.zeros((1, len(FEATURES))), np.zeros(len(QUERY_FEATURES)))
    return network


def _require_known(names: Set[str], known: Sequence[str]) -> None:
    unknown = names - set(known)
    if unknown:
        raise ValueError(f"unknown features: {', '.join(sorted(unknown))}")


@lru_cache(maxsize=1)
def default_ranker() -> Ranker:
    """Return the ranker that the package carries."""
    path = files("serving.snapshot").joinpath(RANKER)
    return parse_ranker(path.read_bytes(), str(path))


def _in_order(weights: Sequence[float], names: Sequence[str]) -> list[float]:
    by_name = dict(zip(names, weights, strict=True))
    return [float(by_name.get(name, 0.0)) for name in QUERY_FEATURES]


def _numbers(values: Sequence[Any]) -> np.ndarray:
    # JSON has no infinity and no NaN, but Python's reader takes both.
    numbers = np.array(values, float)
    if not np.isfinite(numbers).all():
        raise ValueError("a number that is not finite")
    return numbers

"""The learned ranker of hybrid search: a linear score of features, by weights that the query sets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import RANKER
from serving.contract.ranking import FEATURES, QUERY_FEATURES

_NAMED_ACT = FEATURES.index("named_act")


@dataclass(frozen=True, slots=True)
class Ranker:
    """The weights of a ranking.

    Attributes:
        weights: a row for each of `FEATURES`, a column for each of `QUERY_FEATURES`.
    """

    weights: np.ndarray

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
        scores: np.ndarray = 1.0 / (1.0 + np.exp(-(features @ (self.weights @ query))))
        return scores


def parse_ranker(stored: bytes, source: str) -> Ranker:
    """Return the ranker that a file describes.

    Raises:
        SnapshotCorruptError: it is none over the features that this server computes.
    """
    try:
        values = json.loads(stored)
        by_feature = dict(zip(values["features"], values["weights"], strict=True))
        unknown = by_feature.keys() - set(FEATURES)
        if unknown:
            raise ValueError(f"unknown features: {', '.join(sorted(unknown))}")
        # A feature that came after the day of the snapshot has no weight in its ranking.
        none = [0.0] * len(values["queryFeatures"])
        weights = np.array(
            [_in_order(by_feature.get(name, none), values["queryFeatures"]) for name in FEATURES]
        )
    except (ValueError, KeyError, TypeError) as error:
        raise SnapshotCorruptError(source, f"is no ranker of this server's: {error!r}") from error
    return Ranker(weights)


@lru_cache(maxsize=1)
def default_ranker() -> Ranker:
    """Return the ranker that the package carries."""
    path = files("serving.snapshot").joinpath(RANKER)
    return parse_ranker(path.read_bytes(), str(path))


def _in_order(weights: Sequence[float], names: Sequence[str]) -> list[float]:
    by_name = dict(zip(names, weights, strict=True))
    return [float(by_name[name]) for name in QUERY_FEATURES]

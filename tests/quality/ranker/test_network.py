"""Training of the ranker's network: it learns what a linear score cannot, and what is stored is what was learned.

JAX is no part of an installation: `make try-training` installs it aside and runs this file with it.
"""

import importlib
import importlib.util
from types import ModuleType

import numpy as np
import pytest

from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.snapshot.ranker import Network
from tests.quality.ranker import linear
from tests.quality.ranker.examples import Example

HAS_JAX = importlib.util.find_spec("jax") is not None
pytestmark = [
    pytest.mark.skipif(not HAS_JAX, reason="JAX is not installed here: `make try-training` runs this"),
    pytest.mark.filterwarnings("default"),  # JAX warns of its own
]
FIRST, SECOND = FEATURES.index("cosine"), FEATURES.index("held")


@pytest.fixture(scope="module")
def training() -> ModuleType:
    return importlib.import_module("tests.quality.ranker.network")


def _examples(seed: int, count: int = 1_500) -> list[Example]:
    """Return queries whose answer has the same of two features, where all others have one of them."""
    random = np.random.default_rng(seed)
    examples = []
    for _ in range(count):
        features = np.zeros((12, len(FEATURES)))
        features[:, FIRST] = random.integers(0, 2, 12)
        features[:, SECOND] = 1 - features[:, FIRST]
        answer = int(random.integers(12))
        features[answer, SECOND] = features[answer, FIRST]
        grades = np.zeros(12, int)
        grades[answer] = 3
        examples.append(
            Example([f"n{place}" for place in range(12)], features, np.ones(len(QUERY_FEATURES)), grades)
        )
    return examples


def _hits(network: Network, examples: list[Example]) -> float:
    return float(
        np.mean([network.score(one.features, one.query).argmax() == one.grades.argmax() for one in examples])
    )


def test_a_network_learns_what_no_weighted_sum_tells(training: ModuleType) -> None:
    lists = training.as_lists([(one, 1.0) for one in _examples(1)])
    learned = list(training.train(lists, epochs=8))
    unseen = _examples(2, 200)
    assert _hits(learned[-1][0], unseen) > 0.95
    weights = linear.train(_examples(1, 300))
    plain = [(one.features @ (weights @ one.query)).argmax() == one.grades.argmax() for one in unseen]
    assert np.mean(plain) < 0.7
    assert learned[-1][1] < learned[0][1] / 2


def test_what_counts_more_is_learned(training: ModuleType) -> None:
    """The same candidates with two answers: that of the examples which count more comes first."""
    examples = _examples(1, 640)
    other = [Example(one.nodes, one.features, one.query, np.roll(one.grades, 1)) for one in examples]
    lists = training.as_lists([*((one, 20.0) for one in examples), *((one, 1.0) for one in other)])
    *_, (network, _) = training.train(lists, epochs=8)
    assert _hits(network, examples) > 0.9


def test_too_few_queries_teach_nothing(training: ModuleType) -> None:
    lists = training.as_lists([(one, 1.0) for one in _examples(1, 3)])
    with pytest.raises(ValueError, match="3 queries are too few"):
        next(training.train(lists))


def test_training_is_the_same_each_time(training: ModuleType) -> None:
    lists = training.as_lists([(one, 1.0) for one in _examples(1, 128)])
    (once, _), (again, _) = (list(training.train(lists, epochs=1))[-1] for _ in range(2))
    assert all((a[0] == b[0]).all() for a, b in zip(once.layers, again.layers, strict=True))


def test_a_query_without_answers_teaches_nothing(training: ModuleType) -> None:
    nothing = Example(["n"], np.ones((1, len(FEATURES))), np.ones(len(QUERY_FEATURES)), np.zeros(1, int))
    lists = training.as_lists([(one, 1.0) for one in [*_examples(1, 3), nothing]])
    assert lists.targets.sum(axis=1).tolist() == pytest.approx([1.0, 1.0, 1.0])

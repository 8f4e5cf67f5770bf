"""Training the ranker: it learns what decides, which may depend on the query, and its scores are probabilities."""

import json

import numpy as np
import pytest

from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.snapshot.ranker import Ranker
from tests.quality.ranker.calibration import calibrate
from tests.quality.ranker.examples import Example
from tests.quality.ranker.linear import kept, train

COSINE, HELD = FEATURES.index("cosine"), FEATURES.index("held")
ASKS = QUERY_FEATURES.index("asks")


def _examples(seed: int, count: int = 120) -> list[Example]:
    """Return queries whose answer is the nearest in meaning if they ask, and else the one with most words."""
    random = np.random.default_rng(seed)
    examples = []
    for number in range(count):
        features = np.zeros((30, len(FEATURES)))
        features[:, 0] = 1
        features[:, [COSINE, HELD]] = random.uniform(0, 1, (30, 2))
        query = np.zeros(len(QUERY_FEATURES))
        query[0], query[ASKS] = 1, number % 2
        answer = int(features[:, COSINE if number % 2 else HELD].argmax())
        grades = np.zeros(30, int)
        grades[answer] = 3
        examples.append(Example([f"n{place}" for place in range(30)], features, query, grades))
    return examples


def test_the_query_sets_what_decides() -> None:
    weights = train(_examples(1))
    unseen = _examples(2)
    hits = [
        int((one.features @ (weights @ one.query)).argmax()) == int(one.grades.argmax()) for one in unseen
    ]
    assert np.mean(hits) > 0.9


def test_scores_are_probabilities_in_the_same_order() -> None:
    weights = train(_examples(1))
    ranker = calibrate(Ranker(weights), _examples(3))
    unseen = _examples(4)
    scores = np.concatenate([ranker.score(one.features, one.query) for one in unseen])
    relevant = np.concatenate([one.grades >= 2 for one in unseen])
    assert abs(scores.mean() - relevant.mean()) < 0.01
    for one in unseen:
        plain = one.features @ (weights @ one.query)
        assert (np.argsort(-ranker.score(one.features, one.query)) == np.argsort(-plain)).all()


def test_training_is_the_same_each_time() -> None:
    assert (train(_examples(1, 20)) == train(_examples(1, 20))).all()


def test_a_query_without_answers_teaches_nothing() -> None:
    examples = _examples(1, 20)
    nothing = Example(["n"], np.ones((1, len(FEATURES))), np.ones(len(QUERY_FEATURES)), np.zeros(1, int))
    assert (train([*examples, nothing]) == train(examples)).all()


def test_the_weights_of_a_ranker_are_kept_and_those_of_new_features_learned() -> None:
    chance = np.random.default_rng(9)
    learned = chance.normal(size=(len(FEATURES), len(QUERY_FEATURES)))
    earlier = chance.normal(size=learned.shape)
    new, chosen = FEATURES.index("asked_five"), FEATURES.index("named_act")
    learned[chosen, 0], earlier[chosen, 0] = 6.0, 3.0
    old = [name for name in FEATURES if name != "asked_five"]
    weights = [earlier[FEATURES.index(name)].tolist() for name in old]
    stored = json.dumps({"features": old, "queryFeatures": QUERY_FEATURES, "weights": weights}).encode()
    merged = kept(stored, learned)
    assert merged[new].tolist() == learned[new].tolist()
    others = [place for place in range(len(FEATURES)) if place != new]
    assert merged[others] == pytest.approx(2.0 * earlier[others])
    weights[old.index("named_act")] = [0.0] * len(QUERY_FEATURES)
    unscaled = json.dumps({"features": old, "queryFeatures": QUERY_FEATURES, "weights": weights}).encode()
    with pytest.raises(ValueError, match="no weight of `named_act`"):
        kept(unscaled, learned)

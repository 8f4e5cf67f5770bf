"""Train the ranker of hybrid search: `python -m tests.quality.evaluation.training SNAPSHOT --out ranker.json`.

Reads the queries of the split `train` alone. Provisions that lead are left out, since they come first whatever
their score. The model is linear in the products of the features of a provision and those of the query, and learns
by a softmax over each query's candidates (ListNet) towards their gains; then its scores are set so that they tell
how likely a provision is relevant.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assets.release.evaluation.answerable import answerable
from assets.release.evaluation.judgements import Query, read_evaluation_set
from assets.release.evaluation.measures import RELEVANT
from serving.contract.ranking import FEATURES, QUERY_FEATURES
from serving.services.citations.leads import find_leads
from serving.services.features import describe
from serving.services.fusion import merge
from serving.services.opening import open_warm
from serving.services.search import DEPTH, nearest_and_asked
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot

NAMED_ACT = 6.0
"""Weight of the places of an act that is named among other words. Few queries of the set name one so: it was chosen by
2,446 of the questions that lead (docs/decisions/search-ranking.md)."""
PENALTY = 1e-2
STEPS, RATE = 400, 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """The candidates of one query.

    Attributes:
        nodes: their ids.
        features: a row for each.
        query: the query's own features.
        grades: a grade for each; 0 where nobody judged.
    """

    nodes: list[str]
    features: np.ndarray
    query: np.ndarray
    grades: np.ndarray

    @property
    def products(self) -> np.ndarray:
        """The products of both kinds of features: a row for each candidate."""
        products: np.ndarray = (self.features[:, :, None] * self.query).reshape(len(self.features), -1)
        return products


def example(snapshot: Snapshot, query: Query, grades: dict[str, int]) -> Example:
    """Return the candidates that a hybrid search for the query ranks."""
    filters = Filters(jurisdiction=query.jurisdiction)
    near, asked = nearest_and_asked(snapshot, query.text, filters)
    words = snapshot.keyword.candidates(query.text, filters=filters, limit=DEPTH)
    meaning = [hit.node_row for hit in near.hits]
    leads = find_leads(snapshot, query.text, filters)
    answering = [provision.node_row for provision in asked]
    candidates = merge(words, meaning, answering, leads)
    if not candidates.rows:
        return Example([], np.zeros((0, len(FEATURES))), np.zeros(len(QUERY_FEATURES)), np.zeros(0))
    described = describe(snapshot, query.text, near.vector, candidates)
    rows = np.array(candidates.rows)
    ranked = ~np.isin(rows, leads.rows)
    nodes = [str(snapshot.nodes.id(row)) for row in rows[ranked].tolist()]
    found = np.array([grades.get(node, 0) for node in nodes])
    return Example(nodes, described.features[ranked], described.query, found)


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


def calibrate(weights: np.ndarray, examples: Sequence[Example]) -> np.ndarray:
    """Return the weights scaled, and those of `one` set, so that scores are probabilities of relevance."""
    some = [one for one in examples if len(one.nodes)]
    scores = np.concatenate([one.features @ (weights @ one.query) for one in some])
    queries = np.concatenate([np.tile(one.query, (len(one.nodes), 1)) for one in some])
    relevant = np.concatenate([one.grades >= RELEVANT for one in some]).astype(float)
    columns = np.column_stack([scores, queries])
    fitted = np.zeros(columns.shape[1])
    for _ in range(50):  # Newton's method, a little damped
        likely = 1 / (1 + np.exp(-columns @ fitted))
        slope = columns.T @ (likely - relevant) + 1e-2 * fitted
        bend = (columns * (likely * (1 - likely))[:, None]).T @ columns + 1e-2 * np.eye(len(fitted))
        fitted -= np.linalg.solve(bend, slope)
    calibrated: np.ndarray = weights * max(fitted[0], 1e-3)
    calibrated[FEATURES.index("one")] = fitted[1:]
    return calibrated


def main() -> None:
    """Train on the split `train` and write the ranker."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.evaluation.training")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument(
        "--set", type=Path, default=Path("datasets/evaluation"), help="folder of queries and judgements"
    )
    parser.add_argument("--out", type=Path, required=True, help="file of the ranker")
    options = parser.parse_args()
    snapshot = open_warm(options.snapshot)
    asked = answerable(read_evaluation_set(options.set), snapshot.nodes, snapshot.manifest.code_bodies)
    examples = [example(snapshot, query, asked.grades.get(query.id, {})) for query in asked.of_split("train")]
    weights = calibrate(train(examples), examples)
    weights[FEATURES.index("named_act"), 0] = NAMED_ACT
    stored = {
        "features": FEATURES,
        "queryFeatures": QUERY_FEATURES,
        "weights": weights.round(5).tolist(),
        "trained": {
            "snapshot": snapshot.id,
            "encoder": snapshot.encoder.config.name,
            "queries": len(examples),
            "date": snapshot.manifest.created[:10],
            "data": "datasets/evaluation, split train",
            "command": "python -m tests.quality.evaluation.training",
        },
    }
    options.out.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    snapshot.close()


if __name__ == "__main__":
    main()

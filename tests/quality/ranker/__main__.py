"""Train the ranker of hybrid search: `python -m tests.quality.ranker SNAPSHOT --out serving/snapshot/ranker.json`.

Reads the queries of the split `train` of the evaluation set, and questions that lead to sections outside of the titles
that are held out, each as if it did not lead. Provisions that lead are left out, since they come first whatever their
score. A linear model learns from the judged queries alone, a small network from both; the ranker adds their scores,
then sets them so that they tell how likely a provision is relevant.
"""

import argparse
import json
import sys
from pathlib import Path
from time import monotonic

import numpy as np

from assets.release.evaluation.answerable import answerable
from assets.release.evaluation.judgements import read_evaluation_set
from serving.contract.ranking import FEATURES, NETWORK_INPUTS, QUERY_FEATURES
from serving.services.opening import open_warm
from serving.snapshot.ranker import Ranker
from serving.snapshot.store import Snapshot
from tests.quality.ranker import linear, network
from tests.quality.ranker.calibration import calibrate, scaled
from tests.quality.ranker.examples import Example, example, question_examples, read_questions

NAMED_ACT = 5.2
"""Weight of the places of an act that is named among other words in the linear part. Few queries of the set name one so: it
was chosen by 2,446 of the questions that lead (docs/decisions/search-ranking.md)."""
JUDGED = 60.0
"""Questions as many as which a judged query counts in the network's training."""
SHARE = 0.5
"""How much the network counts beside the linear part."""
_TOLD = 2_000


def main() -> None:
    """Train and write the ranker."""
    options = _arguments()
    snapshot = open_warm(options.snapshot)
    asked = answerable(read_evaluation_set(options.set), snapshot.nodes, snapshot.manifest.code_bodies)
    judged = [example(snapshot, query, asked.grades.get(query.id, {})) for query in asked.of_split("train")]
    weights = linear.train(judged)
    weights[FEATURES.index("named_act"), 0] = NAMED_ACT
    if options.keep is not None:
        weights = linear.kept(options.keep.read_bytes(), weights)
    files = sorted(path for folder in options.questions for path in folder.glob("*.jsonl"))
    written = _written_for(snapshot, files, options.count)
    lists = network.as_lists([*((one, 1.0) for one in written), *((one, JUDGED) for one in judged)])
    del written
    ranker = Ranker(weights)
    for learned, loss in network.train(lists):
        _say(f"loss {loss:.3f}")
        ranker = Ranker(weights, scaled(learned, SHARE))
    ranker = calibrate(ranker, judged)
    about = {
        "snapshot": snapshot.id,
        "encoder": snapshot.encoder.config.name,
        "queries": len(judged),
        "questions": int((lists.counts != JUDGED).sum()),
        "date": snapshot.manifest.created[:10],
        "data": "datasets/evaluation, split train; questions of datasets/training and datasets/expansion",
        "command": "python -m tests.quality.ranker" + (" --keep" if options.keep else ""),
    }
    options.out.write_text(
        json.dumps(_stored(ranker) | {"trained": about}, indent=1) + "\n", encoding="utf-8"
    )
    snapshot.close()


def _written_for(snapshot: Snapshot, files: list[Path], count: int) -> list[Example]:
    questions = read_questions(snapshot, files, count=count)
    began, examples = monotonic(), []
    for one in question_examples(snapshot, questions):
        examples.append(one)
        if len(examples) % _TOLD == 0:
            _say(f"{len(examples):,} of {len(questions):,} questions asked, {monotonic() - began:.0f} s")
    return examples


def _stored(ranker: Ranker) -> dict[str, object]:
    learned = ranker.network
    assert learned is not None
    (first, added), *above = learned.layers
    inputs = zip(NETWORK_INPUTS, learned.mean, learned.spread, first, strict=True)
    return {
        "features": FEATURES,
        "queryFeatures": QUERY_FEATURES,
        "weights": ranker.weights.round(5).tolist(),
        "network": {
            "inputs": [
                {"name": name, "mean": _short(mean), "spread": _short(spread), "weights": _short(weights)}
                for name, mean, spread, weights in inputs
            ],
            "added": _short(added),
            "layers": [{"weights": _short(weights), "added": _short(level)} for weights, level in above],
        },
    }


def _short(values: np.ndarray) -> object:
    return np.round(values, 5).tolist()


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.ranker")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument(
        "--set", type=Path, default=Path("datasets/evaluation"), help="folder of queries and judgements"
    )
    parser.add_argument(
        "--questions",
        type=Path,
        nargs="+",
        default=[Path("datasets/training"), Path("datasets/expansion")],
        help="folders of questions",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="ranker whose linear weights stay, but for features that it lacks: of the judged queries few cite or name "
        "law, and how such are ordered changes by chance with each training",
    )
    parser.add_argument("--count", type=int, default=24_000, help="most questions that are learned from")
    parser.add_argument("--out", type=Path, required=True, help="file of the ranker")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Training of the query encoder for a minute: it computes what the encoder does, learns, and goes on where it stopped.

JAX is no part of an installation: `make try-training` installs it aside and runs this file with it.
"""

import importlib.util
import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from assets.encoder.reference import reference_vectors
from assets.encoder.sentences import SENTENCES
from assets.encoder.weights import find_model_folder, load_weights
from serving.encoder.encoder import open_encoder
from tests.quality.query_encoder.examples import LONGEST, Examples

HAS_JAX = importlib.util.find_spec("jax") is not None
pytestmark = [
    pytest.mark.skipif(not HAS_JAX, reason="JAX is not installed here: `make try-training` runs this"),
    pytest.mark.filterwarnings("default"),  # JAX warns of its own
]
STEPS, SIZE, ASKED = 60, 64, 512


@pytest.fixture(scope="module")
def examples(encoder_folder: Path) -> Examples:
    """Questions of two thousand sections, each to be led to another question of its section."""
    encoder = open_encoder(encoder_folder)
    asked: dict[str, list[str]] = {}
    for line in Path("datasets/expansion/questions.jsonl").read_text(encoding="utf-8").splitlines():
        stored = json.loads(line)
        asked.setdefault(stored["node"], []).append(stored["query"])
    pairs = [(found[0], found[1]) for found in asked.values() if len(found) > 1]
    short = [(first, second) for first, second in pairs if len(encoder.tokenizer.query_ids(first)) <= 12]
    tokens = np.zeros((len(short), LONGEST), np.int32)
    lengths = np.zeros(len(short), np.int32)
    for place, (first, _) in enumerate(short):
        ids = encoder.tokenizer.query_ids(first)
        tokens[place, : len(ids)], lengths[place] = ids, len(ids)
    answers = np.full((len(short), 12), -1, np.int32)
    answers[:, 0] = np.arange(len(short))
    passages = encoder.encode_batch([second for _, second in short])
    return Examples(tokens, lengths, answers, passages)


def test_it_computes_the_vectors_of_the_reference(encoder_folder: Path) -> None:
    jnp = importlib.import_module("jax.numpy")
    bert = importlib.import_module("tests.quality.query_encoder.bert")
    weights, shape = load_weights(find_model_folder())
    sequences = open_encoder(encoder_folder).tokenizer.passage_ids([text[:60] for text in SENTENCES[:20]])
    tokens = np.zeros((len(sequences), max(map(len, sequences))), np.int32)
    for row, ids in enumerate(sequences):
        tokens[row, : len(ids)] = ids
    learned = {name: jnp.asarray(value) for name, value in weights.items() if name.startswith(bert.LEARNED)}
    frozen = {name: jnp.asarray(weights[name]) for name in bert.FROZEN}
    lengths = np.array([len(ids) for ids in sequences])
    vectors = bert.encode(learned, frozen, shape, jnp.asarray(tokens), jnp.asarray(lengths), None)
    assert np.abs(np.asarray(vectors) - reference_vectors(weights, shape, sequences)).max() < 1e-4


def test_it_learns_and_goes_on_where_it_stopped(examples: Examples, tmp_path: Path) -> None:
    learning = importlib.import_module("tests.quality.query_encoder.learning")
    weights, shape = load_weights(find_model_folder())
    begin = learning.initial(weights)
    before = _loss(begin.weights, examples)
    losses = []
    for state, loss in learning.train(begin, weights, shape, examples, steps=STEPS, size=SIZE):
        losses.append(loss)
        if state.step == STEPS - 2:
            state.save(tmp_path / "checkpoint.npz")
    assert len(losses) == STEPS
    assert _loss(state.weights, examples) < 0.9 * before
    again = learning.load_state(tmp_path / "checkpoint.npz")
    rest = [
        loss for _, loss in islice(learning.train(again, weights, shape, examples, steps=STEPS, size=SIZE), 9)
    ]
    assert rest == pytest.approx(losses[-2:], rel=1e-4)


def test_too_few_questions_for_a_batch_are_refused(examples: Examples) -> None:
    learning = importlib.import_module("tests.quality.query_encoder.learning")
    with pytest.raises(ValueError, match="fill no batch of 9999"):
        next(learning.batches(examples, 9999))


def _loss(learned: object, examples: Examples) -> float:
    """Return the mean loss of the first questions, of which none is left out by chance."""
    jnp = importlib.import_module("jax.numpy")
    bert = importlib.import_module("tests.quality.query_encoder.bert")
    weights, shape = load_weights(find_model_folder())
    frozen = {name: jnp.asarray(weights[name]) for name in bert.FROZEN}
    tokens, lengths = jnp.asarray(examples.tokens[:ASKED, :12]), jnp.asarray(examples.lengths[:ASKED])
    vectors = bert.encode(learned, frozen, shape, tokens, lengths, None)
    scores = 20 * np.asarray(vectors) @ examples.passages.T
    right = scores[np.arange(ASKED), examples.answers[:ASKED, 0]]
    return float((np.log(np.exp(scores).sum(axis=1)) - right).mean())

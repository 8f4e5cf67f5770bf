"""Training of the query encoder: the passages that answer a question come to be the nearest of all."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from assets.encoder.weights import BertShape, Weights
from tests.quality.query_encoder.bert import FROZEN, LEARNED, Parameters, encode
from tests.quality.query_encoder.examples import Examples

SCALE = 20.0
"""What cosines are multiplied with before the softmax over the passages."""
RATE = 1e-4
WARMING = 40
"""Steps over which the rate rises; then it falls by a cosine to 0."""
_WIDTHS = (8, 12, 16, 20, 24, 32)
"""Numbers of tokens to which batches are filled up: each is compiled once."""
_BLOCK = 16
"""Batches within which questions are put together by their lengths."""
_FIRST, _SECOND = 0.9, 0.98


@dataclass(frozen=True, slots=True)
class State:
    """Weights between two steps, with both moments of Adam.

    Attributes:
        step: steps that were made.
    """

    weights: Parameters
    first: Parameters
    second: Parameters
    step: int = 0

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        parts = {"weights": self.weights, "first": self.first, "second": self.second}
        arrays = {
            f"{part}/{name}": np.asarray(value)
            for part, values in parts.items()
            for name, value in values.items()
        }
        whole = path.with_suffix(".new.npz")
        np.savez(whole, allow_pickle=False, step=np.array(self.step), **arrays)
        whole.replace(path)


def load_state(path: Path) -> State:
    """Read a checkpoint."""
    with np.load(path) as stored:
        parts: dict[str, dict[str, jax.Array]] = {"weights": {}, "first": {}, "second": {}}
        for name in stored.files:
            part, _, weight = name.partition("/")
            if weight:
                parts[part][weight] = jnp.asarray(stored[name])
        return State(**parts, step=int(stored["step"]))


def initial(weights: Weights) -> State:
    """Return the state before the first step."""
    learned = {name: jnp.asarray(value) for name, value in weights.items() if name.startswith(LEARNED)}
    first, second = ({name: jnp.zeros_like(value) for name, value in learned.items()} for _ in range(2))
    return State(learned, first, second)


def batches(examples: Examples, size: int, *, after: int = 0) -> Iterator[np.ndarray]:
    """Yield the rows of one batch after the other without end: all questions once, then again in another order.

    Of the last ones of an order, the longest that fill no batch are left out.

    Args:
        examples: the questions.
        size: questions of a batch. Each has some of like length, since shorter ones are filled up.
        after: batches that are passed over, of a training that goes on.

    Raises:
        ValueError: there are fewer questions than a batch has.
    """
    if len(examples.lengths) < size:
        raise ValueError(f"{len(examples.lengths)} questions fill no batch of {size}.")
    made = 0
    epoch = 0
    while True:
        chance = np.random.default_rng((epoch, len(examples.lengths)))
        shuffled = chance.permutation(len(examples.lengths))
        for start in range(0, len(shuffled), size * _BLOCK):
            block = shuffled[start : start + size * _BLOCK]
            block = block[np.argsort(examples.lengths[block], kind="stable")]
            for place in chance.permutation(len(block) // size):
                made += 1
                if made > after:
                    yield block[place * size : (place + 1) * size]
        epoch += 1


def train(
    state: State, weights: Weights, shape: BertShape, examples: Examples, *, steps: int, size: int
) -> Iterator[tuple[State, float]]:
    """Yield the state and the loss after each step, until `steps` were made.

    Args:
        state: what is gone on from.
        weights: all of the encoder, of which those in `FROZEN` are used.
        shape: facts that the weights do not hold.
        examples: questions and passages.
        steps: in all, those before this state too.
        size: questions of a batch.
    """
    frozen = {name: jnp.asarray(weights[name]) for name in FROZEN}
    passages = jnp.asarray(examples.passages)

    def loss(
        learned: Parameters, tokens: jax.Array, lengths: jax.Array, answers: jax.Array, key: jax.Array
    ) -> jax.Array:
        vectors = encode(learned, frozen, shape, tokens, lengths, key)
        scores = SCALE * vectors @ passages.T
        right = jnp.take_along_axis(scores, jnp.maximum(answers, 0), axis=1)
        right = jnp.where(answers >= 0, right, -1e9)
        return (jax.nn.logsumexp(scores, axis=1) - jax.nn.logsumexp(right, axis=1)).mean()

    @partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(
        learned: Parameters,
        first: Parameters,
        second: Parameters,
        batch: tuple[jax.Array, ...],
        rate: float,
        number: float,
    ) -> tuple[Parameters, Parameters, Parameters, jax.Array]:
        value, slopes = jax.value_and_grad(loss)(learned, *batch)
        length = jnp.sqrt(sum((slope**2).sum() for slope in slopes.values()))
        slopes = {name: slope / jnp.maximum(1.0, length) for name, slope in slopes.items()}
        first = {name: _FIRST * first[name] + (1 - _FIRST) * slope for name, slope in slopes.items()}
        second = {name: _SECOND * second[name] + (1 - _SECOND) * slope**2 for name, slope in slopes.items()}
        learned = {
            name: value
            - rate
            * (first[name] / (1 - _FIRST**number))
            / (jnp.sqrt(second[name] / (1 - _SECOND**number)) + 1e-8)
            for name, value in learned.items()
        }
        return learned, first, second, value

    for rows in batches(examples, size, after=state.step):
        number = state.step + 1
        if number > steps:
            return
        lengths = examples.lengths[rows]
        width = next(width for width in _WIDTHS if width >= lengths.max())
        rate = RATE * min(1.0, number / WARMING) * 0.5 * (1 + math.cos(math.pi * number / steps))
        batch = (examples.tokens[rows, :width], lengths, examples.answers[rows], jax.random.key(number))
        learned, first, second, value = step(
            state.weights, state.first, state.second, batch, rate, float(number)
        )
        state = replace(state, weights=learned, first=first, second=second, step=number)
        yield state, float(value)

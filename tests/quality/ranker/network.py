"""Training of the ranker's network: a softmax over each query's candidates towards their gains, as the linear part learns."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from serving.contract.ranking import NETWORK_INPUTS
from serving.snapshot.ranker import FARTHEST, Network, gives_law
from tests.quality.ranker.examples import Example

WIDTHS = (32, 16)
"""Units of the layers between the inputs and the score."""
EPOCHS, BATCH, RATE = 3, 64, 3e-3
"""The rate falls to 0 by a cosine."""
PENALTY = 1e-5
_FIRST, _SECOND = 0.9, 0.999

Layers = list[tuple[jax.Array, jax.Array]]


class Lists(NamedTuple):
    """Candidates of many queries, filled up with zeros to the same number.

    Attributes:
        inputs: (queries, candidates, `NETWORK_INPUTS`) float32.
        targets: share of each candidate in its query's gains, (queries, candidates) float32.
        present: which places are candidates, likewise, bool.
        counts: how much each query counts, (queries) float32.
    """

    inputs: np.ndarray
    targets: np.ndarray
    present: np.ndarray
    counts: np.ndarray


def as_lists(examples: Sequence[tuple[Example, float]]) -> Lists:
    """Return the examples, each with how much it counts, which have something relevant and give no law themselves."""
    useful = [(one, count) for one, count in examples if one.grades.any() and not gives_law(one.features)]
    most = max((len(one.grades) for one, _ in useful), default=0)
    inputs = np.zeros((len(useful), most, len(NETWORK_INPUTS)), np.float32)
    targets, present = np.zeros(inputs.shape[:2], np.float32), np.zeros(inputs.shape[:2], bool)
    for place, (one, _) in enumerate(useful):
        size = len(one.grades)
        inputs[place, :size] = one.inputs
        gains = 2.0**one.grades - 1
        targets[place, :size], present[place, :size] = gains / gains.sum(), True
    return Lists(inputs, targets, present, np.array([count for _, count in useful], np.float32))


def train(lists: Lists, *, epochs: int = EPOCHS, seed: int = 0) -> Iterator[tuple[Network, float]]:
    """Yield the network and the mean loss after each epoch.

    Raises:
        ValueError: there are fewer queries than a step takes.
    """
    if len(lists.inputs) < BATCH:
        raise ValueError(f"{len(lists.inputs)} queries are too few: a step of the training takes {BATCH}.")
    seen = lists.inputs[lists.present]
    mean, spread = seen.mean(axis=0), seen.std(axis=0)
    spread[spread < 1e-6] = 1.0
    inputs = np.clip((lists.inputs - mean) / spread, -FARTHEST, FARTHEST) * lists.present[..., None]
    layers = _initial(jax.random.key(seed))
    first = second = jax.tree.map(jnp.zeros_like, layers)
    steps, chance = epochs * (len(inputs) // BATCH), np.random.default_rng(seed)
    made = 0
    for _ in range(epochs):
        losses = []
        shuffled = chance.permutation(len(inputs))
        for start in range(0, len(inputs) - BATCH + 1, BATCH):
            made += 1
            rows = shuffled[start : start + BATCH]
            batch = inputs[rows], lists.targets[rows], lists.present[rows], lists.counts[rows]
            rate = RATE * 0.5 * (1 + np.cos(np.pi * made / steps))
            layers, first, second, loss = _step(layers, first, second, batch, rate, float(made))
            losses.append(float(loss))
        stored = tuple((np.asarray(weights, float), np.asarray(added, float)) for weights, added in layers)
        yield Network(mean.astype(float), spread.astype(float), stored), float(np.mean(losses))


def _initial(key: jax.Array) -> Layers:
    sizes = (len(NETWORK_INPUTS), *WIDTHS, 1)
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(own, (below, above)) / below**0.5, jnp.zeros(above))
        for own, (below, above) in zip(keys, pairwise(sizes), strict=True)
    ]


def _loss(
    layers: Layers, inputs: jax.Array, targets: jax.Array, present: jax.Array, counts: jax.Array
) -> jax.Array:
    values = inputs
    for weights, added in layers[:-1]:
        values = jax.nn.relu(values @ weights + added)
    scores = jnp.where(present, (values @ layers[-1][0])[..., 0], -1e9)
    shares = jnp.where(present, jax.nn.log_softmax(scores, axis=1), 0.0)
    missed = -(shares * targets).sum(axis=1)
    return (counts * missed).sum() / counts.sum() + PENALTY * sum((weights**2).sum() for weights, _ in layers)


@jax.jit
def _step(
    layers: Layers, first: Layers, second: Layers, batch: tuple[jax.Array, ...], rate: float, number: float
) -> tuple[Layers, Layers, Layers, jax.Array]:
    loss, slopes = jax.value_and_grad(_loss)(layers, *batch)
    first = jax.tree.map(lambda old, new: _FIRST * old + (1 - _FIRST) * new, first, slopes)
    second = jax.tree.map(lambda old, new: _SECOND * old + (1 - _SECOND) * new**2, second, slopes)
    layers = jax.tree.map(
        lambda weight, one, two: (
            weight - rate * (one / (1 - _FIRST**number)) / (jnp.sqrt(two / (1 - _SECOND**number)) + 1e-8)
        ),
        layers,
        first,
        second,
    )
    return layers, first, second, loss

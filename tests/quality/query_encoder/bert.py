"""The sentence encoder as a function of its weights that JAX can differentiate."""

import math
from collections.abc import Mapping

import jax
import jax.numpy as jnp

from assets.encoder.weights import BertShape

Parameters = Mapping[str, jax.Array]
WORDS = "embeddings.word_embeddings.weight"
POSITIONS = "embeddings.position_embeddings.weight"
TYPES = "embeddings.token_type_embeddings.weight"
FROZEN = frozenset((WORDS, POSITIONS, TYPES))
"""Weights that are not trained: half of all, of which few questions touch the most."""
LEARNED = ("embeddings.LayerNorm.", "encoder.")
"""Beginnings of the names of those that are."""
DROPPED = 0.1


def encode(
    learned: Parameters,
    frozen: Parameters,
    shape: BertShape,
    tokens: jax.Array,
    lengths: jax.Array,
    key: jax.Array | None,
) -> jax.Array:
    """Return the unit vectors of sentences: (sentences, dimension).

    Args:
        learned: weights by name, those in `LEARNED`.
        frozen: likewise of `FROZEN`.
        shape: facts that the weights do not hold.
        tokens: ids, (sentences, longest).
        lengths: number of each sentence's tokens; what is behind does not count.
        key: chance by which activations are left out, as training does; None: all are there.
    """
    count, longest = tokens.shape
    is_token = jnp.arange(longest) < lengths[:, None]
    aside = jnp.where(is_token, 0.0, -1e9)[:, None, None, :]

    def linear(state: jax.Array, name: str) -> jax.Array:
        return state @ learned[f"{name}.weight"].T + learned[f"{name}.bias"]

    def normalised(state: jax.Array, name: str) -> jax.Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        deviation = jnp.sqrt((centred**2).mean(axis=-1, keepdims=True) + shape.epsilon)
        return centred / deviation * learned[f"{name}.weight"] + learned[f"{name}.bias"]

    def dropped(state: jax.Array, place: int) -> jax.Array:
        if key is None:
            return state
        is_kept = jax.random.bernoulli(jax.random.fold_in(key, place), 1 - DROPPED, state.shape)
        return jnp.where(is_kept, state / (1 - DROPPED), 0.0)

    def heads(state: jax.Array) -> jax.Array:
        return state.reshape(count, longest, shape.heads, -1).transpose(0, 2, 1, 3)

    placed = frozen[WORDS][tokens] + frozen[POSITIONS][:longest] + frozen[TYPES][0]
    state = dropped(normalised(placed, "embeddings.LayerNorm"), 0)
    for layer in range(shape.layers):
        prefix = f"encoder.layer.{layer}."
        query, key_, value = (
            heads(linear(state, f"{prefix}attention.self.{part}")) for part in ("query", "key", "value")
        )
        scores = query @ key_.transpose(0, 1, 3, 2) / math.sqrt(shape.hidden // shape.heads)
        attended = (jax.nn.softmax(scores + aside) @ value).transpose(0, 2, 1, 3).reshape(count, longest, -1)
        projected = dropped(linear(attended, f"{prefix}attention.output.dense"), 2 * layer + 1)
        middle = normalised(state + projected, f"{prefix}attention.output.LayerNorm")
        wide = jax.nn.gelu(linear(middle, f"{prefix}intermediate.dense"), approximate=False)
        narrow = dropped(linear(wide, f"{prefix}output.dense"), 2 * layer + 2)
        state = normalised(middle + narrow, f"{prefix}output.LayerNorm")
    pooled = (state * is_token[..., None]).sum(axis=1) / lengths[:, None]
    return pooled / jnp.linalg.norm(pooled, axis=1, keepdims=True)

"""The same BERT in plain numpy, float32, written from its definition: the yardstick for the ONNX graphs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assets.encoder.weights import BertShape, Weights

_Array = NDArray[np.float32]


def reference_vectors(weights: Weights, shape: BertShape, inputs: Sequence[NDArray[np.int32]]) -> _Array:
    """Return the mean-pooled unit vectors of token id sequences, one at a time: (n, hidden) float32."""
    vectors = [reference_states(weights, shape, ids).mean(axis=0) for ids in inputs]
    return np.stack([vector / np.linalg.norm(vector) for vector in vectors])


def reference_states(weights: Weights, shape: BertShape, ids: NDArray[np.int32]) -> _Array:
    """Return the last hidden states of one sequence of token ids: (tokens, hidden) float32."""
    table = "embeddings.{}_embeddings.weight"
    state = (
        weights[table.format("word")][ids]
        + weights[table.format("position")][: len(ids)]
        + weights[table.format("token_type")][0]
    )
    state = _layer_norm(weights, "embeddings.LayerNorm", state, shape.epsilon)
    for number in range(shape.layers):
        layer = f"encoder.layer.{number}."
        attended = _linear(
            weights, layer + "attention.output.dense", _attention(weights, shape, layer, state)
        )
        state = _layer_norm(weights, layer + "attention.output.LayerNorm", state + attended, shape.epsilon)
        wide = _gelu(_linear(weights, layer + "intermediate.dense", state))
        narrow = _linear(weights, layer + "output.dense", wide)
        state = _layer_norm(weights, layer + "output.LayerNorm", state + narrow, shape.epsilon)
    return state


def _attention(weights: Weights, shape: BertShape, layer: str, state: _Array) -> _Array:
    size = shape.hidden // shape.heads
    query, key, value = (
        _linear(weights, f"{layer}attention.self.{part}", state).reshape(len(state), shape.heads, size)
        for part in ("query", "key", "value")
    )
    scores = np.einsum("qhd,khd->hqk", query, key) / np.float32(np.sqrt(size))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    attended: _Array = np.einsum("hqk,khd->qhd", scores, value).reshape(len(state), shape.hidden)
    return attended


def _linear(weights: Weights, name: str, state: _Array) -> _Array:
    return state @ weights[name + ".weight"].T + weights[name + ".bias"]


def _layer_norm(weights: Weights, name: str, state: _Array, epsilon: float) -> _Array:
    centred = state - state.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    scaled: _Array = centred / np.sqrt(variance + np.float32(epsilon))
    return scaled * weights[name + ".weight"] + weights[name + ".bias"]


def _gelu(state: _Array) -> _Array:
    return (state * (1 + _erf(state / np.sqrt(np.float32(2)))) / 2).astype(np.float32)


def _erf(value: _Array) -> NDArray[np.float64]:
    """Abramowitz and Stegun 7.1.26: off by at most 1.5e-7, far below what float32 layers add up to."""
    x = np.abs(value).astype(np.float64)
    t = 1 / (1 + 0.3275911 * x)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(value) * (1 - series * np.exp(-x * x))

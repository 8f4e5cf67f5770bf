"""Train the query encoder: `python -m tests.quality.query_encoder SNAPSHOT --out datasets/encoder/query_tower.safetensors`.

The encoder of queries alone learns; the vectors of the law stay as they are. Its weights are the mean of what
was learned and what it began with, of which the learned ones count `MIX`: that keeps what the encoder knew of
titles that no question was asked of.
"""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import jax
import numpy as np

from assets.encoder.tower import QueryTower, save_tower
from assets.encoder.weights import Weights, find_model_folder, load_weights
from serving.encoder.config import file_sha256
from serving.services.opening import open_warm
from tests.quality.query_encoder.examples import read_examples
from tests.quality.query_encoder.learning import State, initial, load_state, train

MIX = 0.7
_TOLD = 20
_KEPT = 100
"""Steps between two lines on the loss, and between two checkpoints."""


def main() -> None:
    """Train, and write the differences of the weights."""
    options = _arguments()
    # Random numbers of the default kind take a tenth of a step.
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")
    snapshot = open_warm(options.snapshot)
    examples = read_examples(snapshot, options.passages)
    law = snapshot.id
    snapshot.close()
    folder = find_model_folder()
    weights, shape = load_weights(folder)
    steps = options.steps or round(options.epochs * len(examples.lengths) / options.batch)
    checkpoint: Path | None = options.checkpoint
    state = load_state(checkpoint) if checkpoint is not None and checkpoint.is_file() else initial(weights)
    _say(f"{len(examples.lengths):,} questions, {len(examples.passages):,} passages, {steps:,} steps")
    began, losses = monotonic(), []
    trained = train(state, weights, shape, examples, steps=steps, size=options.batch)
    for state, loss in trained:
        losses.append(loss)
        if state.step % _TOLD == 0:
            pace = (monotonic() - began) / len(losses)
            _say(f"step {state.step:,}: loss {np.mean(losses[-_TOLD:]):.3f}, {pace:.2f} s a step")
        if checkpoint is not None and state.step % _KEPT == 0:
            state.save(checkpoint)
    about: dict[str, str | int | float] = {
        "base": file_sha256(folder / "model.safetensors"),
        "questions": len(examples.lengths),
        "passages": len(examples.passages),
        "steps": state.step,
        "loss": round(float(np.mean(losses[-_KEPT:])), 3),
        "mix": MIX,
        "snapshot": law,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "command": "python -m tests.quality.query_encoder",
    }
    save_tower(options.out, QueryTower(_differences(state, weights), about))
    _say(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB, SHA-256 {file_sha256(options.out)}")


def _differences(state: State, weights: Weights) -> dict[str, np.ndarray]:
    return {name: MIX * (np.asarray(value) - weights[name]) for name, value in state.weights.items()}


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.quality.query_encoder")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot, with the law that is asked of")
    parser.add_argument("--out", type=Path, required=True, help="file of the query tower")
    parser.add_argument("--epochs", type=float, default=4, help="times that each question is learned from")
    parser.add_argument("--steps", type=int, help="steps in place of epochs")
    parser.add_argument("--batch", type=int, default=256, help="questions of a step")
    parser.add_argument("--passages", type=int, default=105_000, help="passages that answers are told from")
    parser.add_argument("--checkpoint", type=Path, help="file that a training which was stopped goes on from")
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Builds the default encoder's folder: int8 ONNX model, tokenizer, configuration, report."""

import hashlib
import importlib.metadata
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import onnx

from assets.encoder.graph import bert_graph, quantised
from assets.encoder.reference import reference_vectors
from assets.encoder.sentences import SENTENCES
from assets.encoder.weights import MAX_TOKENS, NAME, find_model_folder, load_weights
from assets.errors import BuildError
from assets.workspace import replacing
from serving.contract.errors import SnapshotCorruptError
from serving.encoder.config import (
    CONFIG,
    MODEL,
    TOKENIZER,
    EncoderConfig,
    file_sha256,
    load_config,
    verify_files,
)
from serving.encoder.encoder import Encoder, open_encoder

REPORT = "report.json"
LEAST_COSINE = 0.985
LARGEST_ERROR = 1e-4

_RECIPE = 1
"""Raised whenever this build would give other bytes from the same weights and libraries."""


@dataclass(frozen=True, slots=True)
class EncoderReport:
    """Figures of a built encoder, and how close it is to the reference.

    Attributes:
        sha256: of everything that a vector depends on; part of every chunk's key.
        worst_cosine: between int8 and reference vectors over the reference sentences; likewise the mean.
        float_error: largest difference of a float32 graph's component from the reference's.
        model_bytes: size of `model.onnx`.
        inputs: hash of the weights, the libraries and the recipe.
    """

    name: str
    sha256: str
    dimension: int
    worst_cosine: float
    mean_cosine: float
    float_error: float
    sentences: int
    model_bytes: int
    inputs: str


def build_encoder(destination: Path) -> EncoderReport:
    """Build the encoder into `destination`, or return the report of the one that is already there.

    The same weights and libraries give the same bytes.

    Raises:
        BuildError: the package with the weights is missing, or the model strays from the reference vectors.
    """
    source = find_model_folder()
    inputs = _inputs_sha256(source)
    built = _built_already(destination, inputs)
    if built is not None:
        return built
    weights, shape = load_weights(source)
    model = bert_graph(weights, shape)
    with replacing(destination) as folder:
        _write_tokenizer(source, folder)
        floats = _written(folder, model, dimension=shape.hidden)
        sequences = floats.tokenizer.passage_ids(SENTENCES)
        reference = reference_vectors(weights, shape, sequences)
        float_error = float(np.abs(floats.encode_ids(sequences) - reference).max())
        encoder = _written(folder, quantised(model), dimension=shape.hidden)
        cosines = (encoder.encode_ids(sequences) * reference).sum(axis=1)
        report = EncoderReport(
            name=NAME,
            sha256=encoder.sha256,
            dimension=shape.hidden,
            worst_cosine=float(cosines.min()),
            mean_cosine=float(cosines.mean()),
            float_error=float_error,
            sentences=len(SENTENCES),
            model_bytes=(folder / MODEL).stat().st_size,
            inputs=inputs,
        )
        _require_true(report)
        (folder / REPORT).write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
    return report


def _inputs_sha256(source: Path) -> str:
    parts = [str(_RECIPE)]
    parts += [f"{name} {importlib.metadata.version(name)}" for name in ("onnx", "onnxruntime")]
    parts += [file_sha256(source / name) for name in ("model.safetensors", "config.json", "tokenizer.json")]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _built_already(folder: Path, inputs: str) -> EncoderReport | None:
    try:
        report = EncoderReport(**json.loads((folder / REPORT).read_text(encoding="utf-8")))
        sha256 = verify_files(folder, load_config(folder))
    except (OSError, ValueError, TypeError, SnapshotCorruptError):
        return None  # absent, of another version or damaged: all are cured by building
    return report if (report.inputs, report.sha256) == (inputs, sha256) else None


def _write_tokenizer(source: Path, folder: Path) -> None:
    tokenizer = json.loads((source / TOKENIZER).read_text(encoding="utf-8"))
    # The package cuts and pads to 128 tokens; the encoder decides both for itself.
    tokenizer["truncation"] = tokenizer["padding"] = None
    (folder / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")


def _written(folder: Path, model: onnx.ModelProto, *, dimension: int) -> Encoder:
    """Write the model and its configuration beside the tokenizer, and open all three as the server does."""
    onnx.save(model, folder / MODEL)
    config = EncoderConfig(
        name=NAME,
        dimension=dimension,
        max_tokens=MAX_TOKENS,
        model_sha256=file_sha256(folder / MODEL),
        tokenizer_sha256=file_sha256(folder / TOKENIZER),
    )
    (folder / CONFIG).write_text(config.to_json(), encoding="utf-8")
    return open_encoder(folder)


def _require_true(report: EncoderReport) -> None:
    if not report.float_error <= LARGEST_ERROR:
        raise BuildError(
            f"The float32 graph strays from the reference vectors by {report.float_error:.2g}, more than "
            f"{LARGEST_ERROR:.0e}."
        )
    if not report.worst_cosine >= LEAST_COSINE:
        raise BuildError(
            f"The int8 model's worst cosine to the reference vectors is {report.worst_cosine:.4f}, below "
            f"{LEAST_COSINE}."
        )

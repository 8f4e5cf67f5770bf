"""Builds the default encoder's folder: int8 ONNX models of passages and of queries, and a report on them."""

import hashlib
import importlib.metadata
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
from numpy.typing import NDArray

from assets.encoder.graph import PRECISE, bert_graph, quantised
from assets.encoder.query_graph import quick_graph
from assets.encoder.reference import reference_vectors
from assets.encoder.sentences import SENTENCES
from assets.encoder.tower import QueryTower, load_tower
from assets.encoder.weights import (
    MAX_TOKENS,
    NAME,
    PACKAGE,
    BertShape,
    Weights,
    find_model_folder,
    load_weights,
)
from assets.errors import BuildError
from assets.workspace import replacing
from serving.contract.errors import SnapshotCorruptError
from serving.encoder.config import (
    CONFIG,
    MODEL,
    QUERIES,
    TOKENIZER,
    EncoderConfig,
    file_sha256,
    load_config,
    query_folder,
    verify_files,
)
from serving.encoder.encoder import Encoder, open_encoder

REPORT = "report.json"
LEAST_COSINE = 0.985
LARGEST_ERROR = 1e-4

_RECIPE = 2
"""Raised whenever this build would give other bytes from the same weights and libraries."""


@dataclass(frozen=True, slots=True)
class EncoderReport:
    """Figures of a built encoder, and how close it is to the reference.

    Attributes:
        sha256: of everything that a vector of a passage depends on; part of every chunk's key.
        worst_cosine: between int8 and reference vectors over the reference sentences; likewise the mean.
        float_error: largest difference of a float32 graph's component from the reference's.
        model_bytes: size of `model.onnx`.
        queries: likewise of `sha256`, of what encodes queries; None: they are encoded as passages are.
        queries_worst_cosine: likewise of `worst_cosine`.
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
    queries: str | None
    queries_worst_cosine: float | None
    inputs: str


def build_encoder(destination: Path, tower: Path) -> EncoderReport:
    """Build the encoder into `destination`, or return the report of the one that is already there.

    The same weights and libraries give the same bytes.

    Args:
        destination: folder of the encoder.
        tower: file with what training added for queries; where there is none, one model encodes both.

    Raises:
        BuildError: the package with the weights is missing, the tower was trained for others, or a model
            strays from the reference vectors.
    """
    source = find_model_folder()
    inputs = _inputs_sha256(source, tower)
    built = _built_already(destination, inputs)
    if built is not None:
        return built
    weights, shape = load_weights(source)
    with replacing(destination) as folder:
        passages = _build(folder, source, NAME, weights, shape, quick=False)
        queries = None
        if tower.is_file():
            trained = _load_fitting(tower, source)
            (folder / QUERIES).mkdir()
            name = f"{NAME}, queries {trained.about['date']}"
            queries = _build(folder / QUERIES, source, name, trained.applied_to(weights), shape, quick=True)
        report = EncoderReport(
            name=NAME,
            sha256=passages.sha256,
            dimension=shape.hidden,
            worst_cosine=float(passages.cosines.min()),
            mean_cosine=float(passages.cosines.mean()),
            float_error=passages.float_error,
            sentences=len(SENTENCES),
            model_bytes=(folder / MODEL).stat().st_size,
            queries=None if queries is None else queries.sha256,
            queries_worst_cosine=None if queries is None else float(queries.cosines.min()),
            inputs=inputs,
        )
        (folder / REPORT).write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
    return report


class _Built(NamedTuple):
    """One model: its hash, and how close it is to the reference."""

    sha256: str
    cosines: NDArray[np.float32]
    float_error: float


def _build(
    folder: Path, source: Path, name: str, weights: Weights, shape: BertShape, *, quick: bool
) -> _Built:
    """Write the int8 model of these weights with its tokenizer into an empty folder.

    Args:
        folder: the folder.
        source: folder of the weights.
        name: name of the model.
        weights: its weights.
        shape: its shape.
        quick: in the form for queries, not in that for passages.

    Raises:
        BuildError: it strays from the reference vectors.
    """
    model, precise = bert_graph(weights, shape), PRECISE
    _write_tokenizer(source, folder)
    floats = _written(folder, model, name, dimension=shape.hidden)
    if quick:
        model, precise = quick_graph(model, floats.tokenizer.query_ids(""))
        floats = _written(folder, model, name, dimension=shape.hidden)
    sequences = floats.tokenizer.passage_ids(SENTENCES)
    reference = reference_vectors(weights, shape, sequences)
    float_error = float(np.abs(floats.encode_ids(sequences) - reference).max())
    encoder = _written(folder, quantised(model, precise), name, dimension=shape.hidden)
    built = _Built(encoder.sha256, (encoder.encode_ids(sequences) * reference).sum(axis=1), float_error)
    _require_true(name, built)
    return built


def _load_fitting(tower: Path, source: Path) -> QueryTower:
    """Read a tower.

    Raises:
        BuildError: it is none, or was trained for other weights.
    """
    trained = load_tower(tower)
    if trained.about.get("base") != file_sha256(source / "model.safetensors"):
        raise BuildError(f"{tower} was trained for other weights than those of {PACKAGE}: train it again.")
    return trained


def _inputs_sha256(source: Path, tower: Path) -> str:
    parts = [str(_RECIPE)]
    parts += [f"{name} {importlib.metadata.version(name)}" for name in ("onnx", "onnxruntime")]
    parts += [file_sha256(source / name) for name in ("model.safetensors", "config.json", "tokenizer.json")]
    parts += [file_sha256(tower)] if tower.is_file() else []
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _built_already(folder: Path, inputs: str) -> EncoderReport | None:
    try:
        report = EncoderReport(**json.loads((folder / REPORT).read_text(encoding="utf-8")))
        sha256 = verify_files(folder, load_config(folder))
        own = query_folder(folder)
        queries = None if own == folder else verify_files(own, load_config(own))
    except (OSError, ValueError, TypeError, SnapshotCorruptError):
        return None  # absent, of another version or damaged: all are cured by building
    return report if (report.inputs, report.sha256, report.queries) == (inputs, sha256, queries) else None


def _write_tokenizer(source: Path, folder: Path) -> None:
    tokenizer = json.loads((source / TOKENIZER).read_text(encoding="utf-8"))
    # The package cuts and pads to 128 tokens; the encoder decides both for itself.
    tokenizer["truncation"] = tokenizer["padding"] = None
    (folder / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")


def _written(folder: Path, model: onnx.ModelProto, name: str, *, dimension: int) -> Encoder:
    """Write the model and its configuration beside the tokenizer, and open all three as the server does."""
    onnx.save(model, folder / MODEL)
    config = EncoderConfig(
        name=name,
        dimension=dimension,
        max_tokens=MAX_TOKENS,
        model_sha256=file_sha256(folder / MODEL),
        tokenizer_sha256=file_sha256(folder / TOKENIZER),
    )
    (folder / CONFIG).write_text(config.to_json(), encoding="utf-8")
    return open_encoder(folder)


def _require_true(name: str, built: _Built) -> None:
    if not built.float_error <= LARGEST_ERROR:
        raise BuildError(
            f"{name}: the float32 graph strays from the reference vectors by {built.float_error:.2g}, more "
            f"than {LARGEST_ERROR:.0e}."
        )
    if not built.cosines.min() >= LEAST_COSINE:
        raise BuildError(
            f"{name}: the int8 model's worst cosine to the reference vectors is {built.cosines.min():.4f}, "
            f"below {LEAST_COSINE}."
        )

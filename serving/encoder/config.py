"""Configuration of an encoder: file names of its folder, `config.json`, and the hash of all it depends on."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from serving.contract.errors import DamagedFileError, SnapshotCorruptError

MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
CONFIG = "config.json"
QUERIES = "queries"
"""Folder within that of an encoder, with one of the same space for queries alone; absent where one serves
both."""

POOLINGS = ("mean", "cls")


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """Contents of `config.json`. Any encoder in the ONNX format can be used once this file is written for it.

    Attributes:
        name: name for people and manifests, such as `all-MiniLM-L6-v2`.
        dimension: length of a vector.
        pooling: `mean` over all tokens, or `cls`: the first token.
        max_tokens: longest input, special tokens and prefix included.
        normalise: scale vectors to unit length.
        query_prefix: put before every query, as some encoders ask for; likewise `passage_prefix`.
        model_sha256: of `model.onnx`, verified when the encoder is opened; None: not verified. Likewise
            `tokenizer_sha256` of `tokenizer.json`.
    """

    name: str
    dimension: int
    pooling: str = "mean"
    max_tokens: int = 256
    normalise: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""
    model_sha256: str | None = None
    tokenizer_sha256: str | None = None

    def to_json(self) -> str:
        """Return the content of `config.json`."""
        return json.dumps(asdict(self), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def load_config(folder: Path) -> EncoderConfig:
    """Read `config.json` in the folder of an encoder.

    Raises:
        SnapshotCorruptError: it is missing, malformed, has an unknown field or an impossible value.
    """
    path = folder / CONFIG
    try:
        config = EncoderConfig(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise SnapshotCorruptError(str(path), "is missing") from None
    except (ValueError, TypeError) as error:
        raise SnapshotCorruptError(str(path), f"is no encoder configuration: {error}") from error
    if config.pooling not in POOLINGS:
        raise SnapshotCorruptError(
            str(path), f"pooling is {config.pooling!r}, known are {', '.join(POOLINGS)}"
        )
    if config.dimension < 1 or config.max_tokens < 1:
        raise SnapshotCorruptError(str(path), "dimension and max_tokens must be positive")
    return config


def query_folder(folder: Path) -> Path:
    """Return the folder of what encodes queries for the passages of the encoder in `folder`."""
    own = folder / QUERIES
    return own if (own / CONFIG).is_file() else folder


def verify_files(folder: Path, config: EncoderConfig) -> str:
    """Hash the model and the tokenizer, compare them with the configuration, and return the encoder's hash.

    The hash covers everything that a vector depends on: both files, pooling, prefixes, length and scaling.

    Raises:
        DamagedFileError: a file is missing or is not what the configuration says.
    """
    model = _verified_sha256(folder / MODEL, config.model_sha256)
    tokenizer = _verified_sha256(folder / TOKENIZER, config.tokenizer_sha256)
    parts = [
        model,
        tokenizer,
        config.pooling,
        config.max_tokens,
        config.normalise,
        config.query_prefix,
        config.passage_prefix,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _verified_sha256(path: Path, expected: str | None) -> str:
    try:
        actual = file_sha256(path)
    except FileNotFoundError:
        raise DamagedFileError(str(path), "is missing") from None
    if expected is not None and actual != expected:
        raise DamagedFileError(str(path), f"has SHA-256 {actual}, its configuration says {expected}")
    return actual

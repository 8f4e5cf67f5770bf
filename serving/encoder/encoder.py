"""An ONNX sentence encoder: token ids in, unit vectors out."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from serving.contract.errors import SnapshotCorruptError
from serving.encoder.config import MODEL, EncoderConfig, load_config, verify_files
from serving.encoder.tokens import PassageTokenizer

_INTEGER_TYPES = {"tensor(int32)": np.int32, "tensor(int64)": np.int64}
_HIDDEN_RANK = 3
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Encoder:
    """An opened encoder. Safe to use from several threads at once; each call runs on the caller's thread.

    Every sequence is run on its own and at its exact length: a vector then depends on its text alone. (The
    activations of a dynamically quantised model are scaled over the whole batch, so in a batch a vector would
    depend on its neighbours. On processors a batch is not faster either: it leaves the cache.)

    Attributes:
        config: contents of `config.json`.
        sha256: hash that identifies the encoder's results; part of every chunk's key.
        tokenizer: the encoder's own.
    """

    def __init__(
        self, session: ort.InferenceSession, tokenizer: PassageTokenizer, config: EncoderConfig, sha256: str
    ) -> None:
        self.config = config
        self.sha256 = sha256
        self.tokenizer = tokenizer
        self._session = session
        self._inputs = {node.name: _INTEGER_TYPES[node.type] for node in session.get_inputs()}
        self._output = _hidden_state(session)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.config.dimension

    def encode_query(self, query: str) -> NDArray[np.float32]:
        """Return the vector of a query: (dimension,) float32. Tokens beyond the longest input are cut off."""
        return self._vector(self.tokenizer.query_ids(query))

    def encode_batch(self, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of passages: (n, dimension) float32.

        Raises:
            ValueError: a passage is longer than the encoder takes.
        """
        return self.encode_ids(self.tokenizer.passage_ids(passages))

    def encode_ids(self, batch: Sequence[NDArray[np.int32]]) -> NDArray[np.float32]:
        """Return the vectors of the token ids from `PassageTokenizer.passage_ids`: (n, dimension) float32."""
        vectors = np.empty((len(batch), self.dimension), np.float32)
        for row, ids in enumerate(batch):
            vectors[row] = self._vector(ids)
        return vectors

    def _vector(self, ids: NDArray[np.int32]) -> NDArray[np.float32]:
        values = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        feed = {name: values[name][np.newaxis].astype(dtype) for name, dtype in self._inputs.items()}
        (hidden,) = self._session.run([self._output], feed)
        pooled: NDArray[np.float32] = hidden[0, 0] if self.config.pooling == "cls" else hidden[0].mean(axis=0)
        if self.config.normalise:
            pooled = pooled / np.maximum(np.linalg.norm(pooled), np.float32(1e-12))
        return pooled


def open_encoder(folder: Path, *, sha256: str | None = None) -> Encoder:
    """Open the encoder in `folder`: `model.onnx`, `tokenizer.json` and `config.json`.

    Args:
        folder: folder of the encoder.
        sha256: hash of its files, which have been compared with the configuration; None to do so.

    Raises:
        SnapshotCorruptError: a file is missing, is not what the configuration says, or cannot be used.
    """
    config = load_config(folder)
    sha256 = sha256 or verify_files(folder, config)
    path = folder / MODEL
    session = _open_session(path)
    _require_usable(session, path)
    encoder = Encoder(session, PassageTokenizer(folder, config), config, sha256)
    try:
        encoder.encode_batch([""])
    except Exception as error:  # ONNX Runtime's errors share no other base
        raise SnapshotCorruptError(
            str(path), f"gives no vectors of length {config.dimension}: {error}"
        ) from error
    return encoder


def _open_session(path: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    # Queries come from a pool of threads, and in a build several threads encode side by side.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's errors share no other base
        raise SnapshotCorruptError(str(path), f"is no model that ONNX Runtime opens: {error}") from error


def _require_usable(session: ort.InferenceSession, path: Path) -> None:
    for node in session.get_inputs():
        if node.name not in _INPUTS or node.type not in _INTEGER_TYPES:
            raise SnapshotCorruptError(str(path), f"has an input that no text gives: {node.name} {node.type}")
    if not any(len(node.shape) == _HIDDEN_RANK for node in session.get_outputs()):
        raise SnapshotCorruptError(str(path), "has no output of shape (batch, tokens, dimension)")


def _hidden_state(session: ort.InferenceSession) -> str:
    """Return the name of the first output with a vector per token; others are pooled by the model itself."""
    return str(next(node.name for node in session.get_outputs() if len(node.shape) == _HIDDEN_RANK))

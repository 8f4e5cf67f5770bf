"""The folder of an encoder: any ONNX encoder is a drop-in, and nothing broken is ever opened."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from serving.contract.errors import SnapshotCorruptError
from serving.encoder.encoder import open_encoder

DIMENSION = 4
TABLE: NDArray[np.float32] = np.random.default_rng(0).normal(size=(30522, DIMENSION)).astype(np.float32)

MakeFolder = Callable[..., Path]


def _lookup_model(inputs: list[str], kind: int, *, pooled: bool = False) -> onnx.ModelProto:
    """Return a model whose last hidden state is each token's row of TABLE."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["states"])]
    outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["b", "s", DIMENSION])]
    if pooled:
        nodes.append(helper.make_node("ReduceMean", ["states"], ["pooled"], axes=[1], keepdims=0))
        outputs = [helper.make_tensor_value_info("pooled", TensorProto.FLOAT, ["b", DIMENSION])]
    graph = helper.make_graph(
        nodes,
        "lookup",
        [helper.make_tensor_value_info(name, kind, ["b", "s"]) for name in inputs],
        outputs,
        [numpy_helper.from_array(TABLE, "table")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture
def make_folder(tmp_path: Path, encoder_folder: Path) -> MakeFolder:
    def make(model: onnx.ModelProto | None = None, **settings: object) -> Path:
        folder = tmp_path / "drop-in"
        folder.mkdir()
        onnx.save(model or _lookup_model(["input_ids"], TensorProto.INT64), folder / "model.onnx")
        shutil.copy(encoder_folder / "tokenizer.json", folder)
        config = {"name": "lookup", "dimension": DIMENSION, "normalise": False} | settings
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return folder

    return make


@pytest.fixture
def copied(tmp_path: Path, encoder_folder: Path) -> Path:
    return Path(shutil.copytree(encoder_folder, tmp_path / "encoder"))


@pytest.mark.parametrize("inputs", [["input_ids"], ["input_ids", "attention_mask", "token_type_ids"]])
@pytest.mark.parametrize("kind", [TensorProto.INT32, TensorProto.INT64])
def test_inputs_are_those_that_the_model_names(make_folder: MakeFolder, inputs: list[str], kind: int) -> None:
    encoder = open_encoder(make_folder(_lookup_model(inputs, kind)))
    ids = encoder.tokenizer.query_ids("fair use")
    assert np.allclose(encoder.encode_query("fair use"), TABLE[ids].mean(axis=0), atol=1e-6)


def test_cls_pooling_takes_the_first_token(make_folder: MakeFolder) -> None:
    encoder = open_encoder(make_folder(pooling="cls"))
    assert np.array_equal(encoder.encode_query("fair use"), TABLE[encoder.tokenizer.query_ids("")[0]])


def test_prefixes_are_put_before_queries_and_passages(make_folder: MakeFolder) -> None:
    encoder = open_encoder(make_folder(query_prefix="query: ", passage_prefix="in the passage: "))
    plain = encoder.tokenizer.tokenize("law").ids
    assert np.array_equal(
        encoder.tokenizer.query_ids("law")[1:-1], encoder.tokenizer.tokenize("query: law").ids
    )
    (passage,) = encoder.tokenizer.passage_ids(["law"])
    assert len(passage) == len(plain) + encoder.tokenizer.overhead


def test_what_changes_vectors_changes_the_hash(make_folder: MakeFolder) -> None:
    folder = make_folder()
    mean = open_encoder(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"pooling": "cls"}))
    assert open_encoder(folder).sha256 != mean.sha256
    (folder / "config.json").write_text(json.dumps(config | {"name": "other"}))
    assert open_encoder(folder).sha256 == mean.sha256


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_missing_file_is_named(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(SnapshotCorruptError, match=f"{name}: is missing"):
        open_encoder(copied)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_changed_file_is_refused(copied: Path, name: str) -> None:
    content = bytearray((copied / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / name).write_bytes(content)
    with pytest.raises(SnapshotCorruptError, match=f"{name}: has SHA-256"):
        open_encoder(copied)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_file_that_is_something_else_is_named(make_folder: MakeFolder, name: str) -> None:
    folder = make_folder()
    (folder / name).write_bytes(b"<html>404</html>")
    with pytest.raises(SnapshotCorruptError, match=name):
        open_encoder(folder)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"pooling": "max"}, "known are mean, cls"),
        ({"dimension": 5}, "no vectors of length 5"),
        ({"dimension": 0}, "must be positive"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_impossible_configuration_is_refused(
    make_folder: MakeFolder, settings: dict[str, object], reason: str
) -> None:
    with pytest.raises(SnapshotCorruptError, match=reason):
        open_encoder(make_folder(**settings))


def test_model_with_an_input_that_no_text_gives_is_refused(make_folder: MakeFolder) -> None:
    with pytest.raises(SnapshotCorruptError, match="pixel_values"):
        open_encoder(make_folder(_lookup_model(["input_ids", "pixel_values"], TensorProto.INT64)))


def test_model_without_a_vector_per_token_is_refused(make_folder: MakeFolder) -> None:
    with pytest.raises(SnapshotCorruptError, match="batch, tokens, dimension"):
        open_encoder(make_folder(_lookup_model(["input_ids"], TensorProto.INT64, pooled=True)))

"""The graph of queries: the function of that of passages, in steps that are quicker."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from numpy.typing import NDArray

from assets.encoder.graph import bert_graph, quantised
from assets.encoder.query_graph import quick_graph
from assets.encoder.reference import reference_states
from assets.encoder.tower import load_tower
from assets.encoder.weights import BertShape, Weights, find_model_folder, load_weights
from serving.encoder.encoder import open_encoder
from tests.conftest import QUERY_TOWER

Ids = NDArray[np.int32]
UNSEEN = [
    "my boss fired me after i told him i was pregnant",
    "statute of limitations breach of written contract",
    "18 USC 1956(h)",
    "can they tow my car from a lot without any sign",
    "a",
]


@pytest.fixture(scope="module")
def trained() -> tuple[Weights, BertShape]:
    weights, shape = load_weights(find_model_folder())
    return load_tower(QUERY_TOWER).applied_to(weights), shape


@pytest.fixture(scope="module")
def sequences(encoder_folder: Path) -> list[Ids]:
    tokenizer = open_encoder(encoder_folder).tokenizer
    return [tokenizer.query_ids(query) for query in ("", *UNSEEN)]


def _states(model: onnx.ModelProto, ids: Ids) -> NDArray[np.float32]:
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    states: NDArray[np.float32] = session.run(
        None, {"input_ids": ids[np.newaxis], "attention_mask": np.ones((1, len(ids)), np.int32)}
    )[0][0]
    return states


def test_it_is_the_same_function(trained: tuple[Weights, BertShape], sequences: list[Ids]) -> None:
    quick, _ = quick_graph(bert_graph(*trained), sequences[0])
    for ids in sequences:
        assert np.abs(_states(quick, ids) - reference_states(*trained, ids)).max() < 1e-3


def test_large_values_alone_are_multiplied_apart(
    trained: tuple[Weights, BertShape], sequences: list[Ids]
) -> None:
    model = bert_graph(*trained)
    of_empty, apart = quick_graph(model, sequences[0])
    assert apart, "the weights that are shipped have some"
    for ids in sequences[1:]:
        # They are those of the first and the last token: any text tells them.
        assert quick_graph(model, ids) == (of_empty, apart)
    channels = [tensor for tensor in of_empty.graph.initializer if tensor.name.endswith(".channels")]
    assert len(channels) == len(apart)
    assert all(len(onnx.numpy_helper.to_array(tensor)) <= 3 for tensor in channels)


def test_what_is_not_large_is_left_as_it_is(trained: tuple[Weights, BertShape], sequences: list[Ids]) -> None:
    weights, shape = trained
    small = {
        name: value / np.float32(20) if "intermediate" in name else value for name, value in weights.items()
    }
    quick, apart = quick_graph(bert_graph(small, shape), sequences[0])
    assert apart == ()
    assert not any(node.op_type == "SkipLayerNormalization" for node in quick.graph.node)


def test_no_large_product_stays_in_float(trained: tuple[Weights, BertShape], sequences: list[Ids]) -> None:
    model = quantised(*quick_graph(bert_graph(*trained), sequences[0]))
    sizes = {tensor.name: tensor.dims for tensor in model.graph.initializer}
    floats = [sizes[node.input[1]] for node in model.graph.node if node.op_type == "MatMul"]
    assert floats
    assert all(rows <= 3 for rows, _ in floats)


def test_unseen_queries_are_as_near_the_reference_as_in_the_form_of_passages(
    trained: tuple[Weights, BertShape], sequences: list[Ids]
) -> None:
    model = bert_graph(*trained)
    quick = quantised(*quick_graph(model, sequences[0]))
    cosines = []
    for ids in sequences[1:]:  # nobody may ask for nothing
        reference = reference_states(*trained, ids).mean(axis=0)
        for form in (quick, quantised(model)):
            vector = _states(form, ids).mean(axis=0)
            cosines.append(vector @ reference / np.linalg.norm(vector) / np.linalg.norm(reference))
    ours, passages = np.array(cosines).reshape(-1, 2).T
    assert ours.min() > 0.98
    assert ours.mean() > passages.mean() - 0.002

"""The graph of the encoder of queries: that of passages, rewritten in operators that are quicker.

Vectors differ by roundings. Passages keep their graph: with another the whole law would be encoded again.
"""

from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

_SKIP_NORM, _PRODUCT = "SkipLayerNormalization", "MatMul"
_NARROWING = ".narrow"
_LARGE = 8.0
"""Absolute value beyond which one channel takes away from the precision of all others: these reach 6."""
_APART = ".apart"
"""End of the names of products that stay in float."""


def quick_graph(model: onnx.ModelProto, ids: NDArray[np.int32]) -> tuple[onnx.ModelProto, tuple[str, ...]]:
    """Return a graph of the same function, and the names of its products that have to stay in float.

    A norm of a sum is taken in two steps, for which ONNX Runtime has a kernel that is four times as quick as
    the fused one. The narrowing products of passages that stay in float need not, once the few channels with
    large values are multiplied apart.

    Args:
        model: the float32 graph, as `bert_graph` gives it.
        ids: token ids of any text: the large values are those of its first and last token.
    """
    quick = onnx.ModelProto()
    quick.CopyFrom(model)
    large = _large_channels(model, ids)
    weights = {tensor.name: tensor for tensor in quick.graph.initializer}
    nodes: list[onnx.NodeProto] = []
    added: list[onnx.TensorProto] = []
    for node in quick.graph.node:
        if node.op_type == _SKIP_NORM:
            nodes += _two_steps(node)
        elif node.name in large:
            kernel = numpy_helper.to_array(weights[node.input[1]])
            more, tensors = _multiplied_apart(node, kernel, large[node.name])
            nodes += more
            added += tensors
        else:
            nodes.append(node)
    del quick.graph.node[:]
    quick.graph.node.extend(nodes)
    quick.graph.initializer.extend(added)
    return quick, tuple(name + _APART for name in large)


def _large_channels(model: onnx.ModelProto, ids: NDArray[np.int32]) -> dict[str, NDArray[np.int64]]:
    """Return the channels with large values in what each narrowing product takes, by its name."""
    products = [
        node for node in model.graph.node if node.op_type == _PRODUCT and node.name.endswith(_NARROWING)
    ]
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    inputs = [node.input[0] for node in products]
    watched.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "tokens", "channels"])
        for name in inputs
    )
    session = ort.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    feed = {"input_ids": ids[np.newaxis], "attention_mask": np.ones((1, len(ids)), np.int32)}
    found = {}
    for node, values in zip(products, session.run(inputs, feed), strict=True):
        channels = np.flatnonzero(np.abs(values[0]).max(axis=0) > _LARGE)
        if len(channels):
            found[node.name] = channels
    return found


def _two_steps(node: onnx.NodeProto) -> list[onnx.NodeProto]:
    value, skipped, scale, shift, bias = node.input
    (output,) = node.output
    return [
        helper.make_node("Add", [value, bias], [f"{output}.biased"], name=f"{output}.biased"),
        # `Sum` and not `Add`, which ONNX Runtime would fuse with the norm again.
        helper.make_node("Sum", [f"{output}.biased", skipped], [f"{output}.sum"], name=f"{output}.sum"),
        helper.make_node(
            "LayerNormalization",
            [f"{output}.sum", scale, shift],
            [output],
            name=output,
            axis=-1,
            epsilon=next(each.f for each in node.attribute if each.name == "epsilon"),
        ),
    ]


def _multiplied_apart(
    node: onnx.NodeProto, kernel: NDArray[np.float32], channels: NDArray[np.int64]
) -> tuple[list[onnx.NodeProto], list[onnx.TensorProto]]:
    """Return nodes and constants for a product whose large channels are multiplied by themselves."""
    value, name, (output,) = node.input[0], node.name, node.output
    others = np.ones(len(kernel), np.float32)
    others[channels] = 0.0
    constants: dict[str, np.ndarray] = {"channels": channels, "kernel": kernel[channels], "others": others}
    tensors = [numpy_helper.from_array(array, f"{name}.{part}") for part, array in constants.items()]

    def step(operator: str, inputs: list[str], result: str, **attributes: Any) -> onnx.NodeProto:
        return helper.make_node(operator, inputs, [result], name=result, **attributes)

    return [
        step("Gather", [value, f"{name}.channels"], f"{name}.large", axis=2),
        step(_PRODUCT, [f"{name}.large", f"{name}.kernel"], name + _APART),
        step("Mul", [value, f"{name}.others"], f"{name}.small"),
        step(_PRODUCT, [f"{name}.small", node.input[1]], f"{name}.rest"),
        step("Add", [f"{name}.rest", name + _APART], output),
    ], tensors

"""The checks on chunks and vectors: each fault that they exist for is found and named."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from assets.text.chunking import chunk_provisions
from assets.text.validate import check_coverage, check_token_bound, check_vectors
from serving.contract.records import CHUNKS
from serving.encoder.tokens import PassageTokenizer

MakeProvisions = Callable[[Sequence[dict[str, Any]]], pa.Table]
Rows = list[dict[str, Any]]


@pytest.fixture
def provisions(make_provisions: MakeProvisions) -> pa.Table:
    sentence = "The owner shall record the deed before the notary does.\n"
    return make_provisions([{"text": sentence * 60}, {"heading": "Repealed"}, {"text": sentence}])


@pytest.fixture
def rows(provisions: pa.Table, tokenizer: PassageTokenizer) -> Rows:
    made: Rows = chunk_provisions(provisions, tokenizer, "e" * 64).to_pylist()
    assert [row["number"] for row in made][-3:] == [made[-3]["number"], 0, 0]
    return made


def table(rows: Rows) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=CHUNKS)


def test_good_chunks_pass_with_their_figures(
    provisions: pa.Table, rows: Rows, tokenizer: PassageTokenizer
) -> None:
    coverage = check_coverage(provisions, table(rows))
    assert coverage.passed
    assert (coverage.examined, coverage.measured["chunks"]) == (3, len(rows))
    bound = check_token_bound(provisions, table(rows), tokenizer)
    assert bound.passed
    assert bound.measured["longest"] == max(row["tokens"] for row in rows)


def gap(rows: Rows) -> Rows:
    rows[1]["start"] += 1
    return rows


def overlap(rows: Rows) -> Rows:
    rows[1]["start"] -= 1
    return rows


def short_end(rows: Rows) -> Rows:
    rows[-1]["end"] -= 1
    return rows


def lost_chunk(rows: Rows) -> Rows:
    return rows[1:]


def lost_empty_chunk(rows: Rows) -> Rows:
    return rows[:-2] + rows[-1:]


def lost_last_chunk(rows: Rows) -> Rows:
    return rows[:-1]


def wrong_number(rows: Rows) -> Rows:
    rows[1]["number"] = 7
    return rows


def swapped_provisions(rows: Rows) -> Rows:
    return [*rows[:-2], rows[-1], rows[-2]]


def unknown_provision(rows: Rows) -> Rows:
    return [*rows, rows[0] | {"node_id": "unknown"}]


@pytest.mark.parametrize(
    "fault",
    [gap, overlap, short_end, lost_chunk, lost_empty_chunk, lost_last_chunk, wrong_number, swapped_provisions,
     unknown_provision],
)  # fmt: skip
def test_fault_in_coverage_is_found(provisions: pa.Table, rows: Rows, fault: Callable[[Rows], Rows]) -> None:
    verdict = check_coverage(provisions, table(fault(rows)))
    assert not verdict.passed
    assert all(finding.message for finding in verdict.findings)


def test_container_without_text_has_no_chunk(make_provisions: MakeProvisions, rows: Rows) -> None:
    container = make_provisions([{"citable": False}])
    assert check_coverage(container, table([])).passed
    empty = rows[-2] | {"node_id": container["node_id"][0].as_py()}
    assert not check_coverage(container, table([empty])).passed


def test_wrong_or_excessive_token_count_is_found(
    provisions: pa.Table, rows: Rows, tokenizer: PassageTokenizer
) -> None:
    rows[0]["tokens"] -= 1
    verdict = check_token_bound(provisions, table(rows), tokenizer)
    assert [finding.where for finding in verdict.findings] == [rows[0]["node_id"]]
    rows[0]["end"] = len(provisions["text"][0].as_py())
    verdict = check_token_bound(provisions, table(rows[:1]), tokenizer)
    assert "allowed 256" in verdict.findings[0].message


def unit_vectors(count: int) -> NDArray[np.float16]:
    vectors = np.random.default_rng(0).normal(size=(count, 384))
    unit: NDArray[np.float16] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
    return unit


def test_unit_vectors_pass() -> None:
    verdict = check_vectors(unit_vectors(50), chunks=50, dimension=384)
    assert verdict.passed
    assert 0 < float(verdict.measured["largest_deviation_from_unit_length"]) < 2e-3


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0, 1.0])
def test_vector_that_is_not_of_unit_length_is_named(value: float) -> None:
    vectors = unit_vectors(5)
    vectors[3] = value
    verdict = check_vectors(vectors, chunks=5, dimension=384)
    assert [finding.where for finding in verdict.findings] == ["row 3"]


@pytest.mark.parametrize(("chunks", "dimension"), [(4, 384), (5, 383)])
def test_wrong_shape_is_named(chunks: int, dimension: int) -> None:
    verdict = check_vectors(unit_vectors(5), chunks=chunks, dimension=dimension)
    assert [finding.code for finding in verdict.findings] == ["vectors_shape"]


def test_float32_is_refused() -> None:
    assert not check_vectors(unit_vectors(5).astype(np.float32), chunks=5, dimension=384).passed

"""The pure checks behind the blocking checks on chunks and embeddings."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.findings import Finding, Verdict
from assets.text.passages import passage
from serving.encoder.tokens import PassageTokenizer

UNIT_LENGTH_TOLERANCE = 2e-3
"""Float16 keeps eleven bits: a vector of 384 rounded components stays within a quarter of this."""

_RECOUNTED_AT_ONCE = 4096


def check_coverage(provisions: pa.Table, chunks: pa.Table) -> Verdict:
    """Say whether the chunks, in the provisions' order, cover each text without gap or overlap.

    A provision without text has one empty chunk if it is citable, and none if it is not.
    """
    nodes = provisions.column("node_id").to_pylist()
    lengths = pc.utf8_length(provisions.column("text")).to_pylist()
    citable = provisions.column("citable").to_pylist()
    columns = zip(
        *(chunks.column(name).to_pylist() for name in ("node_id", "number", "start", "end")), strict=True
    )
    waiting = next(columns, None)
    findings = []
    for node, length, is_citable in zip(nodes, lengths, citable, strict=True):
        spans = []
        while waiting is not None and waiting[0] == node:
            spans.append(waiting[1:])
            waiting = next(columns, None)
        fault = _coverage_fault(spans, length, citable=is_citable)
        if fault:
            findings.append(Finding("text_not_covered", node, fault))
    if waiting is not None:
        message = "is not where its provision stands; the chunks from here on were not looked at"
        findings.append(Finding("chunk_misplaced", waiting[0], message))
    return Verdict(len(nodes), findings, {"provisions": len(nodes), "chunks": chunks.num_rows})


def check_token_bound(
    provisions: pa.Table, chunks: pa.Table, tokenizer: PassageTokenizer, *, known: pa.Table | None = None
) -> Verdict:
    """Say whether what is encoded for each chunk, tokenised anew, is as long as stated and not too long.

    Args:
        provisions: whose texts are cut.
        chunks: to look at.
        tokenizer: of the encoder.
        known: chunks that were looked at before. Those with the key and the tokens of one of them are passed
            over: a key is the hash of what is encoded.
    """
    examined = chunks.num_rows
    if known is not None:
        chunks = _without(chunks, known)
    findings = []
    longest = 0
    first = 0
    for passages, stated, nodes in _passages(provisions, chunks):
        counts = tokenizer.count(passages) + tokenizer.overhead
        longest = max(longest, int(counts.max(initial=0)))
        for index in np.flatnonzero((counts != stated) | (counts > tokenizer.max_tokens)):
            message = (
                f"chunk in row {first + index} has {counts[index]} tokens, stated {stated[index]}, "
                f"allowed {tokenizer.max_tokens}"
            )
            findings.append(Finding("chunk_tokens", nodes[index], message))
        first += len(passages)
    measured: dict[str, float | int | str] = {"longest": longest, "allowed": tokenizer.max_tokens}
    if known is not None:
        measured["counted when they were made"] = examined - chunks.num_rows
    return Verdict(examined, findings, measured)


def check_vectors(vectors: NDArray[np.float16], *, chunks: int, dimension: int) -> Verdict:
    """Say whether there is one finite unit vector of the right dimension a chunk."""
    if vectors.shape != (chunks, dimension) or vectors.dtype != np.float16:
        message = f"{vectors.dtype} of shape {vectors.shape}, expected float16 of ({chunks}, {dimension})"
        return Verdict(chunks, [Finding("vectors_shape", "embeddings", message)])
    lengths = np.sqrt(np.einsum("nd,nd->n", vectors, vectors, dtype=np.float32))
    strayed = np.abs(lengths - 1)
    # A vector that is not finite has no length: the comparison must fail for it.
    wrong = np.flatnonzero(~(strayed <= UNIT_LENGTH_TOLERANCE))
    findings = [
        Finding("vector_not_unit", f"row {row}", f"has length {lengths[row]:.5f}") for row in wrong.tolist()
    ]
    worst = float(strayed[np.isfinite(strayed)].max(initial=0))
    return Verdict(chunks, findings, {"vectors": chunks, "largest_deviation_from_unit_length": worst})


def _without(chunks: pa.Table, known: pa.Table) -> pa.Table:
    """Return the chunks that are not among the known ones."""
    seen = set(_measured(known))
    return chunks.filter(pa.array([pair not in seen for pair in _measured(chunks)], pa.bool_()))


def _measured(chunks: pa.Table) -> Iterator[tuple[str, int]]:
    return zip(*(chunks.column(name).to_pylist() for name in ("key", "tokens")), strict=True)


def _coverage_fault(spans: list[tuple[int, int, int]], length: int, *, citable: bool) -> str | None:
    if not length:
        expected = [(0, 0, 0)] if citable else []
        return None if spans == expected else f"has no text, expected spans {expected}, found {spans[:3]}"
    position = 0
    for expected_number, (number, start, end) in enumerate(spans):
        if number != expected_number:
            return f"chunk {expected_number} bears the number {number}"
        if start != position or end <= start:
            return f"chunk {number} is [{start}, {end}), expected to start at {position}"
        position = end
    return None if position == length else f"chunks end at {position}, the text at {length}"


def _passages(
    provisions: pa.Table, chunks: pa.Table
) -> Iterator[tuple[list[str], NDArray[np.int32], list[str]]]:
    """Yield what is encoded, the stated tokens and the provisions of some thousand chunks at a time."""
    texts = dict(
        zip(provisions.column("node_id").to_pylist(), provisions.column("text").to_pylist(), strict=True)
    )
    for first in range(0, chunks.num_rows, _RECOUNTED_AT_ONCE):
        rows = chunks.slice(first, _RECOUNTED_AT_ONCE)
        nodes, starts, ends, contexts = (
            rows.column(name).to_pylist() for name in ("node_id", "start", "end", "context")
        )
        encoded = [
            passage(context, texts.get(node, "")[start:end])
            for node, start, end, context in zip(nodes, starts, ends, contexts, strict=True)
        ]
        yield encoded, rows.column("tokens").to_numpy(), nodes

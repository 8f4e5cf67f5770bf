"""The chunks of a code body: spans of its provisions' texts, each short enough for the encoder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.progress import Advance
from assets.text.context import HeadingTrail, context_lines, heading_trails
from assets.text.kept import Before, in_order, unchanged
from assets.text.passages import chunk_key, passage
from assets.text.splitting import Divisible, Span, split_texts
from serving.contract.records import CHUNKS, Outline
from serving.encoder.tokens import PassageTokenizer

CONTEXT_TOKENS = 64
"""The most tokens of a context line; a quarter of the longest input where that is less."""

_BATCH_CHARACTERS = 2_000_000
_EMPTY = (Span(0, 0, 0),)


@dataclass(frozen=True, slots=True)
class ChunkBatch:
    """The chunks of the next provisions; `provisions` counts the rows of the table that are done so far."""

    chunks: pa.RecordBatch
    provisions: int


def chunk_provisions(provisions: pa.Table, tokenizer: PassageTokenizer, encoder_sha256: str) -> pa.Table:
    """Return the chunks (contract `CHUNKS`) of a table of contract `PROVISIONS`, in its order.

    Chunks cover each text without gap or overlap. A citable provision without text has one empty chunk, so
    that it is found by its heading; a container without text has none.
    """
    batches = chunk_batches(provisions, tokenizer, encoder_sha256)
    return pa.Table.from_batches([batch.chunks for batch in batches], schema=CHUNKS)


def chunk_anew(
    provisions: pa.Table,
    tokenizer: PassageTokenizer,
    encoder_sha256: str,
    *,
    before: Before | None,
    advance: Advance,
) -> pa.Table:
    """Return the same chunks, those of provisions that did not change taken from the build before.

    Args:
        provisions: of the code body.
        tokenizer: of the encoder.
        encoder_sha256: of the encoder.
        before: what another build made of earlier provisions with the same encoder; None: nothing.
        advance: told how many of the provisions that are new are done.
    """
    if before is None:
        kept, same = [], None
        new = provisions.num_rows
    else:
        same = unchanged(provisions, before.provisions)
        held = pc.is_in(before.chunks.column("node_id"), provisions.column("node_id").filter(same))
        kept = [before.chunks.filter(held)]
        new = int((~same).sum())
    made = []
    for batch in chunk_batches(provisions, tokenizer, encoder_sha256, skipped=same):
        made.append(batch.chunks)
        advance(batch.provisions, new)
    return in_order(provisions, [*kept, pa.Table.from_batches(made, schema=CHUNKS)])


def chunk_batches(
    provisions: pa.Table,
    tokenizer: PassageTokenizer,
    encoder_sha256: str,
    *,
    skipped: NDArray[np.bool_] | None = None,
) -> Iterator[ChunkBatch]:
    """Yield the same chunks in batches of about two million characters of text, for progress.

    Args:
        provisions: all of the code body, since headings come from above.
        tokenizer: of the encoder.
        encoder_sha256: of the encoder.
        skipped: rows of which no chunks are wanted; None: all are.
    """
    trails = heading_trails(provisions)
    if skipped is not None:
        wanted = np.flatnonzero(~skipped)
        provisions, trails = provisions.take(pa.array(wanted)), [trails[row] for row in wanted.tolist()]
    first = 0
    for end in _batch_ends(provisions):
        rows = _rows(provisions.slice(first, end - first), trails[first:end])
        yield ChunkBatch(_chunked(rows, tokenizer, encoder_sha256), end)
        first = end


@dataclass(frozen=True, slots=True)
class _Row:
    node_id: str
    trail: HeadingTrail
    text: str
    outline: tuple[Outline, ...]


def _batch_ends(provisions: pa.Table) -> list[int]:
    """Return the row before which each batch ends; a text longer than a batch ends its own."""
    sizes = pc.utf8_length(provisions.column("text")).to_numpy()
    batches = np.cumsum(sizes) // _BATCH_CHARACTERS
    ends = np.flatnonzero(np.diff(batches)) + 1
    return [*ends.tolist(), provisions.num_rows] if provisions.num_rows else []


def _rows(provisions: pa.Table, trails: Sequence[HeadingTrail]) -> list[_Row]:
    """Return the rows that have chunks: those with text and those that are citable."""
    columns = ("node_id", "citable", "text", "outline")
    return [
        _Row(node, trail, text, tuple(Outline(**part) for part in outline))
        for trail, node, citable, text, outline in zip(
            trails, *(provisions.column(name).to_pylist() for name in columns), strict=True
        )
        if text or citable
    ]


def _chunked(rows: Sequence[_Row], tokenizer: PassageTokenizer, encoder_sha256: str) -> pa.RecordBatch:
    limit = min(CONTEXT_TOKENS, tokenizer.max_tokens // 4)
    contexts = context_lines([row.trail for row in rows], tokenizer, limit=limit)
    # With its line break, which some tokenizers count.
    fixed = [int(count) + tokenizer.overhead for count in tokenizer.count([line + "\n" for line in contexts])]
    texts = [
        Divisible(row.text, row.outline, tokenizer.max_tokens - used)
        for row, used in zip(rows, fixed, strict=True)
    ]
    chunks = [
        (row.node_id, number, span.start, span.end, context, key, used + span.tokens)
        for row, context, used, spans in zip(
            rows, contexts, fixed, split_texts(texts, tokenizer), strict=True
        )
        for number, (span, key) in enumerate(_keyed(row.text, context, spans or _EMPTY, encoder_sha256))
    ]
    columns = list(zip(*chunks, strict=True)) if chunks else [()] * len(CHUNKS)
    return pa.record_batch(
        [pa.array(column, field.type) for column, field in zip(columns, CHUNKS, strict=True)], schema=CHUNKS
    )


def _keyed(text: str, context: str, spans: Sequence[Span], encoder_sha256: str) -> Iterator[tuple[Span, str]]:
    for span in spans:
        yield span, chunk_key(encoder_sha256, passage(context, text[span.start : span.end]))

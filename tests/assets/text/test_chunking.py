"""The chunks of a table: which provisions have any, what they are called, how they are named."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from assets.text import chunking
from assets.text.chunking import chunk_batches, chunk_provisions
from assets.text.validate import check_coverage, check_token_bound
from serving.contract.records import CHUNKS
from serving.encoder.tokens import PassageTokenizer

MakeProvisions = Callable[[Sequence[dict[str, Any]]], pa.Table]

SHA = "e" * 64
LONG = "\n".join(
    f"({number}) The owner of copyright has the exclusive rights to do so." for number in range(60)
)
ROWS: list[dict[str, Any]] = [
    {"heading": "Copyrights", "citable": False, "level": "title"},
    {"heading": "Scope", "citable": False, "level": "chapter", "parent": 0, "text": "This chapter is law."},
    {"heading": "Fair use", "parent": 1, "text": "Fair use is not an infringement."},
    {"heading": "[Repealed]", "parent": 1, "status": "repealed"},
    {"heading": "Rights", "parent": 1, "text": LONG},
    {"heading": "Empty container", "citable": False, "level": "chapter", "parent": 0},
]


def test_texts_and_citable_provisions_have_chunks(
    make_provisions: MakeProvisions, tokenizer: PassageTokenizer
) -> None:
    provisions = make_provisions(ROWS)
    chunks = chunk_provisions(provisions, tokenizer, SHA)
    assert chunks.schema == CHUNKS
    nodes = provisions.column("node_id").to_pylist()
    having = list(dict.fromkeys(chunks.column("node_id").to_pylist()))
    assert having == [nodes[1], nodes[2], nodes[3], nodes[4]]
    rows = chunks.to_pylist()
    assert [(row["number"], row["start"], row["end"]) for row in rows[:3]] == [
        (0, 0, 20),
        (0, 0, 32),
        (0, 0, 0),
    ]
    assert [row["number"] for row in rows[3:]] == list(range(len(rows) - 3))
    assert len(rows) > 5
    assert check_coverage(provisions, chunks).passed
    assert check_token_bound(provisions, chunks, tokenizer).passed


def test_context_and_key_follow_from_place_text_and_encoder(
    make_provisions: MakeProvisions, tokenizer: PassageTokenizer
) -> None:
    chunks = chunk_provisions(make_provisions(ROWS), tokenizer, SHA).to_pylist()
    context = "17 U.S.C. § 2 — Copyrights > Scope — Fair use"
    assert chunks[1]["context"] == context
    encoded = f"{context}\nFair use is not an infringement."
    assert chunks[1]["key"] == hashlib.sha256(f"{SHA}\0{encoded}".encode()).hexdigest()
    assert chunks[1]["tokens"] == len(tokenizer.passage_ids([encoded])[0])
    assert len({chunk["key"] for chunk in chunks}) == len(chunks)
    other = chunk_provisions(make_provisions(ROWS), tokenizer, "f" * 64)
    assert set(other.column("key").to_pylist()).isdisjoint(chunk["key"] for chunk in chunks)


def test_empty_chunk_is_encoded_as_its_context_alone(
    make_provisions: MakeProvisions, tokenizer: PassageTokenizer
) -> None:
    repealed = chunk_provisions(make_provisions(ROWS), tokenizer, SHA).to_pylist()[2]
    context = "17 U.S.C. § 3 — Copyrights > Scope — [Repealed]"
    assert repealed["key"] == hashlib.sha256(f"{SHA}\0{context}".encode()).hexdigest()
    assert repealed["tokens"] == len(tokenizer.passage_ids([context])[0])


def test_batches_are_the_table_in_pieces(
    make_provisions: MakeProvisions, tokenizer: PassageTokenizer, monkeypatch: Any
) -> None:
    provisions = make_provisions(ROWS)
    whole = chunk_provisions(provisions, tokenizer, SHA)
    monkeypatch.setattr(chunking, "_BATCH_CHARACTERS", 30)
    batches = list(chunk_batches(provisions, tokenizer, SHA))
    assert len(batches) > 2
    assert batches[-1].provisions == provisions.num_rows
    assert pa.Table.from_batches([batch.chunks for batch in batches]).equals(whole)


def test_no_provisions_have_no_chunks(make_provisions: MakeProvisions, tokenizer: PassageTokenizer) -> None:
    empty = chunk_provisions(make_provisions([]), tokenizer, SHA)
    assert empty.schema == CHUNKS
    assert empty.num_rows == 0

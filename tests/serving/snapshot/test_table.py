"""Nodes, chunks and lists of children, read by row and by id."""

import uuid
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import orjson
import pyarrow as pa
import pytest

from serving.contract.errors import DamagedFileError, NotFoundError
from serving.contract.identity import code_body_id, content_etag, node_id
from serving.snapshot.store import Snapshot
from serving.snapshot.table import Bodies, Repeated

Row = Callable[[str], int]


def test_every_node_is_found_by_its_id(snapshot: Snapshot) -> None:
    for row in range(len(snapshot.nodes)):
        assert snapshot.nodes.find(snapshot.nodes.id(row)) == row


@pytest.mark.parametrize("value", [0, 1, 2**64, 2**127, 2**128 - 1])
def test_an_unknown_id_is_not_found(value: int, snapshot: Snapshot) -> None:
    assert snapshot.nodes.find(uuid.UUID(int=value)) is None


def test_an_id_that_shares_half_with_a_node_is_not_found(snapshot: Snapshot) -> None:
    known = snapshot.nodes.id(5)
    assert snapshot.nodes.find(uuid.UUID(int=known.int ^ 1)) is None
    assert snapshot.nodes.find(uuid.UUID(int=known.int ^ (1 << 64))) is None


def test_columns_agree_with_the_answer(snapshot: Snapshot) -> None:
    nodes = snapshot.nodes
    for row in range(len(nodes)):
        body = nodes.body(row)
        answer = orjson.loads(body.plain)
        assert body.etag == content_etag(bytes(body.plain))
        assert answer["id"] == str(nodes.id(row))
        assert answer["text"] == nodes.text(row)
        assert answer["tags"] == nodes.tags(row)
        assert answer["codeBody"]["id"] == nodes.code_body(row).id
        assert (answer["citation"], answer["heading"], answer["level"], answer["status"]) == (
            nodes.citation(row),
            nodes.heading(row),
            nodes.level(row),
            nodes.status(row),
        )
        assert answer["jurisdiction"] == nodes.jurisdiction(row)


@pytest.mark.parametrize("distinct", [0, 1, 3, 65_536, 65_537])
def test_repeated_strings_are_read_back_however_many_differ(distinct: int) -> None:
    values = [f"tag {number}" for number in range(distinct)] * 2
    column = Repeated(pa.array(values, pa.string()))
    assert [column.text(row) for row in range(len(values))] == values


def test_texts_are_bytes_and_characters(snapshot: Snapshot, row: Row) -> None:
    wide = row("/sample/code/t1/s102a")
    assert bytes(snapshot.nodes.text_bytes(wide)).decode() == snapshot.nodes.text(wide)
    assert snapshot.nodes.text(row("/sample/code/t1")) == ""


def test_chunks_cover_a_text_without_gap(snapshot: Snapshot, row: Row) -> None:
    long = row("/sample/code/t1/s104")
    first, last = snapshot.nodes.chunk_range(long)
    assert last - first > 5
    spans = [snapshot.chunks.span(chunk)[:2] for chunk in range(first, last)]
    assert spans[0][0] == 0
    assert spans[-1][1] == len(snapshot.nodes.text(long))
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    bare = snapshot.nodes.chunk_range(row("/sample/code/t2"))
    assert bare[0] == bare[1]


SAMPLE, CITY = code_body_id("sample-code"), code_body_id("sample-city-code")


def test_children_are_those_of_the_parent(snapshot: Snapshot) -> None:
    body = snapshot.browse.children(CITY, node_id("/sample-city/code/29"))
    assert [entry["num"] for entry in orjson.loads(body.plain)["nodes"]] == ["29-801.02", "29-102"]
    assert body.etag == content_etag(bytes(body.plain))


def test_a_section_has_a_ready_empty_list(snapshot: Snapshot) -> None:
    section = node_id("/sample/code/t1/s101")
    body = snapshot.browse.children(SAMPLE, section)
    assert orjson.loads(body.plain) == {"codeBodyId": str(SAMPLE), "parent": str(section), "nodes": []}
    assert body.etag == content_etag(bytes(body.plain))


def test_an_unknown_code_body_is_not_found(snapshot: Snapshot) -> None:
    with pytest.raises(NotFoundError) as refused:
        snapshot.browse.children(uuid.UUID(int=7), None)
    assert refused.value.kind == "code_body"


@pytest.mark.parametrize(
    "parent",
    [uuid.UUID(int=7), node_id("/sample-city/code/29"), node_id("/sample-city/code/29-102"), CITY, SAMPLE],
)
def test_a_parent_that_is_not_of_the_code_body_is_not_found(parent: uuid.UUID, snapshot: Snapshot) -> None:
    with pytest.raises(NotFoundError) as refused:
        snapshot.browse.children(SAMPLE, parent)
    assert refused.value.kind == "node"


def test_an_answer_that_differs_from_its_hash_is_no_values(tmp_path: Path) -> None:
    def batch(body: bytes) -> pa.RecordBatch:
        columns = {"body": [body], "gzip": [None], "zstd": [None], "etag": [content_etag(b'{"id":1}')]}
        types = {"body": pa.binary(), "gzip": pa.binary(), "zstd": pa.binary(), "etag": pa.string()}
        return pa.record_batch({name: pa.array(values, types[name]) for name, values in columns.items()})

    assert bytes(Bodies(tmp_path, batch(b'{"id":1}')).plain(0)) == b'{"id":1}'
    damaged = Bodies(tmp_path, batch(b'{"id":2}'))
    assert damaged.etag(0) == content_etag(b'{"id":1}')
    with pytest.raises(DamagedFileError, match="holds another answer in row 0"):
        damaged.plain(0)

"""The numbering of nodes and chunks."""

import uuid

import numpy as np
import pyarrow as pa
import pytest

from assets.errors import BuildError
from assets.selection.numbering import Numbering, number

IDS = [str(uuid.uuid5(uuid.NAMESPACE_DNS, name)) for name in "abcdef"]


def _number(parents: list[int | None], chunks: list[tuple[int, int]], ids: list[str] = IDS) -> Numbering:
    provisions = pa.table(
        {
            "node_id": ids,
            "identifier": [f"/{place}" for place in range(len(ids))],
            "parent_id": pa.array([None if up is None else ids[up] for up in parents], pa.string()),
        }
    )
    spans = pa.table(
        {
            "node_id": pa.array([ids[place] for place, _ in chunks], pa.string()),
            "start": pa.array([start for _, start in chunks], pa.int32()),
        }
    )
    return number(provisions, spans)


def test_rows_are_in_the_order_of_ids() -> None:
    numbering = _number([None] * 6, [])
    integers = [(int(high) << 64) | int(low) for high, low in zip(numbering.high, numbering.low, strict=True)]
    assert integers == sorted(uuid.UUID(own).int for own in IDS)
    assert [IDS[position] for position in numbering.positions] == sorted(IDS)
    assert np.array_equal(numbering.rows[numbering.positions], np.arange(6))


def test_parents_are_positions() -> None:
    assert _number([None, 0, 1, 0, None, 4], []).parents.tolist() == [-1, 0, 1, 0, -1, 4]


def test_chunks_are_in_the_order_of_rows_then_starts() -> None:
    chunks = [(3, 100), (3, 0), (0, 0), (5, 7)]
    numbering = _number([None] * 6, chunks)
    given = [chunks[position] for position in numbering.chunk_positions]
    assert given == sorted(chunks, key=lambda chunk: (IDS[chunk[0]], chunk[1]))
    for row in range(6):
        first, last = numbering.chunk_bounds[row : row + 2]
        assert set(numbering.chunk_nodes[first:last].tolist()) <= {row}
    assert numbering.chunk_bounds[-1] == len(chunks)


def test_ids_that_end_or_begin_in_zero_bytes_are_told_apart() -> None:
    ids = [str(uuid.UUID(int=value)) for value in (0, 1 << 8, 1 << 16, 1 << 120, (1 << 120) + 1)]
    assert _number([None] * 5, [], ids).positions.tolist() == [0, 1, 2, 3, 4]


def test_a_double_id_is_refused_by_name() -> None:
    with pytest.raises(BuildError, match=r"1 node ids occur more than once, such as that of /\d"):
        _number([None, None], [], [IDS[0], IDS[0]])


def test_an_id_that_is_none_is_refused() -> None:
    with pytest.raises(BuildError, match="not a UUID"):
        _number([None], [], ["short"])


def test_a_chunk_of_no_provision_is_refused() -> None:
    provisions = pa.table(
        {"node_id": IDS[:1], "identifier": ["/0"], "parent_id": pa.array([None], pa.string())}
    )
    chunks = pa.table({"node_id": IDS[1:2], "start": pa.array([0], pa.int32())})
    with pytest.raises(BuildError, match="provision of a chunk"):
        number(provisions, chunks)

"""The one numbering of nodes and chunks that every table and index of a snapshot uses."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.errors import BuildError

_KEY = "S16"


@dataclass(frozen=True, slots=True)
class Numbering:
    """Node rows by id, chunk rows by (node row, start).

    A *position* counts provisions in the order of the tables: code bodies by key, documents' order within.

    Attributes:
        high: most significant half of each node's id, by row.
        low: the other half.
        positions: position of each node row.
        rows: node row of each position.
        parents: position of each position's parent; -1 at the top.
        chunk_nodes: node row of each chunk row.
        chunk_positions: position of each chunk row in the chunk tables, and so in the embeddings.
        chunk_bounds: first chunk row of each node row, and the count of chunks as last entry.
    """

    high: NDArray[np.uint64]
    low: NDArray[np.uint64]
    positions: NDArray[np.int64]
    rows: NDArray[np.int64]
    parents: NDArray[np.int64]
    chunk_nodes: NDArray[np.int64]
    chunk_positions: NDArray[np.int64]
    chunk_bounds: NDArray[np.int64]


def number(provisions: pa.Table, chunks: pa.Table) -> Numbering:
    """Number the nodes of `provisions` (`node_id`, `parent_id`) and the `chunks` (`node_id`, `start`).

    Raises:
        BuildError: an id occurs twice, or a parent or a chunk's provision is not there.
    """
    ids = _keys(provisions.column("node_id"))
    positions = np.argsort(ids, kind="stable")
    ordered = ids[positions]
    double = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(double):
        identifier = provisions.column("identifier")[int(positions[double[0]])].as_py()
        raise BuildError(f"{len(double)} node ids occur more than once, such as that of {identifier}.")
    rows = np.empty(len(ids), np.int64)
    rows[positions] = np.arange(len(ids))
    parents = _find(ordered, positions, provisions.column("parent_id"), "parent of a provision")
    chunk_nodes = rows[_find(ordered, positions, chunks.column("node_id"), "provision of a chunk")]
    starts = chunks.column("start").to_numpy()
    chunk_positions = np.lexsort((starts, chunk_nodes))
    halves = np.frombuffer(ordered.tobytes(), ">u8").astype(np.uint64).reshape(-1, 2)
    return Numbering(
        high=halves[:, 0],
        low=halves[:, 1],
        positions=positions,
        rows=rows,
        parents=parents,
        chunk_nodes=chunk_nodes[chunk_positions],
        chunk_positions=chunk_positions,
        chunk_bounds=np.searchsorted(chunk_nodes[chunk_positions], np.arange(len(ids) + 1)),
    )


def _keys(column: pa.ChunkedArray) -> np.ndarray:
    """Return UUID strings as 16 bytes each, which sort as their two unsigned halves do."""
    digits = "".join(pc.replace_substring(column, "-", "").to_pylist())
    if len(digits) != 32 * len(column):
        raise BuildError("A node id is not a UUID.")
    return np.frombuffer(bytes.fromhex(digits), f"V{16}").view(_KEY)


def _find(
    ordered: np.ndarray, positions: NDArray[np.int64], wanted: pa.ChunkedArray, what: str
) -> NDArray[np.int64]:
    """Return the position of each id; -1 for null."""
    found = np.full(len(wanted), -1, np.int64)
    given = np.flatnonzero(wanted.is_valid().to_numpy())
    if len(given) == 0:
        return found
    keys = _keys(wanted.drop_null())
    places = np.minimum(np.searchsorted(ordered, keys), max(len(ordered) - 1, 0))
    missing = np.flatnonzero(ordered[places] != keys) if len(ordered) else np.arange(len(keys))
    if len(missing):
        first = wanted[int(given[missing[0]])].as_py()
        raise BuildError(f"{len(missing)} times the {what} is no provision of the selection: first {first}.")
    found[given] = positions[places]
    return found

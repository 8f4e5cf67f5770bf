"""Build the vector index: a row of LanceDB for each chunk, the vectors as they are, and their short codes."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import Bitmap

from assets.errors import BuildError
from assets.search.codes import CODED_FROM, build_codes, code_lists
from assets.selection.selection import Selection
from assets.selection.sidecar import write_sidecar
from serving.contract import indexes
from serving.contract.layout import PASSAGE_VECTORS, VECTOR_CODES, VECTOR_TABLE, VECTORS

_BATCH_ROWS = 8_192


def build_vector_index(
    selection: Selection, destination: Path, *, progress: Callable[[int], None] = lambda _: None
) -> dict[str, int]:
    """Write the index into the empty folder `destination`.

    Args:
        selection: what the snapshot is built from.
        destination: takes the folder `vectors`.
        progress: called with the number of vectors written since the last call.

    Returns:
        `vectors`, `dimension`, and the `lists` of short codes (0: there are none).

    Raises:
        BuildError: embeddings are missing, not float16, or not as many as chunks.
    """
    arrays = [_embeddings(entry.embeddings, entry.chunk_count) for entry in selection.bodies]
    dimensions = {array.shape[1] for array in arrays}
    if len(dimensions) != 1:
        raise BuildError(f"Embeddings of different dimensions, {sorted(dimensions)}: encode again.")
    dimension = dimensions.pop()
    folder = destination / VECTORS
    folder.mkdir()
    schema = indexes.vector_schema(dimension)
    passages = np.lib.format.open_memmap(
        folder / PASSAGE_VECTORS, "w+", np.float16, (selection.chunks.num_rows, dimension)
    )
    table: Any = lancedb.connect(str(folder)).create_table(
        VECTOR_TABLE,
        pa.RecordBatchReader.from_batches(schema, _batches(selection, arrays, schema, passages, progress)),
    )
    passages.flush()
    rows, lists = selection.chunks.num_rows, 0
    if rows >= CODED_FROM:
        lists = code_lists(rows)
        build_codes(passages, folder / VECTOR_CODES, lists=lists)
    elif rows:
        for column in (indexes.JURISDICTION, indexes.CODE_BODY, indexes.STATUS):
            table.create_index(column, config=Bitmap())
    counts = {"vectors": int(table.count_rows()), "dimension": dimension, "lists": lists}
    if counts["vectors"] != selection.chunks.num_rows:
        raise BuildError(f"The vector index holds {counts['vectors']} of {selection.chunks.num_rows} chunks.")
    write_sidecar(destination, selection.inputs, used=("provisions", "chunks", "embeddings"), counts=counts)
    return counts


def _embeddings(path: Path, rows: int) -> np.ndarray:
    array: np.ndarray = np.load(path, mmap_mode="r")
    if array.dtype != np.float16 or array.ndim != 2 or len(array) != rows:
        found = f"{array.dtype} of shape {array.shape}"
        raise BuildError(f"{path} holds {found} instead of float16 in {rows} rows: encode again.")
    return array


def _batches(
    selection: Selection,
    arrays: Sequence[np.ndarray],
    schema: pa.Schema,
    passages: np.ndarray,
    progress: Callable[[int], None],
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the table in chunk order, gathering each vector from its code body's array.

    The vectors are written into `passages` as well.
    """
    numbering = selection.numbering
    firsts = np.cumsum([0, *(len(array) for array in arrays)])
    of_position = selection.body_of_positions()
    levels, statuses = (selection.provisions.column(name).to_numpy() for name in ("level", "status"))
    ids = np.array([entry.id for entry in selection.bodies], object)
    jurisdictions = np.array([entry.body.jurisdiction for entry in selection.bodies], object)
    for start in range(0, len(numbering.chunk_nodes), _BATCH_ROWS):
        nodes = numbering.chunk_nodes[start : start + _BATCH_ROWS]
        places = numbering.chunk_positions[start : start + _BATCH_ROWS]
        positions = numbering.positions[nodes]
        bodies = of_position[positions]
        vectors = np.empty((len(nodes), arrays[0].shape[1]), np.float16)
        for index, array in enumerate(arrays):
            mine = np.flatnonzero(bodies == index)
            vectors[mine] = array[places[mine] - firsts[index]]
        passages[start : start + len(nodes)] = vectors
        columns = [
            np.arange(start, start + len(nodes), dtype=np.uint32),
            nodes.astype(np.uint32),
            ids[bodies],
            jurisdictions[bodies],
            statuses[positions],
            levels[positions],
            pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1]),
        ]
        yield pa.RecordBatch.from_arrays(
            [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)],
            schema=schema,
        )
        progress(len(nodes))

"""Write the Arrow tables of a snapshot, one record batch each, without holding answers or texts in memory."""

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assets.compression import ReadyBody
from assets.release.spool import Spool
from assets.selection.selection import Selection
from serving.contract.identity import split
from serving.contract.records import SNAPSHOT_BROWSE, SNAPSHOT_CHUNKS, SNAPSHOT_NODES


class BodyColumns:
    """The four columns of ready answers, spooled in the order in which they are made."""

    def __init__(self, folder: Path) -> None:
        self._plain = Spool(folder / "body")
        self._gzip = Spool(folder / "gzip")
        self._zstd = Spool(folder / "zstd")
        self._etags: list[str] = []

    def append(self, body: ReadyBody) -> None:
        """Add one answer."""
        self._plain.append(body.plain)
        self._gzip.append(body.gzip)
        self._zstd.append(body.zstd)
        self._etags.append(body.etag)

    def arranged(self, order: Sequence[int] | np.ndarray) -> dict[str, pa.Array]:
        """Return the columns in `order`."""
        places = [int(place) for place in order]
        return {
            "body": self._plain.arranged(places, pa.large_binary()),
            "gzip": self._gzip.arranged(places, pa.large_binary()),
            "zstd": self._zstd.arranged(places, pa.large_binary()),
            "etag": pa.array([self._etags[place] for place in places], pa.string()),
        }


def write_nodes(path: Path, selection: Selection, *, texts: Spool, bodies: BodyColumns) -> None:
    """Write `nodes.arrow` from texts and answers that were spooled by position."""
    numbering = selection.numbering
    order = numbering.positions
    light = selection.provisions.select(["level", "status", "citation", "heading"]).take(pa.array(order))
    tags = pc.binary_join(selection.provisions.column("tags").combine_chunks(), " ").take(pa.array(order))
    bounds = numbering.chunk_bounds
    columns: dict[str, Any] = {
        "id_hi": numbering.high,
        "id_lo": numbering.low,
        "code_body": selection.body_of_positions()[order].astype(np.uint16),
        **{name: light.column(name).combine_chunks() for name in light.column_names},
        "tags": tags,
        "text": texts.arranged(order.tolist(), pa.large_string()),
        "chunk_start": bounds[:-1].astype(np.uint32),
        "chunk_end": bounds[1:].astype(np.uint32),
        **bodies.arranged(order),
    }
    _write(path, columns, SNAPSHOT_NODES)


def write_chunks(path: Path, selection: Selection) -> None:
    """Write `chunks.arrow`, with each span in characters and in bytes of the text's UTF-8."""
    numbering = selection.numbering
    spans = selection.chunks.select(["start", "end"]).take(pa.array(numbering.chunk_positions))
    start = spans.column("start").to_numpy().astype(np.uint32)
    end = spans.column("end").to_numpy().astype(np.uint32)
    byte_start, byte_end = start.copy(), end.copy()
    for first, batch in selection.batches(["text"]):
        text = batch.column(0)
        characters = pc.utf8_length(text).to_numpy()
        differs = characters != pc.binary_length(text).to_numpy()
        rows = numbering.rows[first : first + len(text)]
        for place in np.flatnonzero(differs):
            chunks = slice(*numbering.chunk_bounds[rows[place] : rows[place] + 2])
            offsets = _byte_offsets(text[int(place)].as_py())
            byte_start[chunks], byte_end[chunks] = offsets[start[chunks]], offsets[end[chunks]]
    columns = {
        "node": numbering.chunk_nodes.astype(np.uint32),
        "start": start,
        "end": end,
        "byte_start": byte_start,
        "byte_end": byte_end,
    }
    _write(path, columns, SNAPSHOT_CHUNKS)


def write_browse(path: Path, parents: list[tuple[uuid.UUID, int]], bodies: BodyColumns) -> None:
    """Write `browse.arrow` from parents (with their code body's index) in the order of the answers."""
    order = sorted(range(len(parents)), key=lambda place: parents[place][0].int)
    halves = [split(parents[place][0]) for place in order]
    columns = {
        "parent_hi": np.array([high for high, _ in halves], np.uint64),
        "parent_lo": np.array([low for _, low in halves], np.uint64),
        "code_body": np.array([parents[place][1] for place in order], np.uint16),
        **bodies.arranged(order),
    }
    _write(path, columns, SNAPSHOT_BROWSE)


def _byte_offsets(text: str) -> np.ndarray:
    """Return the byte offset of every character of a text, and of its end."""
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    widths = 1 + (points > 0x7F).astype(np.int64) + (points > 0x7FF) + (points > 0xFFFF)
    return np.concatenate([[0], np.cumsum(widths)])


def _write(path: Path, columns: dict[str, Any], schema: pa.Schema) -> None:
    arrays = [pa.array(columns[field.name], field.type) for field in schema]
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))

"""Digests of all provisions of a snapshot: read from its table, or made of its answers."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa

from serving.comparison.provision import Digests, digests
from serving.contract.errors import SnapshotCorruptError
from serving.contract.layout import DIGESTS, NODES
from serving.contract.records import SNAPSHOT_DIGESTS, SNAPSHOT_NODES
from serving.snapshot.table import Strings, map_table

DigestColumns = Mapping[str, np.ndarray]
"""The columns of `SNAPSHOT_DIGESTS`, by name."""


def make_digests(nodes: Path) -> DigestColumns:
    """Return the digests of the provisions in a table of nodes. This reads every answer in it."""
    bodies = Strings(map_table(nodes, SNAPSHOT_NODES).column("body"))
    rows = map_table(nodes, SNAPSHOT_NODES).num_rows
    values = np.empty((len(Digests._fields), rows), np.uint64)
    for row in range(rows):
        values[:, row] = digests(orjson.loads(bodies.view(row)))
    return dict(zip(Digests._fields, values, strict=True))


def read_digests(folder: Path, rows: int) -> DigestColumns:
    """Return the digests of a snapshot of so many nodes; an earlier build has no table, and they are made.

    Raises:
        SnapshotCorruptError: the table is not one of digests.
    """
    path = folder / DIGESTS
    if not path.exists():
        return make_digests(folder / NODES)
    batch = map_table(path, SNAPSHOT_DIGESTS)
    if batch.num_rows != rows:
        raise SnapshotCorruptError(str(path), f"holds {batch.num_rows} rows for {rows} nodes")
    return {name: batch.column(name).to_numpy() for name in Digests._fields}


def write_digests(path: Path, columns: DigestColumns) -> None:
    """Write a table of digests."""
    arrays = [pa.array(columns[field.name], field.type) for field in SNAPSHOT_DIGESTS]
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, SNAPSHOT_DIGESTS) as writer:
        writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=SNAPSHOT_DIGESTS))

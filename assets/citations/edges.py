"""Write `references.arrow`: the references that lead to a node, to be found from both ends."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from assets.citations.references import edges_of
from assets.citations.table import write_table
from assets.selection.selection import Selection
from serving.contract.records import SNAPSHOT_REFERENCES


def write_edges(path: Path, references: pa.Table, selection: Selection) -> int:
    """Write `references.arrow` from a table of found references; return its rows.

    A range is there once for each of its members: who asks what cites a provision finds it.
    """
    table = edges_of(references)
    rows = selection.numbering.rows
    source = rows[table.column("source").to_numpy()]
    target = rows[table.column("target").to_numpy()]
    order = np.lexsort((table.column("start").to_numpy(), source))
    source, target = source[order], target[order]
    columns = {
        "source": pa.array(source.astype(np.uint32)),
        "start": pa.array(table.column("start").to_numpy()[order].astype(np.uint32)),
        "end": pa.array(table.column("end").to_numpy()[order].astype(np.uint32)),
        "target": pa.array(target.astype(np.uint32)),
        "origin": pa.array(table.column("origin").to_numpy()[order].astype(np.uint8)),
        "by_target": pa.array(np.argsort(target, kind="stable").astype(np.uint32)),
    }
    write_table(path, columns, SNAPSHOT_REFERENCES)
    return len(source)

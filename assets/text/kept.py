"""Chunks that are kept from the build before: those of provisions of which nothing changed that they hold."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.text.context import heading_trails

SEEN = ("node_id", "parent_id", "citation", "heading", "citable", "text_sha256", "outline")
"""Columns of provisions that tell whether their chunks are the same."""


@dataclass(frozen=True, slots=True)
class Before:
    """Provisions of an earlier build, in the columns `SEEN`, and their chunks, made by the same rules."""

    provisions: pa.Table
    chunks: pa.Table


def unchanged(now: pa.Table, before: pa.Table) -> NDArray[np.bool_]:
    """Return of which provisions of a table another one holds the same: place, citation, text and outline."""
    places = pc.index_in(now.column("node_id"), value_set=before.column("node_id").combine_chunks())
    same: NDArray[np.bool_] = pc.is_valid(places).to_numpy()
    old = before.take(places.fill_null(0)) if before.num_rows else before
    if not same.any():
        return same
    for name in ("citable", "text_sha256"):
        same &= pc.equal(now.column(name), old.column(name)).to_numpy()
    trails = heading_trails(before)
    found = zip(heading_trails(now), places.fill_null(0).to_pylist(), strict=True)
    same &= np.fromiter((trail == trails[place] for trail, place in found), bool, len(same))
    return same & _same_lists(now.column("outline"), old.column("outline"))


def in_order(provisions: pa.Table, tables: list[pa.Table]) -> pa.Table:
    """Return chunks of several tables as one, in the order of their provisions."""
    chunks = pa.concat_tables(tables)
    nodes = provisions.column("node_id").combine_chunks()
    places = pc.index_in(chunks.column("node_id"), value_set=nodes).to_numpy()
    order = np.lexsort((chunks.column("number").to_numpy(), places))
    return chunks.take(pa.array(order)).combine_chunks()


def _same_lists(one: pa.ChunkedArray, other: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Return where two columns of lists of structs hold the same."""
    lengths = pc.list_value_length(one).to_numpy()
    same: NDArray[np.bool_] = lengths == pc.list_value_length(other).to_numpy()
    chosen = pa.array(np.flatnonzero(same))
    items, others = (pc.list_flatten(column.take(chosen)).combine_chunks() for column in (one, other))
    differs = np.zeros(len(items), bool)
    for own, theirs in zip(items.flatten(), others.flatten(), strict=True):
        # Null is told from any value, and is the same as null.
        differs |= pc.invert(pc.fill_null(pc.equal(own, theirs), fill_value=False)).to_numpy(
            zero_copy_only=False
        ) & ~(pc.and_(own.is_null(), theirs.is_null()).to_numpy(zero_copy_only=False))
    lists = np.repeat(np.flatnonzero(same), lengths[same])
    same[lists[differs]] = False
    return same

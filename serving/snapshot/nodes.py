"""Nodes of a snapshot: found by id, each with its ready answer and the columns that search needs."""

from bisect import bisect_left
from collections.abc import Callable, Container
from itertools import chain
from pathlib import Path
from sys import intern
from typing import Any
from uuid import UUID

import numpy as np
import orjson
import pyarrow as pa

from serving.contract.identity import join
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.table import Bodies, Repeated, StoredBody, Strings, integers, map_table

_LOW = 0xFFFF_FFFF_FFFF_FFFF

Description = tuple[str, str, str, str, str, tuple[str, ...]]
"""Id, citation, heading, level, status and tags of a node."""


class NodeTable:
    """Table of `nodes.arrow`. Rows are numbered from 0 in the order of ids; other tables use the numbers.

    Attributes:
        known_levels: every level that a node has.
        known_tags: every tag that a node has.
    """

    __slots__ = (
        "_bodies",
        "_chunk_end",
        "_chunk_start",
        "_citation",
        "_citations",
        "_code_bodies",
        "_code_body",
        "_heading",
        "_high",
        "_level",
        "_low",
        "_split_tags",
        "_status",
        "_tags",
        "_text",
        "known_levels",
        "known_tags",
    )

    def __init__(self, path: Path, code_bodies: tuple[CodeBodyEntry, ...]) -> None:
        batch = map_table(path, SNAPSHOT_NODES)
        self._code_bodies = code_bodies
        self._high = integers(batch.column("id_hi"), "Q")
        self._low = integers(batch.column("id_lo"), "Q")
        self._code_body = integers(batch.column("code_body"), "H")
        self._chunk_start = integers(batch.column("chunk_start"), "I")
        self._chunk_end = integers(batch.column("chunk_end"), "I")
        self._level = Repeated(batch.column("level"))
        self._status = Repeated(batch.column("status"))
        self._citations = batch.column("citation")
        self._citation = Strings(self._citations)
        self._heading = Strings(batch.column("heading"))
        self._tags = Repeated(batch.column("tags"))
        self._text = Strings(batch.column("text"))
        self._bodies = Bodies(path, batch)
        self._split_tags = {value: tuple(map(intern, value.split())) for value in self._tags.values}
        # Every search asks for them.
        self.known_levels = frozenset(self._level.values)
        self.known_tags = frozenset(chain.from_iterable(self._split_tags.values()))

    def __len__(self) -> int:
        return len(self._high)

    def tagged(self, tag: str) -> np.ndarray:
        """Return, for each row, whether the node has a tag."""
        return self._tags.chosen(lambda value: tag in value.split())

    def tag_texts(self, rows: np.ndarray) -> tuple[list[str], np.ndarray]:
        """Return the distinct values of the nodes' tags, each in one string, and the place of each node's."""
        return self._tags.distinct(rows)

    def at_level(self, level: str) -> np.ndarray:
        """Return, for each row, whether the node is at a level."""
        return self._level.chosen(level.__eq__)

    def of_statuses(self, statuses: Container[str]) -> np.ndarray:
        """Return, for each row, whether the node has one of some statuses."""
        return self._status.chosen(statuses.__contains__)

    def in_code_bodies(self, is_chosen: Callable[[CodeBodyEntry], bool]) -> np.ndarray:
        """Return, for each row, whether the node's code body is chosen."""
        chosen = np.array([is_chosen(body) for body in self._code_bodies], bool)
        flags: np.ndarray = chosen[np.asarray(self._code_body)]
        return flags

    def heading_sizes(self) -> np.ndarray:
        """Return the bytes of each node's heading."""
        return self._heading.sizes(len(self))

    def citations(self) -> pa.Array:
        """Return the citations of all nodes, mapped."""
        return self._citations

    def code_body_indexes(self) -> np.ndarray:
        """Return, for each row, the place of its code body among the code bodies, mapped."""
        return np.asarray(self._code_body)

    def chunk_ranges(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the first rows of the nodes' chunks, and those after the last."""
        return np.asarray(self._chunk_start)[rows], np.asarray(self._chunk_end)[rows]

    def ids(self) -> np.ndarray:
        """Return the ids as byte strings of 16, rising."""
        halves = np.empty((len(self), 2), ">u8")
        halves[:, 0], halves[:, 1] = self._high, self._low
        ids: np.ndarray = halves.view("S16").reshape(-1)
        return ids

    def find(self, node: UUID) -> int | None:
        """Return the row of the node with this id, or None."""
        return self.find_halves(node.int >> 64, node.int & _LOW)

    def find_written(self, node: str) -> int | None:
        """Return the row of the node with an id as answers write it, or None."""
        digits = node.replace("-", "")
        return self.find_halves(int(digits[:16], 16), int(digits[16:], 16))

    def find_halves(self, high: int, low: int) -> int | None:
        """Return the row of the node whose id has these halves of 64 bits, or None."""
        row = bisect_left(self._high, high)
        count = len(self._high)
        while row < count and self._high[row] == high:
            if self._low[row] == low:
                return row
            row += 1
        return None

    def body(self, row: int) -> StoredBody:
        """Return the ready answer of the node endpoint."""
        return self._bodies.get(row)

    def answer_size(self, row: int) -> int:
        """Return the bytes of the ready answer."""
        return self._bodies.size(row)

    def answer(self, row: int) -> dict[str, Any]:
        """Return the answer of the node endpoint as values."""
        values: dict[str, Any] = orjson.loads(self._bodies.plain(row))
        return values

    def etag(self, row: int) -> str:
        """Return the entity tag of the node endpoint's answer."""
        return self._bodies.etag(row)

    def id(self, row: int) -> UUID:
        """Return the id of the node in a row."""
        return join(self._high[row], self._low[row])

    def describe(self, row: int) -> Description:
        """Return the description of a node for a list of results, all in one call as each result needs it."""
        digits = f"{self._high[row]:016x}{self._low[row]:016x}"
        return (
            f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}",
            self._citation.text(row),
            self._heading.text(row),
            self._level.text(row),
            self._status.text(row),
            self._split_tags[self._tags.text(row)],
        )

    def citation(self, row: int) -> str:
        """Return the citation."""
        return self._citation.text(row)

    def heading(self, row: int) -> str:
        """Return the heading; "" where the source has none."""
        return self._heading.text(row)

    def level(self, row: int) -> str:
        """Return the level, such as `section`."""
        return self._level.text(row)

    def status(self, row: int) -> str:
        """Return the status, such as `in_force`."""
        return self._status.text(row)

    def code_body(self, row: int) -> CodeBodyEntry:
        """Return the code body that the node belongs to."""
        return self._code_bodies[self._code_body[row]]

    def jurisdiction(self, row: int) -> str:
        """Return the short code of the node's jurisdiction."""
        return self._code_bodies[self._code_body[row]].jurisdiction

    def tags(self, row: int) -> list[str]:
        """Return the tags."""
        return self._tags.text(row).split()

    def text(self, row: int) -> str:
        """Return the operative text; "" for a bare container."""
        return self._text.text(row)

    def text_bytes(self, row: int) -> memoryview:
        """Return the operative text as UTF-8, without a copy."""
        return self._text.view(row)

    def chunk_range(self, row: int) -> tuple[int, int]:
        """Return the first row of the node's chunks in `chunks.arrow`, and the one after the last."""
        return self._chunk_start[row], self._chunk_end[row]

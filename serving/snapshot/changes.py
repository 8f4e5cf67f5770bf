"""Changes of a snapshot from the one in service before it, as they were found when it was published."""

from collections.abc import Container
from functools import cached_property
from pathlib import Path
from uuid import UUID

import numpy as np
import orjson

from serving.contract.changes import Change
from serving.contract.records import SNAPSHOT_CHANGES
from serving.snapshot.table import Repeated, Strings, map_table

_ID = 16
"""Bytes of an id."""


class ChangeTable:
    """Table of `changes.arrow`. Rows are numbered from 0, by code body and then by number."""

    def __init__(self, path: Path) -> None:
        batch = map_table(path, SNAPSHOT_CHANGES)
        self._rows = int(batch.num_rows)
        self._code_body = Repeated(batch.column("code_body"))
        self._kind = Repeated(batch.column("kind"))
        self._containers = Strings(batch.column("containers"))
        self._bodies = Strings(batch.column("body"))

    def __len__(self) -> int:
        return self._rows

    def find(
        self,
        *,
        code_bodies: Container[str] | None = None,
        kind: str | None = None,
        container: UUID | None = None,
    ) -> list[int]:
        """Return the rows of the changes that pass all filters.

        Args:
            code_bodies: ids of code bodies.
            kind: a kind of change.
            container: a provision: it or something below it changed, before or after.
        """
        if container is None:
            chosen = np.ones(self._rows, bool)
        elif len(within := self._within(container)):
            chosen = np.zeros(self._rows, bool)
            chosen[within] = True
        else:
            return []  # as for most: the page of every provision asks
        if code_bodies is not None:
            chosen &= self._code_body.chosen(code_bodies.__contains__)
        if kind is not None:
            chosen &= self._kind.chosen(kind.__eq__)
        rows: list[int] = np.flatnonzero(chosen).tolist()
        return rows

    def _within(self, container: UUID) -> np.ndarray:
        """Return the rows of the changes among whose containers an id is."""
        ids, rows = self._sorted
        wanted = np.frombuffer(container.bytes, ids.dtype)
        first = int(np.searchsorted(ids, wanted)[0])
        if first == len(ids) or ids[first] != wanted[0]:
            return rows[:0]
        return rows[first : int(np.searchsorted(ids, wanted, "right")[0])]

    @cached_property
    def _sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """The ids of all containers, rising, and the row of each: every page of a provision looks here."""
        counts = self._containers.sizes(self._rows) // _ID
        ids = self._containers.spread(self._rows)[1].view(f"S{_ID}")
        order = np.argsort(ids, kind="stable")
        return ids[order], np.repeat(np.arange(self._rows, dtype=np.uint32), counts)[order]

    def change(self, row: int) -> Change:
        """Return the record in a row."""
        change: Change = orjson.loads(self._bodies.view(row))
        return change


def is_within(ids: bytes, container: UUID) -> bool:
    """Return whether an id is among others, which stand in 16 bytes each."""
    wanted = container.bytes
    return any(ids[start : start + _ID] == wanted for start in range(0, len(ids), _ID))

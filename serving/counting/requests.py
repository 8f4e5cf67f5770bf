"""Counters of answered requests: by route, status and duration."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from serving.counting.board import FIRST, WIDTH, Board
from serving.counting.processes import SHARE

OTHER = "other"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes of duration, in seconds."""
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts for one label. `spans` holds the requests up to each bound and, last, those above all bounds."""

    label: str
    statuses: dict[str, int]
    spans: tuple[int, ...]
    seconds: float


class Requests:
    """Counts this process's requests and failures of the store, and reports those of all processes.

    Args:
        labels: labels under which requests are counted: paths as OpenAPI writes them, and prefixes of paths.
        statuses: statuses that are counted apart.
        causes: causes of failures of the store.
    """

    def __init__(self, labels: Sequence[str], statuses: Sequence[int], *, causes: Sequence[str] = ()) -> None:
        self._causes = tuple(causes)
        self._labels = (*labels, OTHER)
        self._statuses = tuple(sorted(set(statuses)))
        self._columns = {status: column for column, status in enumerate(self._statuses)}
        self._other_status = len(self._statuses)
        self._spans = self._other_status + 1
        self._sum = self._spans + len(BOUNDS) + 1
        self._width = self._sum + 1
        self._first_cause = FIRST + self._width * len(self._labels)
        if self._first_cause + len(self._causes) > WIDTH:
            raise ValueError(f"{len(self._labels)} labels do not fit into {WIDTH} numbers")
        self._blocks: dict[str | None, int] = {}
        self._seen: dict[tuple[str | None, int], list[float]] = {}
        self._board, self._row = SHARE.own(self._layout())

    def count(self, template: str | None, status: int, seconds: float) -> None:
        """Count an answered request. It is reported after the next `flush`.

        Args:
            template: path template of its route; None if it has no route.
            status: status of the answer.
            seconds: time that the answer took.
        """
        # A fifth of a microsecond: sorting times into spans waits until it is done for many at once.
        try:
            self._seen[template, status].append(seconds)
        except KeyError:
            self._seen[template, status] = [seconds]

    def flush(self) -> None:
        """Add the counts since the last flush to the shared memory."""
        seen, self._seen = self._seen, {}
        row = self._row
        for (template, status), seconds in seen.items():
            block = self._blocks.get(template)
            if block is None:
                block = self._blocks[template] = self._find(template or OTHER)
            row[block + self._columns.get(status, self._other_status)] += len(seconds)
            row[block + self._sum] += int(sum(seconds) * _NANOSECONDS)
            spans = np.bincount(np.searchsorted(BOUNDS, seconds))
            for span, number in enumerate(spans.tolist(), start=block + self._spans):
                row[span] += number

    def all(self) -> Iterator[Counted]:
        """Yield the counts of all workers, label by label; the others' are as of their last flush."""
        self.flush()
        sums = self._board.sums(self._layout())
        for number, label in enumerate(self._labels):
            block = self._block(number)
            names = (*map(str, self._statuses), OTHER)
            statuses = sums[block : block + self._spans]
            yield Counted(
                label,
                {name: count for name, count in zip(names, statuses, strict=True) if count},
                tuple(sums[block + self._spans : block + self._sum]),
                sums[block + self._sum] / _NANOSECONDS,
            )

    def count_failures(self, failures: Mapping[str, int]) -> None:
        """Add failures of the store, by cause, to the shared memory."""
        for cause, number in failures.items():
            self._row[self._first_cause + self._causes.index(cause)] += number

    def failures(self) -> dict[str, int]:
        """Return the failures of the store in all workers, by cause."""
        sums = self._board.sums(self._layout())
        return {cause: sums[self._first_cause + number] for number, cause in enumerate(self._causes)}

    @property
    def board(self) -> Board:
        """The counters of all workers."""
        return self._board

    def _block(self, number: int) -> int:
        return FIRST + number * self._width

    def _find(self, template: str) -> int:
        """Return the block of counters for a template: that of its path, else of its longest known prefix."""
        path = _anonymous(template)
        for number, label in enumerate(self._labels):
            if _anonymous(label) == path:
                return self._block(number)
        beginnings = [label for label in self._labels if path.startswith(f"{label}/")]
        return self._block(self._labels.index(max(beginnings, key=len, default=OTHER)))

    def _layout(self) -> int:
        described = repr((self._labels, self._statuses, BOUNDS, self._causes)).encode()
        return int.from_bytes(hashlib.sha256(described).digest()[:7], "big")


def _anonymous(path: str) -> str:
    """Return a path template without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", path)

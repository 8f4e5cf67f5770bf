"""Posting: what the records of batches changed, as rows for the tables.

Ledger entries are written a few at a time; who reads them leaves out those after the one that the account's
balance is of. Then balances and counts of keys change in one transaction, so that the tables always show one
moment. Marks of windows follow later, many at once, since those of a thousand keys lie on a thousand pages
whenever they are written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from serving.metering.batches import Moved, in_tuples, parse_changes, parse_entries
from serving.metering.clock import DAY

RECORDS_AT_ONCE = 128
"""Records that gather before they are posted."""
LATE_RECORDS = 3 * RECORDS_AT_ONCE
"""Records at which nobody seems to post."""
MOST_ENTRIES = 8_192
"""Ledger entries that are posted together, or little more."""
ENTRIES_AT_ONCE = 256
"""Ledger entries that are written in one transaction, for whose end settlement waits."""
RECORDS_OF_MARKS = 1_024
"""Records whose marks wait before they are posted."""
MARKS_AT_ONCE = 512
"""Marks that are posted in one transaction."""


@dataclass(slots=True)
class Posting:
    """Rows of records.

    Attributes:
        after: number of the record after which it begins.
        number: number of the last record in it; 0 where there is none.
        counted: each key with the instant of its last pass and the number of its passes, by key.
        moved: credits by account.
        entries: ledger rows, by account and number.
    """

    after: int
    number: int = 0
    counted: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    moved: dict[int, Moved] = field(default_factory=dict)
    entries: list[Sequence[Any]] = field(default_factory=list)


def posting_of(after: int, records: Iterable[tuple[int, str, str]], *, most: int | None = None) -> Posting:
    """Return the rows of records, each a number, its changes and its entries, in their order.

    Args:
        after: number of the record up to which all is posted.
        records: a further one is not read once there are enough.
        most: entries that are enough; None: all.
    """
    posting = Posting(after)
    for number, changed, entries in records:
        posting.number = number
        changes = parse_changes(changed)
        for key_id, at, before, new in in_tuples(changes.counted, 4):
            posting.counted[key_id] = key_id, at, before + new
        for row in in_tuples(changes.moved, 5):
            posting.moved[row[0]] = Moved(*row)
        posting.entries += parse_entries(entries)
        if most is not None and len(posting.entries) >= most:
            break
    posting.entries.sort(key=_place)
    return posting


@dataclass(slots=True)
class Marks:
    """Marks of windows by key and instant, and what no window needs any more.

    Attributes:
        number: number of the last record in it; 0 where there is none.
        rows: key, instant and ordinal.
        ended: keys, and the instant up to which their marks are over.
    """

    number: int
    rows: list[tuple[int, int, int]]
    ended: list[tuple[int, int]]


def marks_of(records: Iterable[tuple[int, str]]) -> Marks:
    """Return the marks of records, each a number and its changes, in their order."""
    newest = 0
    rows: list[tuple[int, int, int]] = []
    last: dict[int, int] = {}
    for number, changed in records:
        newest = number
        for key_id, at, before, _ in in_tuples(parse_changes(changed).counted, 4):
            if last.get(key_id, -1) < at:
                rows.append((key_id, at, before))
                last[key_id] = at
    rows.sort()
    return Marks(newest, rows, [(key_id, at - DAY) for key_id, at in sorted(last.items())])


def _place(row: Sequence[Any]) -> tuple[int, int]:
    return row[0], row[1]

"""The record of a committed batch: what its calls changed, for every connection to follow.

Settlement appends a record and writes nothing else. Balances, counts, marks and ledger entries are posted to
their tables from these records later, many at once (`posting`). All numbers are absolute: to apply a record
again, or one that is posted already, before those that follow it ends in the same state.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import orjson

from serving.metering.balances import Balance
from serving.metering.rate_limits import Use


class Counted(NamedTuple):
    """A key with requests that passed: the instant, how many passed before it, and how many then."""

    key_id: int
    at: int
    before: int
    new: int


class Moved(NamedTuple):
    """An account whose credits changed, and what it has then."""

    account_id: int
    allotment: int
    month: int
    wallet: int
    entry_no: int


class Note(NamedTuple):
    """An account that somebody changed in the tables.

    Attributes:
        moved: whether its credits were, beside its terms and its keys.
    """

    account_id: int
    moved: bool


class Changes(NamedTuple):
    """Changes of a batch, in flat lists of the fields of `Counted`, of `Moved` and of `Note`."""

    counted: Sequence[int]
    moved: Sequence[int]
    noted: Sequence[int]


class Record(NamedTuple):
    """One record.

    Attributes:
        number: its place: records are numbered without gaps, in the order in which they were committed.
        size: number of changes that are to be posted; 0 for a note.
        changes: keys and accounts, as text.
        entries: entries for the ledger, as text.
    """

    number: int
    size: int
    changes: str
    entries: str


def record_of(number: int, uses: Sequence[Use], balances: Sequence[Balance]) -> Record:
    """Return the record of a batch: the keys with requests that passed, and the accounts with new entries."""
    counted: list[int] = []
    for use in uses:
        counted += (use.key_id, use.at, use.passed, use.new)
    moved: list[int] = []
    entries: list[Sequence[int | str | None]] = []
    for balance in balances:
        moved += (
            balance.account_id,
            balance.allotment,
            balance.month,
            balance.wallet,
            balance.entry_no,
        )
        # An entry is a tuple of a kind that the encoder does not know.
        entries += [[*entry] for entry in balance.entries]
    return Record(
        number,
        len(uses) + len(entries),
        orjson.dumps((counted, moved, ())).decode(),
        orjson.dumps(entries).decode(),
    )


def parse_changes(text: str) -> Changes:
    """Return the changes that a record holds."""
    return Changes(*orjson.loads(text))


def parse_entries(text: str) -> list[list[int | str | None]]:
    """Return the rows of the ledger that a record holds."""
    rows: list[list[int | str | None]] = orjson.loads(text)
    return rows


def in_tuples(flat: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield a flat list's numbers, so many at a time."""
    numbers = iter(flat)
    return zip(*[numbers] * size, strict=True)

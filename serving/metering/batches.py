"""The record of one committed batch: what its calls changed, from which every connection follows what others settled.

Settlement appends a record and writes nothing else. Balances, counts, marks and ledger entries are posted to their
tables from these records later, many at once (`posting`). All numbers are absolute: to apply a record again, or one
that is posted already, before those that follow it ends in the same state.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import orjson

from serving.metering.balances import Balance
from serving.metering.rate_limits import Use
from serving.metering.records import Entry


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
        credits: whether its credits were, beside its terms and its keys.
    """

    account_id: int
    credits: bool


class Changes(NamedTuple):
    """What a batch changed, in flat lists of the fields of `Counted`, of `Moved` and of `Note`."""

    counted: Sequence[int]
    moved: Sequence[int]
    noted: Sequence[int]


def changes_of(uses: Iterable[Use], balances: Iterable[Balance]) -> str:
    """Return the changes of keys and accounts as text."""
    counted: list[int] = []
    for use in uses:
        counted += (use.key_id, use.at, use.passed, use.new)
    moved: list[int] = []
    for balance in balances:
        moved += (
            balance.account_id,
            balance.allotment,
            balance.month,
            balance.wallet,
            balance.entry_no,
        )
    return orjson.dumps((counted, moved, ())).decode()


def parse_changes(text: str) -> Changes:
    """Return the changes that a record holds."""
    return Changes(*orjson.loads(text))


def entries_of(entries: Iterable[Entry]) -> str:
    """Return entries for the ledger as text."""
    return orjson.dumps([[*entry] for entry in entries]).decode()


def parse_entries(text: str) -> list[list[int | str | None]]:
    """Return the rows of the ledger that a record holds."""
    rows: list[list[int | str | None]] = orjson.loads(text)
    return rows


def in_tuples(flat: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield a flat list's numbers, so many at a time."""
    numbers = iter(flat)
    return zip(*[numbers] * size, strict=True)

"""Loading of what a batch needs: from memory, from the records of others, or from the tables."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from serving.metering.balances import Balance
from serving.metering.batches import parse_changes
from serving.metering.clock import DAY, MINUTE
from serving.metering.followed import AccountRow, Followed, KeyRow
from serving.metering.posting import LATE_RECORDS, RECORDS_AT_ONCE
from serving.metering.rate_limits import MOST_OLDEST, Mark, Use
from serving.metering.records import Charge, Entry, Receipt, Refund, Work
from serving.metering.settlement import Batch


class Rows(Protocol):
    """The tables as the transaction under way reads them."""

    def records(self, seen: int) -> Sequence[tuple[int, str]]:
        """Return the number and the changes of each record after `seen`, in order."""
        ...

    def newest(self) -> int:
        """Return the number of the newest record; 0 where there is none."""
        ...

    def posted(self) -> tuple[int, int]:
        """Return the numbers of the records up to which credits and marks are in the tables."""
        ...

    def numbers(self, hashes: Collection[str]) -> Sequence[int]:
        """Return the numbers of the keys with those hashes."""
        ...

    def accounts(self, ids: Collection[int]) -> Sequence[AccountRow]:
        """Return the rows of accounts."""
        ...

    def keys(self, ids: Collection[int]) -> Sequence[KeyRow]:
        """Return the rows of keys."""
        ...

    def keys_of(self, accounts: Collection[int]) -> Sequence[KeyRow]:
        """Return the rows of all keys of accounts."""
        ...

    def marks(self, after: Mapping[int, int], most: int | None) -> Mapping[int, Sequence[Mark]]:
        """Return the oldest marks of keys after an instant of each, at most so many of each."""
        ...

    def charges(self, receipts: Collection[Receipt]) -> Sequence[tuple[Entry, bool]]:
        """Return the charges that exist, each with whether it was refunded, once all credits are posted."""
        ...

    def post_marks(self) -> None:
        """Post everything that waits, marks too."""
        ...


def follow(followed: Followed | None, rows: Rows) -> Followed:
    """Return the state of keys and accounts as it is in this transaction, from that of an earlier one."""
    records: Sequence[tuple[int, str]] = ()
    if followed is not None:
        records = rows.records(followed.seen)
        # Records may be gone that were not applied here, and a store may have been put back.
        if (records[0][0] - 1 if records else rows.newest()) != followed.seen:
            followed = None
        elif followed.is_full():
            followed.drop(min(rows.posted()))
    if followed is None:
        followed = Followed(min(rows.posted()))
        records = rows.records(followed.seen)
    if records:
        changed = [(number, parse_changes(text)) for number, text in records]
        keys, accounts, noted = followed.unknown(changed)
        if keys or accounts:
            _take_up(followed, keys, accounts, rows)
        if noted:
            found = {row[0]: row for row in rows.accounts(noted)}
            followed.apply(changed, found, rows.keys_of(noted))
        else:
            followed.apply(changed, {}, ())
    return followed


def load(followed: Followed, work: Sequence[Work], *, now: int, rows: Rows) -> Batch:
    """Return everything that the work of one transaction names."""
    hashes = {item.key_hash for item in work if isinstance(item, Charge)}
    missing = [key_hash for key_hash in hashes if key_hash not in followed.by_hash]
    if missing:
        _take_up(followed, rows.numbers(missing), (), rows)
    uses: dict[str, Use] = {}
    balances: dict[int, Balance] = {}
    for key_hash in hashes:
        use = followed.by_hash.get(key_hash)
        if use is not None:
            if not use.begin(now):
                _read_on(use, rows)
            uses[key_hash] = use
            balances[use.balance.account_id] = use.balance
    batch = Batch(now=now, uses=uses, balances=balances)
    receipts = [item.receipt for item in work if isinstance(item, Refund)]
    if receipts:
        _add_charges(batch, receipts, followed, rows)
    return batch


def is_late_at(number: int, rows: Rows) -> bool:
    """Return whether more wait at that record than would if anybody posted; it is looked at now and then."""
    return number % RECORDS_AT_ONCE == 0 and number - rows.posted()[0] >= LATE_RECORDS


def _take_up(followed: Followed, keys: Collection[int], accounts: Collection[int], rows: Rows) -> None:
    found = rows.keys(keys) if keys else ()
    owners = {row[1] for row in found}.union(accounts) - followed.balances.keys()
    minutes = rows.marks({row[0]: row[5] - MINUTE for row in found}, None) if found else {}
    days = rows.marks({row[0]: row[5] - DAY for row in found}, MOST_OLDEST) if found else {}
    followed.add(rows.accounts(owners) if owners else (), found, minutes, days)


def _read_on(use: Use, rows: Rows) -> None:
    """Read the oldest marks of a day that has begun since those in memory were."""
    after = {use.key_id: use.day_begins}
    marks = rows.marks(after, MOST_OLDEST)
    if not marks:
        rows.post_marks()
        marks = rows.marks(after, MOST_OLDEST)
    use.take_oldest(marks.get(use.key_id, ()))


def _add_charges(batch: Batch, receipts: Collection[Receipt], followed: Followed, rows: Rows) -> None:
    charges = rows.charges(receipts)
    missing = {entry.account_id for entry, _ in charges} - followed.balances.keys()
    if missing:
        _take_up(followed, (), missing, rows)
    for entry, is_refunded in charges:
        receipt = Receipt(entry.account_id, entry.entry_no)
        batch.charges[receipt] = entry
        batch.balances[entry.account_id] = followed.balances[entry.account_id]
        if is_refunded:
            batch.refunded.add(receipt)

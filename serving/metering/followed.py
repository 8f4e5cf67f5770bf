"""Keys and accounts as one connection follows them, from the records of committed batches.

A key or account that is not here is in no record that waits to be posted, so that its rows are all there is
to know of it: one that a record names is taken up when the record is met. Nothing is dropped while a record
of it waits.
"""

from collections.abc import Iterable, Mapping, Sequence

from serving.metering.balances import Balance
from serving.metering.batches import Changes, in_tuples
from serving.metering.rate_limits import MOST_OLDEST, Mark, Use

MOST_KEYS = 2_048
"""Keys that are kept, unless more wait to be posted."""

KeyRow = tuple[int, int, str, int | None, int | None, int, int]
"""A key's row: its number, its account's, its hash, expiry, revocation, last pass and number of passes."""
AccountRow = tuple[int, str, int, int, int, int, int]
"""An account's row: the first fields of `Balance`."""


class Followed:
    """Keys and accounts in memory.

    Attributes:
        seen: number of the newest record that was applied.
    """

    def __init__(self, seen: int = 0, *, most: int = MOST_KEYS) -> None:
        self.seen = seen
        self.keys: dict[int, Use] = {}
        self.by_hash: dict[str, Use] = {}
        self.balances: dict[int, Balance] = {}
        self._most = self._limit = most

    def unknown(self, records: Sequence[tuple[int, Changes]]) -> tuple[set[int], set[int], set[int]]:
        """Return the keys and accounts of records that are not here, and the accounts that they note."""
        keys: set[int] = set()
        accounts: set[int] = set()
        noted: set[int] = set()
        for _, changes in records:
            keys.update(changes.counted[::4])
            accounts.update(changes.moved[::5])
            noted.update(changes.noted[::2])
        # Not by difference of sets: that goes through all keys here.
        return (
            {key_id for key_id in keys if key_id not in self.keys},
            {account_id for account_id in accounts if account_id not in self.balances},
            noted,
        )

    def add(
        self,
        accounts: Iterable[AccountRow],
        keys: Iterable[KeyRow],
        minutes: Mapping[int, Sequence[Mark]],
        days: Mapping[int, Sequence[Mark]],
    ) -> None:
        """Take up accounts and keys from their rows, with the marks of each key's last minute and day."""
        for row in accounts:
            if row[0] not in self.balances:
                self.balances[row[0]] = Balance(*row)
        for key_id, account_id, key_hash, expires_at, revoked_at, last_used_at, passed in keys:
            use = Use(
                key_id,
                key_hash,
                self.balances[account_id],
                expires_at,
                revoked_at,
                last_used_at,
                passed,
            )
            for mark in minutes.get(key_id, ()):
                use.minute.add(*mark)
            for mark in days.get(key_id, ()):
                use.day.add(*mark)
            use.has_more = len(use.day) == MOST_OLDEST
            self.keys[key_id] = self.by_hash[key_hash] = use

    def apply(
        self,
        records: Sequence[tuple[int, Changes]],
        accounts: Mapping[int, AccountRow],
        keys: Iterable[KeyRow],
    ) -> None:
        """Apply records that others committed, in their order.

        Args:
            records: their numbers and changes.
            accounts: the rows as they are now of the accounts that the records note.
            keys: the rows of all keys of those accounts.
        """
        for row in keys:
            self._renew(row)
        for number, changes in records:
            for key_id, at, before, new in in_tuples(changes.counted, 4):
                use = self.keys.get(key_id)
                if use is not None:
                    use.count(at, before, new)
                    use.batch_no = number
            for account_id, allotment, month, wallet, entry_no in in_tuples(changes.moved, 5):
                balance = self.balances.get(account_id)
                if balance is not None:
                    balance.allotment, balance.month = allotment, month
                    balance.wallet, balance.entry_no = wallet, entry_no
                    balance.batch_no = number
            for account_id, moved in in_tuples(changes.noted, 2):
                if account_id in accounts:
                    self._reload(accounts[account_id], moved=bool(moved))
            self.seen = number

    def _renew(self, row: KeyRow) -> None:
        """Take over what may change of a key, but for what calls change."""
        key_id, account_id, key_hash, expires_at, revoked_at, _, _ = row
        use = self.keys.get(key_id)
        if use is None:
            return
        if use.key_hash != key_hash and self.by_hash.get(use.key_hash) is use:
            del self.by_hash[use.key_hash]
        use.key_hash, use.expires_at, use.revoked_at = key_hash, expires_at, revoked_at
        use.balance = self.balances[account_id]
        self.by_hash[key_hash] = use

    def _reload(self, row: AccountRow, *, moved: bool) -> None:
        """Take over an account's terms, and its credits if they were changed in the table."""
        balance = self.balances.get(row[0])
        if balance is not None:
            balance.tier, balance.allotment_limit = row[1:3]
            if moved:
                balance.allotment, balance.month, balance.wallet, balance.entry_no = row[3:]

    def committed(self, number: int, uses: Iterable[Use], balances: Iterable[Balance]) -> None:
        """Apply this connection's own record."""
        self.seen = number
        for use in uses:
            use.count(use.at, use.passed, use.new)
            use.batch_no = number
        for balance in balances:
            balance.entries.clear()
            balance.batch_no = number

    def is_full(self) -> bool:
        """True if there are more keys than are kept."""
        return len(self.keys) > self._limit

    def drop(self, posted: int) -> None:
        """Drop all keys and accounts that no record after `posted` names."""
        self.keys = {key_id: use for key_id, use in self.keys.items() if use.batch_no > posted}
        self.by_hash = {use.key_hash: use for use in self.keys.values()}
        used = {use.balance.account_id for use in self.keys.values()}
        self.balances = {
            account_id: balance
            for account_id, balance in self.balances.items()
            if account_id in used or balance.batch_no > posted
        }
        # What waits is kept whatever the limit says, and is not gone through in every transaction.
        self._limit = max(self._most, 2 * len(self.keys))

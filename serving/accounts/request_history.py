"""The requests of an account as its holder reads them: newest first, page by page, by key and status.

Those that were charged are in the ledger, and those that cost nothing in the log beside it.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from serving.accounts.usage import first_entry, newest_entry
from serving.metering import schema
from serving.metering.clock import DAY
from serving.metering.database import Database

LOOKED_THROUGH = 20_000
"""Rows of each of the two that one page looks through for those that are wanted."""
CHARGED = 200
"""Status of every call that was charged and not given back."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Choice of requests.

    Attributes:
        key_id: the key that they carried; None for any.
        statuses: lowest and highest status; None for any.
    """

    key_id: int | None = None
    statuses: tuple[int, int] | None = None

    @property
    def has_charged(self) -> bool:
        """True if calls that were charged are among them."""
        return self.statuses is None or self.statuses[0] <= CHARGED <= self.statuses[1]


class Request(NamedTuple):
    """A request, or `times` like ones that were refused within a second.

    Attributes:
        number: its place in the ledger or the log.
        cost: credits that it cost.
        snapshot: the snapshot that was read; None where it came to none.
    """

    number: int
    at: int
    key_id: int
    endpoint: str
    status: int
    cost: int
    snapshot: str | None
    request_id: str
    times: int


class Place(NamedTuple):
    """A place among requests: those before it have lower numbers in the ledger, and in the log."""

    entry_no: int
    request_no: int


NEWEST = Place(2**62, 2**62)


@dataclass(frozen=True, slots=True)
class RequestsPage:
    """Some requests, newest first. `older` is where the next page begins; None at the end."""

    requests: Sequence[Request]
    older: Place | None


class RequestHistory:
    """Reads the requests of accounts.

    Args:
        database: the store.
        days: days of which requests are shown; 0: none is.
    """

    def __init__(self, database: Database, *, days: int) -> None:
        self._database = database
        self.days = days

    def page(self, account_id: int, wanted: Wanted, *, before: Place, limit: int) -> RequestsPage:
        """Return the newest requests of an account that are wanted, before a place.

        A page may hold fewer than `limit` and yet have older ones after it: it looks through
        `LOOKED_THROUGH` rows of the ledger and as many of the log at most.
        """
        with self._database.reading() as connection:
            since = self._database.now(connection) - self.days * DAY
            kept = _Kept(connection, account_id, wanted, since)
            charged = kept.charged(before.entry_no, limit + 1)
            free = kept.free(before.request_no, limit + 1)
        merged = merge(charged.found, free.found, key=lambda request: -request.at)
        shown = list(islice(merged, limit))
        taken = set(shown)
        left = charged.left(taken, before.entry_no), free.left(taken, before.request_no)
        # Processes write in turns, and so up to a second or two later than one another.
        shown.sort(key=lambda request: request.at, reverse=True)
        return RequestsPage(shown, Place(*left) if any(left) else None)


@dataclass(frozen=True, slots=True)
class _Found:
    """Requests of the ledger or the log, newest first; `end` is where the search stopped, 0: nowhere."""

    found: Sequence[Request]
    end: int

    def left(self, shown: Set[Request], before: int) -> int:
        """Return the number below which the rest lies that is not shown; 0 if there is none."""
        ours = [request for request in self.found if request in shown]
        if len(ours) == len(self.found):
            return self.end
        return ours[-1].number if ours else before


class _Kept:
    """The requests that are kept of one account, in one transaction."""

    def __init__(self, connection: sa.Connection, account_id: int, wanted: Wanted, since: int) -> None:
        self._connection = connection
        self._account_id = account_id
        self._wanted = wanted
        self._since = since

    def charged(self, before: int, limit: int) -> _Found:
        """Return calls that were charged, from the ledger."""
        if not self._wanted.has_charged:
            return _Found((), 0)
        charge, refund = schema.ledger.alias("charge"), schema.ledger.alias("refund")
        mine = charge.c.account_id == self._account_id
        newest = newest_entry(self._connection, self._account_id)
        first = first_entry(self._connection, self._account_id, start=self._since)
        lowest = max(first, min(before, newest + 1) - LOOKED_THROUGH)
        given_back = sa.exists().where(
            refund.c.account_id == charge.c.account_id,
            refund.c.refers_to == charge.c.entry_no,
            refund.c.entry_no <= newest,
        )
        query = (
            sa.select(
                charge.c.entry_no,
                charge.c.at,
                charge.c.key_id,
                charge.c.endpoint,
                sa.literal(CHARGED),
                -charge.c.allotment - charge.c.wallet,
                charge.c.snapshot,
                charge.c.request_id,
                sa.literal(1),
            )
            .where(
                *(mine, charge.c.entry_no >= lowest, charge.c.entry_no < min(before, newest + 1)),
                *(charge.c.kind == "charge", ~given_back, *self._of_key(charge)),
            )
            .order_by(charge.c.entry_no.desc())
            .limit(limit)
        )
        return _Found(self._requests(query), lowest if lowest > first else 0)

    def free(self, before: int, limit: int) -> _Found:
        """Return requests that cost nothing, from the log."""
        table = schema.requests
        looked = (
            sa.select(table)
            .where(table.c.account_id == self._account_id, table.c.request_no < before)
            .order_by(table.c.request_no.desc())
            .limit(LOOKED_THROUGH)
            .subquery()
        )
        columns = looked.c
        statuses = self._wanted.statuses
        query = (
            sa.select(
                columns.request_no,
                columns.at,
                columns.key_id,
                columns.endpoint,
                columns.status,
                sa.literal(0),
                columns.snapshot,
                columns.request_id,
                columns.times,
            )
            .where(
                columns.at >= self._since,
                *self._of_key(looked),
                *(() if statuses is None else (columns.status.between(*statuses),)),
            )
            .order_by(columns.request_no.desc())
            .limit(limit)
        )
        number, lowest = self._connection.execute(
            sa.select(sa.func.count(), sa.func.min(columns.request_no))
        ).one()
        return _Found(self._requests(query), lowest if number == LOOKED_THROUGH else 0)

    def _of_key(self, table: sa.FromClause) -> Sequence[sa.ColumnElement[bool]]:
        return () if self._wanted.key_id is None else (table.c.key_id == self._wanted.key_id,)

    def _requests(self, query: sa.Select[Any]) -> Sequence[Request]:
        return [Request._make(row) for row in self._connection.execute(query)]

"""The log of requests that cost nothing, for account holders: gathered in memory, written beside calls.

The ledger has those that were charged. This log is a record for people: a process that is killed loses its
last second, and where more comes than can be written the surplus is left out. No call waits for it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from serving.contract.errors import StoreUnavailableError
from serving.metering import schema
from serving.metering.checkpoints import Checkpoints
from serving.metering.clock import DAY, SECOND, Clock, SystemClock
from serving.metering.database import Database

MAX_WAITING = 4_096
"""Requests of a process that wait to be written; more are left out."""
AT_ONCE = 500
"""Rows of one transaction, for which other writers wait a few milliseconds."""
WRITE_SECONDS = 1.0
PRUNE_SECONDS = 60
"""Seconds after which old requests are removed also where none was added."""
_UNCOUNTED = frozenset({401, 429})
"""Statuses of requests that no limit counts: any number may come, so like ones of a second make one row."""
_ROWS_OF_A_PAGE = 20

_log = logging.getLogger(__name__)


class FreeRequest(NamedTuple):
    """A request that carried a key and cost nothing, or `times` like ones that were refused within a second.

    Attributes:
        at: instant at which it was answered.
        endpoint: name of the operation, as in the ledger.
        snapshot: the snapshot that was read; None where it came to none.
    """

    at: int
    account_id: int
    key_id: int
    endpoint: str
    status: int
    snapshot: str | None
    request_id: str
    times: int = 1


class RequestLog:
    """Gathers the free requests of one process and writes them once a second.

    Args:
        database: the store.
        days: days for which requests are kept; 0: none is noted, and those of before are removed.
        clock: source of time; the machine's clock by default.
        checkpoints: keeps the log of an SQLite file short.
    """

    def __init__(
        self,
        database: Database,
        *,
        days: int,
        clock: Clock | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self._database = database
        self._days = days
        self._clock = clock or SystemClock()
        self._checkpoints = checkpoints
        self._rows: list[FreeRequest] = []
        self._refusals: dict[tuple[int, str, int], FreeRequest] = {}
        self._left_out = 0
        self._pruned_at = 0
        self._closing = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None

    def note(
        self,
        *,
        account_id: int,
        key_id: int,
        endpoint: str,
        status: int,
        snapshot: str | None,
        request_id: str,
    ) -> None:
        """Note a request that was answered, to be written within a second or two."""
        if not self._days:
            return
        if len(self._rows) + len(self._refusals) >= MAX_WAITING:
            self._left_out += 1
            return
        row = FreeRequest(self._clock.now(), account_id, key_id, endpoint, status, snapshot, request_id)
        if status not in _UNCOUNTED:
            self._rows.append(row)
            return
        like = key_id, endpoint, status
        first = self._refusals.get(like)
        self._refusals[like] = row if first is None else first._replace(times=first.times + 1)

    def start(self) -> None:
        """Begin to write, on threads beside the event loop."""
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_on())

    async def close(self) -> None:
        """Write what waits, and stop."""
        self._closing.set()
        if self._writing is not None:
            await self._writing
        if self._checkpoints is not None:
            await asyncio.to_thread(self._checkpoints.close)

    async def _write_on(self) -> None:
        is_closing = False
        while not is_closing:
            with contextlib.suppress(TimeoutError):
                is_closing = await asyncio.wait_for(self._closing.wait(), WRITE_SECONDS)
            rows = self._take()
            if rows or self._clock.now() - self._pruned_at >= PRUNE_SECONDS * SECOND:
                await asyncio.to_thread(self._write, rows)

    def _take(self) -> Sequence[FreeRequest]:
        """Return the requests that wait, on the event loop, where they are noted."""
        rows = [*self._rows, *self._refusals.values()]
        self._rows, self._refusals = [], {}
        if self._left_out:
            _log.warning("requests_left_out", extra={"requests": self._left_out})
            self._left_out = 0
        return rows

    def _write(self, rows: Sequence[FreeRequest]) -> None:
        """Write requests and remove old ones. Those that the store does not take are left out."""
        try:
            for first in range(0, max(1, len(rows)), AT_ONCE):
                self._write_some(rows[first : first + AT_ONCE])
        except (StoreUnavailableError, sa.exc.SQLAlchemyError) as error:
            _log.warning("requests_not_logged", exc_info=error)

    def _write_some(self, rows: Sequence[FreeRequest]) -> None:
        now = self._clock.now()
        with self._database.writing(flushed=False) as connection:
            if rows:
                connection.exec_driver_sql(_insert(connection.dialect.paramstyle), list(rows))
            _prune(connection, before=now - self._days * DAY, most=2 * len(rows) + AT_ONCE)
        self._pruned_at = now
        if self._checkpoints is not None:
            self._checkpoints.note(2 + len(rows) // _ROWS_OF_A_PAGE)


def _insert(style: str) -> str:
    """Return the statement for a row, plain for the driver: the library's own takes twice as long."""
    places = ", ".join(["?" if style == "qmark" else "%s"] * len(FreeRequest._fields))
    return f"INSERT INTO requests ({', '.join(FreeRequest._fields)}) VALUES ({places})"  # noqa: S608 (names of ours)


def _prune(connection: sa.Connection, *, before: int, most: int) -> None:
    """Remove requests answered before an instant, the oldest first and at most so many."""
    table = schema.requests
    oldest = sa.select(table.c.request_no, table.c.at).order_by(table.c.request_no)
    first = connection.execute(oldest.limit(1)).one_or_none()
    if first is None or first.at >= before:
        return
    oldest = oldest.limit(most)
    found = oldest.with_for_update(skip_locked=True).subquery()
    old = sa.select(found.c.request_no).where(found.c.at < before)
    connection.execute(sa.delete(table).where(table.c.request_no.in_(old)))

"""The requests of an account as its holder reads them: newest first, page by page, by key and status."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from serving.metering import schema
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.request_log import LoggedRequest

LOOKED_THROUGH = 20_000
"""Requests that one page looks through for those that are wanted."""

_table = schema.requests


@dataclass(frozen=True, slots=True)
class Wanted:
    """Choice of requests.

    Attributes:
        key_id: the key that they carried; None for any.
        statuses: lowest and highest status; None for any.
    """

    key_id: int | None = None
    statuses: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class RequestsPage:
    """Some requests, newest first. `older` is the value of `before` for the next page; None at the end."""

    requests: Sequence[LoggedRequest]
    older: int | None


class RequestHistory:
    """Reads the requests of accounts.

    Args:
        database: the store.
        days: days for which requests are kept; 0: none is.
    """

    def __init__(self, database: Database, *, days: int) -> None:
        self._database = database
        self.days = days

    def page(self, account_id: int, wanted: Wanted, *, before: int | None, limit: int) -> RequestsPage:
        """Return the newest requests of an account that are wanted, or those before a place.

        A page may hold fewer than `limit` and yet have older ones after it: it looks through
        `LOOKED_THROUGH` requests at most.
        """
        with self._database.reading() as connection:
            since = self._database.now(connection) - self.days * DAY
            earlier = sa.true() if before is None else _table.c.request_no < before
            looked = (
                sa.select(_table)
                .where(_table.c.account_id == account_id, earlier)
                .order_by(_table.c.request_no.desc())
                .limit(LOOKED_THROUGH)
                .subquery()
            )
            number = looked.c.request_no
            is_wanted = [looked.c.at >= since]
            if wanted.key_id is not None:
                is_wanted.append(looked.c.key_id == wanted.key_id)
            if wanted.statuses is not None:
                is_wanted.append(looked.c.status.between(*wanted.statuses))
            query = (
                sa.select(number, *(looked.c[name] for name in LoggedRequest._fields))
                .where(*is_wanted)
                .order_by(number.desc())
                .limit(limit + 1)
            )
            rows = connection.execute(query).all()
            requests = [LoggedRequest._make(row[1:]) for row in rows[:limit]]
            # Processes write in turns, and so up to a second or two later than one another.
            requests.sort(key=lambda request: request.at, reverse=True)
            if len(rows) > limit:
                return RequestsPage(requests, rows[limit - 1].request_no)
            last = sa.select(sa.func.count(), sa.func.min(number))
            looked_through, lowest = connection.execute(last).one()
            return RequestsPage(requests, lowest if looked_through == LOOKED_THROUGH else None)

"""Reports of readers that a provision is wrong: taken within limits, listed and closed by the operator."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from serving.accounts.attempts import REPORTS_FROM_NETWORK, REPORTS_IN_ALL, Throttle
from serving.accounts.expiry import sweep
from serving.accounts.names import clean_name
from serving.contract.errors import NotFoundError, ValidationError
from serving.metering import schema
from serving.metering.addresses import network_of, normal_email
from serving.metering.database import Database

MAX_WORDS, MAX_OUTCOME = 2_000, 500
"""Characters of what a reader writes, and of what the operator notes."""
_SERVICE = "all"


@dataclass(frozen=True, slots=True)
class Report:
    """A report.

    Attributes:
        node_id, citation, snapshot: the provision, and the snapshot in which it was read.
        words: what is wrong, as the reader wrote it; nothing to trust.
        email: address of the reader, who need not give one; unconfirmed.
        created_at, closed_at: in microseconds since 1970 UTC; `closed_at` is None while it is open.
        outcome: what came of it.
    """

    report_id: int
    node_id: str
    citation: str
    snapshot: str
    words: str
    email: str | None
    created_at: int
    closed_at: int | None
    outcome: str | None


class Reports:
    """Takes, lists and closes reports. Each call is one durable transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._throttle = Throttle(database)

    def add(
        self, *, node_id: str, citation: str, snapshot: str, words: str, email: str, address: str
    ) -> Report:
        """Take a report.

        Args:
            node_id: id of the provision.
            citation: how it is cited.
            snapshot: id of the snapshot that the reader sees.
            words: what is wrong.
            email: where the reader may be asked; empty: nowhere.
            address: network address of the reader, of which a hash is kept until the limit is over.

        Raises:
            TooManyAttemptsError: this network, or all together, have reported as much as is taken in a day.
            ValidationError: there are no words or too many, or the e-mail address is none.
        """
        told = _clean_lines(words)
        known = normal_email(email) if email.strip() else None
        buckets = [REPORTS_FROM_NETWORK.of(network_of(address)), REPORTS_IN_ALL.of(_SERVICE)]
        with self._database.writing() as connection:
            self._throttle.take(connection, buckets)
            now = self._database.now(connection)
            inserted = connection.execute(
                sa.insert(schema.reports)
                .values(
                    node_id=node_id,
                    citation=citation,
                    snapshot=snapshot,
                    words=told,
                    email=known,
                    created_at=now,
                )
                .returning(*schema.reports.c)
            ).one()
            sweep(connection, schema.attempts, now=now)
        return Report(*inserted)

    def list(self, *, closed: bool = False) -> Sequence[Report]:
        """Return the open reports, or all, oldest first."""
        query = sa.select(schema.reports).order_by(schema.reports.c.report_id)
        if not closed:
            query = query.where(schema.reports.c.closed_at.is_(None))
        with self._database.reading(behind=True) as connection:
            return [Report(*row) for row in connection.execute(query)]

    def get(self, report_id: int) -> Report:
        """Return a report.

        Raises:
            NotFoundError: there is none of this number.
        """
        with self._database.reading(behind=True) as connection:
            return _get(connection, report_id)

    def close(self, report_id: int, outcome: str) -> Report:
        """Close a report with what came of it; one that is closed already gets the new outcome.

        Raises:
            NotFoundError: there is none of this number.
            ValidationError: the outcome is empty, too long or has control characters.
        """
        noted = clean_name(outcome, what="The outcome of a report", limit=MAX_OUTCOME, parameter="outcome")
        with self._database.writing() as connection:
            found = _get(connection, report_id)
            closed_at = found.closed_at or self._database.now(connection)
            connection.execute(
                sa.update(schema.reports)
                .where(schema.reports.c.report_id == report_id)
                .values(closed_at=closed_at, outcome=noted)
            )
            return _get(connection, report_id)


def _get(connection: sa.Connection, report_id: int) -> Report:
    query = sa.select(schema.reports).where(schema.reports.c.report_id == report_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no report {report_id}.", kind="report")
    return Report(*row)


def _clean_lines(words: str) -> str:
    """Return what a reader wrote, without blanks at the ends of lines.

    Raises:
        ValidationError: it is empty or too long, or has invisible characters.
    """
    lines = [" ".join(line.split()) for line in words.strip().splitlines()]
    told = "\n".join(lines)
    if not all(line.isprintable() for line in lines) or not 0 < len(told) <= MAX_WORDS:
        raise ValidationError(
            f"Say what is wrong in 1 to {MAX_WORDS:,} characters, without control characters.",
            parameter="words",
        )
    return told

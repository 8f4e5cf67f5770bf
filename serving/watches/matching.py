"""Matches of watches with the changes that snapshots carry: one event for a watch and a snapshot, once."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import uuid5

import orjson
import sqlalchemy as sa

from serving.contract.changes import Change, Stamp
from serving.contract.errors import SnapshotGoneError, ValidationError
from serving.contract.identity import NAMESPACE
from serving.metering import schema
from serving.metering.database import Database
from serving.services.retained_laws import RetainedLaw, find_law
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder
from serving.snapshot.pointer import current_snapshot_id, snapshot_order
from serving.watches import subjects
from serving.watches.subjects import SEARCH, Subject
from serving.watches.watches import CHANGED, COLUMNS, KEPT, Event, Watch, insert_event, watch_of

SHOWN = 50
"""Changes that an event lists; where there are more, `total` counts them and `changesUrl` has them all."""
_AT_ONCE = 500
"""Watches that are matched before what was found is written down."""

_log = logging.getLogger(__name__)


class Matcher:
    """Matches watches with the changes of snapshots that went into service.

    A watch and a snapshot give one event, whose id is made of both, and the watch remembers in the same
    transaction that it saw the snapshot: however often and wherever this runs, there is no second one.

    Args:
        database: the store.
        snapshots: the snapshots, followed up to the one in service.
        public_url: base of the addresses in events.
    """

    def __init__(self, database: Database, snapshots: SnapshotHolder, *, public_url: str) -> None:
        self._database = database
        self._snapshots = snapshots
        self._public_url = public_url
        self._service = SearchService()

    def match(self) -> int:
        """Match every watch with the snapshots since the one it saw last, and return the number of events.

        Raises:
            NoSnapshotError: none is in service.
        """
        events = sum(map(self._match_with, self._way_to(current_snapshot_id(self._snapshots.folder))))
        self._remove_old()
        return events

    def _way_to(self, current: str) -> list[str]:
        """Return the snapshots by which the law came to be what is in service, the oldest first.

        Each was compared with the one before it here. One that was rolled back is none of them, unless it
        is in service again.
        """
        oldest = min((snapshot_order(seen) for seen in self._seen()), default=snapshot_order(current))
        way: list[str] = []
        snapshot: str | None = current
        while snapshot is not None and snapshot_order(snapshot) > oldest:
            try:
                with find_law(self._snapshots, snapshot) as law:
                    stamp = law.summary and law.summary["from"]
            except SnapshotGoneError:
                _log.warning("snapshot_not_matched", extra={"snapshot": snapshot})
                break
            way.append(snapshot)
            snapshot = stamp["id"] if stamp else None
        return way[::-1]

    def _seen(self) -> list[str]:
        with self._database.reading(behind=True) as connection:
            return list(connection.execute(sa.select(schema.watches.c.seen).distinct()).scalars())

    def _match_with(self, snapshot: str) -> int:
        events = 0
        with find_law(self._snapshots, snapshot) as law:
            for watches in self._behind(snapshot):
                events += self._write(snapshot, [(watch, self._event(watch, law)) for watch in watches])
        return events

    def _behind(self, snapshot: str) -> Iterator[list[Watch]]:
        """Yield the watches that have not seen a snapshot, some at a time."""
        table, after = schema.watches, ""
        while True:
            with self._database.reading(behind=True) as connection:
                query = sa.select(*COLUMNS).where(table.c.watch_id > after)
                rows = connection.execute(query.order_by(table.c.watch_id).limit(_AT_ONCE)).all()
            if not rows:
                return
            watches = [watch_of(row) for row in rows]
            after = watches[-1].watch_id
            wanted = snapshot_order(snapshot)
            behind = [one for one in watches if snapshot_order(one.seen) < wanted]
            if behind:
                yield behind

    def _event(self, watch: Watch, law: RetainedLaw) -> Event | None:
        """Return the event of a watch and a snapshot; None where nothing that is watched changed."""
        summary, table = law.summary, law.changes
        if summary is None or summary["from"] is None or table is None:
            return None
        rows = self._rows(watch.subject, law)
        if not rows:
            return None
        changes = list(map(table.change, rows[:SHOWN]))
        body = {
            "type": CHANGED,
            "timestamp": summary["to"]["createdAt"],
            "data": {
                "watchId": watch.watch_id,
                "subject": watch.subject.described(),
                "from": summary["from"],
                "to": summary["to"],
                "total": len(rows),
                "changes": [self._told(change) for change in changes],
                "changesUrl": self._address(watch.subject, summary["from"], law.id),
            },
        }
        event_id = f"evt_{uuid5(NAMESPACE, f'watch:{watch.watch_id}/{law.id}').hex}"
        text = orjson.dumps(body).decode()
        return Event(event_id, watch.watch_id, CHANGED, 0, text, 0, None, None, None)

    def _rows(self, subject: Subject, law: RetainedLaw) -> list[int]:
        if subject.kind != SEARCH:
            return subjects.rows_of(subject, law)
        try:
            with self._snapshots.lease(law.id) as snapshot:
                return subjects.rows_found(subject, law, snapshot, self._service)
        except ValidationError:
            return []  # the jurisdiction is no longer listed

    def _told(self, change: Change) -> dict[str, Any]:
        before, after = change["before"], change["after"]
        shown = after or before
        if shown is None:
            return {"kind": change["kind"], "codeBody": change["codeBody"]}
        moved = before and after and before["citation"] != after["citation"]
        return {
            "kind": change["kind"],
            "nodeId": shown["nodeId"],
            "citation": shown["citation"],
            "heading": shown["heading"],
            "status": shown["status"],
            "fields": change["fields"],
            "creditAdded": change["creditAdded"],
            **({"formerly": before["citation"]} if before and moved else {}),
            **({} if after is None else {"url": f"{self._public_url}/api/v1/node/{after['nodeId']}"}),
        }

    def _address(self, subject: Subject, since: Stamp, until: str) -> str:
        named = {"node": "container", "container": "container", "codeBody": "codeBody"}.get(subject.kind)
        query = {"from": since["id"], "to": until} | ({} if named is None else {named: subject.value})
        return f"{self._public_url}/api/v1/changes?{urlencode(query)}"

    def _write(self, snapshot: str, matched: Sequence[tuple[Watch, Event | None]]) -> int:
        """Write down what was matched, for the watches that nobody else matched meanwhile."""
        table, events = schema.watches, 0
        with self._database.writing() as connection:
            now = self._database.now(connection)
            for watch, event in matched:
                seen = (
                    sa.update(table)
                    .where(table.c.watch_id == watch.watch_id, table.c.seen == watch.seen)
                    .values(seen=snapshot)
                )
                if connection.execute(seen).rowcount and event is not None:
                    due = now if watch.url is not None and watch.refused_at is None else None
                    insert_event(connection, replace(event, at=now, next_at=due))
                    events += 1
        return events

    def _remove_old(self) -> None:
        table = schema.watch_events
        with self._database.writing() as connection:
            old = table.c.at < self._database.now(connection) - KEPT
            connection.execute(sa.delete(table).where(old, table.c.next_at.is_(None)))

"""Answers on watches: the records of their JSON, and the feed of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import orjson

from serving.contract.answers import widen
from serving.metering.clock import rfc3339
from serving.services.feeds import Entry, Feed
from serving.watches.watches import Credentials, Event, Watch

_LISTED = 20
"""Changes that an entry of a feed lists; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchAnswer:
    """A watch; `seen`: the newest snapshot whose changes it was matched with.

    `refusedAt` is the instant at which the receiver said that it is gone for good (410).
    """

    id: str
    subject: dict[str, str]
    url: str | None
    seen: str
    created_at: str
    refused_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAnswer:
    """An event and its delivery; `nextAt`: instant of the next attempt, None if there is none."""

    id: str
    type: str
    at: str
    attempts: int
    next_at: str | None
    delivered_at: str | None
    outcome: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDetail(WatchAnswer):
    """A watch with its newest events."""

    events: tuple[EventAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWatch(WatchAnswer):
    """A watch with what is shown once: the secret that signs its deliveries, and the address of its feed."""

    secret: str
    feed_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchList:
    """The watches of an account, the newest first."""

    watches: tuple[WatchAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """The number of events that are delivered again."""

    events: int


def watch_answer(watch: Watch) -> WatchAnswer:
    """Return the answer for a watch."""
    return WatchAnswer(
        id=watch.watch_id,
        subject=watch.subject.described(),
        url=watch.url,
        seen=watch.seen,
        created_at=rfc3339(watch.created_at),
        refused_at=None if watch.refused_at is None else rfc3339(watch.refused_at),
    )


def event_answer(event: Event) -> EventAnswer:
    """Return the answer for an event."""
    return EventAnswer(
        id=event.event_id,
        type=event.kind,
        at=rfc3339(event.at),
        attempts=event.attempts,
        next_at=None if event.next_at is None else rfc3339(event.next_at),
        delivered_at=None if event.delivered_at is None else rfc3339(event.delivered_at),
        outcome=event.outcome,
    )


def detail_answer(watch: Watch, events: Sequence[Event]) -> WatchDetail:
    """Return the answer for a watch with its events."""
    return widen(watch_answer(watch), WatchDetail, events=tuple(map(event_answer, events)))


def new_answer(made: Credentials, public_url: str) -> NewWatch:
    """Return the answer that shows the secret and the address of the feed, once."""
    address = f"{public_url}{feed_path(made.feed_token)}.json"
    return widen(watch_answer(made.watch), NewWatch, secret=made.secret, feed_url=address)


def list_answer(watches: Sequence[Watch]) -> WatchList:
    """Return the answer for the watches of an account."""
    return WatchList(watches=tuple(map(watch_answer, watches)))


def feed_path(token: str) -> str:
    """Return the path of a watch's feed, without what tells its format."""
    return f"/feeds/watches/{token}"


def watch_feed(watch: Watch, events: Sequence[Event], token: str) -> Feed:
    """Return the feed of a watch: an entry for each snapshot that changed its subject."""
    entries = tuple(map(_entry, events))
    updated = max((entry.published for entry in entries), default=rfc3339(watch.created_at))
    words = ", ".join(f"{name} {value}" for name, value in watch.subject.described().items())
    return Feed(watch.watch_id, feed_path(token), f"Changes of {words}", updated, entries)


def _entry(event: Event) -> Entry:
    data = orjson.loads(event.body)["data"]
    changes, total = data["changes"], data["total"]
    lines = [f"{one.get('citation') or one['codeBody']['name']}: {one['kind']}" for one in changes[:_LISTED]]
    more = [f"{total - len(lines):,} more."] if total > len(lines) else []
    since, until = data["from"]["id"], data["to"]["id"]
    return Entry(
        UUID(hex=event.event_id.removeprefix("evt_")),
        lines[0] if total == 1 else f"{total:,} changes from {since} to {until}",
        "\n".join([*lines, *more, f"From snapshot {since} to {until}."]),
        f"/api/v1/changes?{data['changesUrl'].partition('?')[2]}",
        None,
        rfc3339(event.at),
        None,
    )

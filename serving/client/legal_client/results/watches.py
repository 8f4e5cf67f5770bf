"""Records of watches, and of the events that they were matched by."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class WatchSubject:
    """Law that is watched: one of the ids, or a search; the other fields are None."""

    node: str | None
    container: str | None
    code_body: str | None
    search: str | None
    jurisdiction: str | None


@dataclass(frozen=True, slots=True)
class WatchItem:
    """A watch in a list."""

    id: str
    subject: WatchSubject
    url: str | None
    seen: str
    created_at: str
    refused_at: str | None


@dataclass(frozen=True, slots=True)
class WatchList:
    """The watches of the account, the newest first."""

    watches: tuple[WatchItem, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class Watch(WatchItem):
    """A watch; `seen` is the newest snapshot whose changes it was matched with."""

    meta: Meta


@dataclass(frozen=True, slots=True)
class WatchMade(WatchItem):
    """A watch with what is shown once: the secret of its deliveries, and the address of its feed."""

    secret: str
    feed_url: str
    meta: Meta


@dataclass(frozen=True, slots=True)
class WatchedEvent:
    """An event of a watch and its delivery; `outcome` is that of the newest attempt, in words."""

    id: str
    type: str
    at: str
    attempts: int
    next_at: str | None
    delivered_at: str | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class WatchEvent(WatchedEvent):
    """An event that was just made."""

    meta: Meta


@dataclass(frozen=True, slots=True)
class WatchDetail(WatchItem):
    """A watch with its newest events, the newest first."""

    events: tuple[WatchedEvent, ...]
    meta: Meta


@dataclass(frozen=True, slots=True)
class WatchReplayed:
    """The number of events that are delivered again."""

    events: int
    meta: Meta

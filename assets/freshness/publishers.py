"""Ask publishers for their newest releases, unattended and politely, and keep what they say."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from assets.connectors.addresses import host_of
from assets.connectors.fetching import connector_of
from assets.connectors.kept_answers import KeptAnswers
from assets.connectors.retries import Patience
from assets.connectors.session import Bounds, Session
from assets.connectors.sightings import Sighting, ask
from assets.freshness.freshness import Freshness
from assets.freshness.known import key_of, known_freshness
from assets.registry import CodeBody, Layer
from assets.workspace import Workspace

_BOUNDS = Bounds(seconds=20.0, silence=15.0)
"""A tick of a sensor has a minute, and a publisher that does not answer now is asked again later."""

_PATIENCE = Patience(attempts=1, most=float("inf"))
"""Nobody waits: what a publisher asks for is kept, and it is not asked again before."""


@contextmanager
def asking(workspace: Workspace) -> Iterator[Session]:
    """Yield a session that asks for lists of releases only if they changed since it asked last."""
    with Session(_BOUNDS, _PATIENCE, kept=KeptAnswers(workspace.listings)) as session:
        yield session


def asked_freshness(
    workspace: Workspace,
    entry: CodeBody | Layer,
    session: Session,
    *,
    now: datetime,
    unattended: bool = True,
) -> Freshness:
    """Ask the publisher of an entry with a connector, and return how fresh what was accepted is.

    A publisher that asked to wait is not asked before that, and unattended none that did not answer shortly
    before; what is known of it stays.
    """
    if entry.connector is not None:
        path = workspace.newest_release(key_of(entry))
        before = Sighting.load(path)
        if before is None or not before.rests(now) or not (unattended or before.is_busy):
            ask(connector_of(key_of(entry), entry.connector, session), before, now=now).save(path)
    return known_freshness(workspace, entry)


def asked_one_after_another(
    workspace: Workspace,
    entries: Sequence[CodeBody | Layer],
    *,
    seconds: float = float("inf"),
    unattended: bool = True,
) -> Iterator[tuple[CodeBody | Layer, Freshness]]:
    """Yield each entry with a connector and its freshness, asked now; not those for which no time is left.

    A host that does not answer is not asked for a second entry.
    """
    end = time.monotonic() + seconds
    silent: dict[str, Sighting] = {}
    with asking(workspace) as session:
        for entry in entries:
            if entry.connector is None or time.monotonic() > end:
                continue
            host = host_of(connector_of(key_of(entry), entry.connector, session).listing)
            if host in silent:
                path = workspace.newest_release(key_of(entry))
                before = Sighting.load(path) or Sighting(silent[host].asked_at)
                before.without_answer(silent[host]).save(path)
                yield entry, known_freshness(workspace, entry)
                continue
            fresh = asked_freshness(workspace, entry, session, now=datetime.now(UTC), unattended=unattended)
            if fresh.sighting is not None and fresh.sighting.is_silent:
                silent[host] = fresh.sighting
            yield entry, fresh

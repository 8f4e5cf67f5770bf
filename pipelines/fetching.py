"""Sources of a build that come from their publishers: told before anything is fetched or built."""

from collections.abc import Iterator, Sequence

from assets.connectors.errors import FetchError, UnreachableError
from assets.connectors.fetching import connector_of
from assets.connectors.release import Connector, Release
from assets.connectors.retries import Patience
from assets.connectors.session import Session
from assets.ingest.origins import is_fetched
from assets.registry import CodeBody, Registry
from pipelines.wanted import Wanted

_PATIENCE = Patience(attempts=2)
"""For being told of releases, before a build begins."""


def announced(wanted: Sequence[Wanted], registry: Registry) -> Iterator[str]:
    """Yield a line for each source that will be fetched: which release, from where and how much.

    Raises:
        UnreachableError: a publisher does not answer; the message says what would be fetched from where.
        FetchError: a publisher does not tell its releases.
    """
    with Session(patience=_PATIENCE) as session:
        for build in wanted:
            entry = registry.entry(build.key)
            if entry.connector is None or not is_fetched(build.path, entry):
                continue
            connector = connector_of(build.key, entry.connector, session)
            try:
                release = connector.releases()[0]
                yield f"{build.key}: {_described(release)}{_size(release, session)}"
            except UnreachableError:
                raise UnreachableError(_offline(build.key, connector)) from None


def newest_release(body: CodeBody) -> str | None:
    """Return the name of the publisher's newest release; None where it cannot be asked."""
    if body.connector is None:
        return None
    try:
        with Session(patience=_PATIENCE) as session:
            return connector_of(body.key, body.connector, session).releases()[0].name
    except FetchError:
        return None  # the build says what is wrong


def _described(release: Release) -> str:
    dated = f" of {release.date}" if release.date not in {None, release.name} else ""
    more = len(release.addresses) - 1
    others = f" and {more} more" if more else ""
    return f"release {release.name}{dated} from {release.addresses[0]}{others}"


def _size(release: Release, session: Session) -> str:
    size = release.bytes
    if size is None and len(release.addresses) == 1:
        headers = session.head(release.addresses[0])
        length = "" if headers is None else headers.get("Content-Length", "")
        size = int(length) if length.isascii() and length.isdigit() else None
    return "" if size is None else f", {size:,} bytes"


def _offline(key: str, connector: Connector) -> str:
    return (
        f"{key} is to be fetched: its newest release, as listed at {connector.listing}, which cannot be "
        f"reached from here. Give a path instead, as in `lawbuild {key}=PATH`."
    )

"""The origin of a code body's source: a given path, else the registry's own, else what is pinned."""

from pathlib import Path

from assets.connectors.fetching import connector_of, fetch_newest
from assets.connectors.release import Fetched
from assets.connectors.session import Session
from assets.errors import SourceError
from assets.progress import Progress
from assets.registry import CodeBody


def is_fetched(given: str | None, body: CodeBody) -> bool:
    """Return whether the source comes from its publisher: nothing is given or packaged, but a connector."""
    return not given and body.source is None and body.connector is not None


def fetch_source(body: CodeBody, folder: Path, progress: Progress) -> Fetched:
    """Bring the newest release of a code body from its publisher into a folder.

    Raises:
        SourceError: it has no connector.
        FetchError: the release cannot be had whole.
    """
    if body.connector is None:
        raise SourceError(f"The registry names no address from which {body.name} could be fetched.")
    with Session() as session, progress.stage(f"{body.key}: fetching", "bytes") as advance:
        return fetch_newest(connector_of(body.key, body.connector, session), folder, advance)


def origin_of(given: str | None, body: CodeBody, *, datasets: Path, pinned: Path) -> Path | None:
    """Return the folder or archive to pin; None where the source that is pinned already is to be kept.

    Args:
        given: what the caller named, if anything.
        body: whose source it is.
        datasets: folder that the registry's own sources are relative to.
        pinned: folder of the pinned source.

    Raises:
        SourceError: nothing was given, the registry packages no source and none is pinned.
    """
    if given:
        return Path(given).expanduser()
    if body.source is not None:
        return datasets / body.source
    if (pinned / "source.json").is_file():
        return None
    where = f" It is published at {body.source_url}." if body.source_url else ""
    raise SourceError(
        f"{body.name} is not packaged with this project: name a folder or archive of it, "
        f"as in `make snapshot BODIES={body.key}=PATH`.{where}"
    )

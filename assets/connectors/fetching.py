"""Fetch the newest release of a code body or layer into its folder of downloads."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from assets.connectors.errors import FetchError
from assets.connectors.feature_services import FeatureService
from assets.connectors.git_archives import GitArchive
from assets.connectors.https_files import HttpsFile
from assets.connectors.regulation_titles import Regulations
from assets.connectors.release import Connector, Fetched
from assets.connectors.release_points import ReleasePoints
from assets.connectors.session import Session
from assets.connectors.sightings import Sighting, seen
from assets.connectors.signed_repositories import SignedRepository
from assets.errors import SourceError
from assets.progress import Advance, Progress
from assets.registry import CodeBody, ConnectorEntry, Layer

_Make = Callable[[str, ConnectorEntry, Session], Connector]

_CONNECTORS: dict[str, _Make] = {
    "https": lambda _, entry, session: HttpsFile(entry, session),
    "git-archive": GitArchive,
    "taf": SignedRepository,
    "uscode": lambda _, entry, session: ReleasePoints(entry, session),
    "ecfr-titles": lambda _, entry, session: Regulations(entry, session),
    "arcgis": FeatureService,
}


def connector_of(key: str, entry: ConnectorEntry, session: Session) -> Connector:
    """Return the connector of an entry; `key` names its files."""
    return _CONNECTORS[entry.kind](key, entry, session)


def fetch_source(
    key: str, entry: CodeBody | Layer, folder: Path, *, sighted: Path, progress: Progress
) -> Fetched:
    """Bring the newest release of an entry from its publisher into a folder.

    Args:
        key: of the entry.
        entry: says from where.
        folder: takes the files.
        sighted: file that says what the newest release is.
        progress: shows the bytes that come.

    Raises:
        SourceError: it has no connector.
        FetchError: the release cannot be had whole.
    """
    if entry.connector is None:
        raise SourceError(f"The registry names no address from which {entry.name} could be fetched.")
    with Session() as session, progress.stage(f"{key}: fetching", "bytes") as advance:
        fetched = fetch_newest(connector_of(key, entry.connector, session), folder, advance)
    seen(Sighting.load(sighted), fetched.release, now=datetime.now(UTC)).save(sighted)
    return fetched


def fetch_newest(connector: Connector, folder: Path, advance: Advance) -> Fetched:
    """Bring the newest release into a folder, which is made if it is not there.

    Raises:
        FetchError: it cannot be had whole, or not be written. What came of it is kept for the next time.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return connector.fetch(connector.releases()[0], folder, advance)
    except OSError as error:
        raise FetchError(f"What comes from {connector.listing} cannot be written: {error}.") from error

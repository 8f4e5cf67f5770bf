"""Fetch the newest release of an entry of the registry into its folder of downloads."""

from collections.abc import Callable
from pathlib import Path

from assets.connectors.errors import FetchError
from assets.connectors.feature_services import FeatureService
from assets.connectors.git_archives import GitArchive
from assets.connectors.https_files import HttpsFile
from assets.connectors.regulation_titles import Regulations
from assets.connectors.release import Connector, Fetched
from assets.connectors.release_points import ReleasePoints
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry

_Make = Callable[[str, ConnectorEntry, Session], Connector]

_CONNECTORS: dict[str, _Make] = {
    "https": lambda _, entry, session: HttpsFile(entry, session),
    "git-archive": GitArchive,
    "uscode": lambda _, entry, session: ReleasePoints(entry, session),
    "ecfr-titles": lambda _, entry, session: Regulations(entry, session),
    "arcgis": FeatureService,
}


def connector_of(key: str, entry: ConnectorEntry, session: Session) -> Connector:
    """Return the connector of an entry; `key` names its files."""
    return _CONNECTORS[entry.kind](key, entry, session)


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

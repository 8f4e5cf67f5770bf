"""Connector `https`: a file or archive at an address that stays the same; validators name its releases."""

from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path

from assets.connectors.download import download
from assets.connectors.folders import file_name, keep_only
from assets.connectors.records import Validators
from assets.connectors.release import UNNAMED, Fetched, Release
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry


class HttpsFile:
    """A file at a fixed address."""

    def __init__(self, entry: ConnectorEntry, session: Session) -> None:
        self.listing = entry.addresses["file"]
        self._most = entry.megabytes * 1_000_000
        self._session = session

    def releases(self) -> Sequence[Release]:
        """Return the one release that lies at the address now."""
        headers = self._session.head(self.listing)
        if headers is None:
            return (Release(UNNAMED, None, (self.listing,)),)
        validators = Validators.of(headers)
        length = headers.get("Content-Length", "")
        name = validators.etag or validators.last_modified or UNNAMED
        return (
            Release(
                name,
                _day(validators.last_modified),
                (self.listing,),
                (validators,),
                int(length) if length.isascii() and length.isdigit() else None,
            ),
        )

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the file into the folder, if it is not there as it is now."""
        name = file_name(self.listing)
        done = download(self._session, self.listing, folder / name, most=self._most, advance=advance)
        keep_only(folder, [name])
        return Fetched(release, folder / name, (done,))


def _day(last_modified: str | None) -> str | None:
    try:
        return parsedate_to_datetime(last_modified or "").date().isoformat()
    except ValueError:
        return None

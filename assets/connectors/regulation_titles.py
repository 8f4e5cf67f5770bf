"""Connector `ecfr-titles`: titles of the Code of Federal Regulations, each current to a date of its own."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from assets.connectors.download import download
from assets.connectors.errors import FetchError
from assets.connectors.folders import file_name, keep_only
from assets.connectors.release import Fetched, Release
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_TITLES = 200


class Regulations:
    """The titles of the eCFR: a release is the day of the newest title, and its files are all titles."""

    def __init__(self, entry: ConnectorEntry, session: Session) -> None:
        self.listing = entry.addresses["titles"]
        self._title = entry.addresses["title"]
        self._most = entry.megabytes * 1_000_000
        self._session = session

    def releases(self) -> Sequence[Release]:
        """Return the state of the titles now."""
        told = self._session.read_json(self.listing)
        rows = told.get("titles") if isinstance(told, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise FetchError(f"{self.listing} lists no titles.")
        held = {self._number(row): _day(row) for row in rows if not row.get("reserved")}
        if not 0 < len(held) <= _MOST_TITLES:
            raise FetchError(f"{self.listing} lists {len(held)} titles.")
        newest = max((day for day in held.values() if day is not None), default=None)
        addresses = tuple(self._title.format(number=number) for number in sorted(held))
        return (Release(newest or "as it is now", newest, addresses),)

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the titles into the folder: those that changed, one after another."""
        files, names, before = [], [], 0
        for address in release.addresses:
            names.append(file_name(address))

            def more(done: int, _: int, base: int = before) -> None:
                advance(base + done, 0)

            files.append(download(self._session, address, folder / names[-1], most=self._most, advance=more))
            before += files[-1].bytes
        keep_only(folder, names)
        return Fetched(release, folder, tuple(files))

    def _number(self, row: Mapping[str, object]) -> int:
        number = row.get("number")
        if type(number) is not int or not 0 < number < 1000:
            raise FetchError(f"{self.listing} lists a title with the number {number!r}.")
        return number


def _day(row: Mapping[str, object]) -> str | None:
    value = row.get("up_to_date_as_of")
    return value if isinstance(value, str) and _DAY.fullmatch(value) else None

"""Connector `uscode`: release points of the United States Code, each with all titles in one archive."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from assets.connectors.addresses import linked
from assets.connectors.download import download
from assets.connectors.errors import FetchError
from assets.connectors.folders import file_name, keep_only
from assets.connectors.release import Fetched, Release
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry

_POINT = re.compile(r"(?P<congress>\d+)-(?P<law>\d+)(?P<without>(?:not\d+)*)(?:u(?P<update>\d+))?")
_FILE = re.compile(r"(?:^|/)(?:xml_uscAll|usc-rp)@(?P<point>[\w-]+)\.(?:zip|htm)$")
_WORDS_BEFORE = 300
_DATE = re.compile(r"\((\d{1,2})/(\d{1,2})/(\d{4})\)")


class ReleasePoints:
    """The page of the Office of the Law Revision Counsel that lists release points."""

    def __init__(self, entry: ConnectorEntry, session: Session) -> None:
        self.listing = entry.addresses["page"]
        self._most = entry.megabytes * 1_000_000
        self._session = session

    def releases(self) -> Sequence[Release]:
        """Return the release points that the page links to."""
        page = _Page()
        page.feed(self._session.read(self.listing).decode("utf-8", "replace"))
        if not page.links:
            raise FetchError(f"{self.listing} links to no release point of all titles in XML.")
        points = sorted(page.links, key=_order, reverse=True)
        return tuple(self._release(point, page) for point in points)

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the archive of all titles into the folder."""
        (address,) = release.addresses
        target = folder / file_name(address)
        done = download(self._session, address, target, most=self._most, advance=advance)
        keep_only(folder, [target.name])
        return Fetched(release, target, (done,))

    def _release(self, point: str, page: "_Page") -> Release:
        address = linked(self.listing, page.links[point])
        # Lists of earlier release points link to a page of each, beside which its archives lie.
        archive = f"{address.rpartition('/')[0]}/xml_uscAll@{point}.zip"
        return Release(point, page.days.get(point), (archive,))


class _Page(HTMLParser):
    """Links to release points, and their dates; those in comments are not published yet."""

    def __init__(self) -> None:
        super().__init__()
        self.links: dict[str, str] = {}
        self.days: dict[str, str | None] = {}
        self._before = ""
        self._point: str | None = None
        self._words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link to a release point."""
        link = dict(attrs).get("href") or "" if tag == "a" else ""
        found = _FILE.search(unquote(link))
        if found is not None and _POINT.fullmatch(found["point"]) and found["point"] not in self.links:
            self._point, self._words = found["point"], ""
            self.links[self._point] = link

    def handle_data(self, data: str) -> None:
        """Keep the words of a link, and those before it."""
        self._words += data
        self._before = (self._before + data)[-_WORDS_BEFORE:]

    def handle_endtag(self, tag: str) -> None:
        """Date a release point by the words of its link, else by the last date before it."""
        if tag == "a" and self._point is not None:
            days = _days(self._words)[:1] or _days(self._before)[-1:]
            self.days[self._point] = days[0] if days else None
            self._point = None


def _order(point: str) -> tuple[int, int, int, int]:
    found = _POINT.fullmatch(point)
    if found is None:
        return 0, 0, 0, 0
    return (
        int(found["congress"]),
        int(found["law"]),
        -found["without"].count("not"),
        int(found["update"] or 0),
    )


def _days(text: str) -> list[str]:
    days = []
    for month, day, year in _DATE.findall(text):
        with suppress(ValueError):
            days.append(date(int(year), int(month), int(day)).isoformat())
    return days

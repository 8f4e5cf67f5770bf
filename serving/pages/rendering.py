"""Rendering of page models as HTML: templates, filters, and the addresses of linked files."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import jinja2

from serving.contract.manifest import Manifest
from serving.metering.clock import SECOND
from serving.pages.formation import AGENTS, ENTITIES, ITEMS, MANAGEMENT, STATUSES
from serving.pages.frames import SCOPE_NOTES, Frame
from serving.pages.prepared.file import Edition
from serving.pages.static_files import StaticFiles
from serving.pages.templating import Compiled, Environment

_COMPILED = Compiled()

SOURCES = (".css", ".html", ".js", ".json", ".py", ".toml", ".xml")
"""Endings of the files that pages are made from."""


class Renderer:
    """Renders the templates of this package. Everything that they insert is escaped.

    Attributes:
        version: digest of the server's own files: only with them changes what a page shows of one snapshot,
            since services and the ranking of searches have a part in it, too, and with the links.
        public_url: as given.

    Args:
        static: the files that pages link to.
        public_url: address of the service.
        links: paths of the operator's own pages, with the words of the links to them.
    """

    def __init__(
        self, static: StaticFiles, *, public_url: str, links: Sequence[tuple[str, str]] = ()
    ) -> None:
        self._environment = _environment()
        self._environment.globals |= {
            "asset": static.address,
            "public_url": public_url,
            "scope_notes": SCOPE_NOTES,
            "entities": ENTITIES,
            "items": ITEMS,
            "statuses": STATUSES,
            "agents": AGENTS,
            "management": MANAGEMENT,
            "operator_links": links,
        }
        self.public_url = public_url
        self._links = tuple(links)
        self._release = sources_digest(Path(__file__).parents[1])
        self.version = " ".join((self._release, *(path for path, _ in links)))

    def render(self, template: str, *, frame: Frame, page: object = None) -> str:
        """Return a page as HTML. `page` is the model that the template expects."""
        return self._environment.get_template(template).render(frame=frame, page=page)

    def edition_of(self, manifest: Manifest) -> Edition:
        """Return the edition of the pages that are rendered of a snapshot."""
        return Edition.of(manifest, release=self._release, public_url=self.public_url, links=self._links)


def compile_templates() -> None:
    """Compile all templates for the renderers of this process, so that no visit to a page waits for that.

    It takes half a second of processor time.
    """
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)


@dataclass(frozen=True, slots=True)
class ErrorText:
    """The model of an error page."""

    title: str
    message: str


def sources_digest(package: Path) -> str:
    """Return the digest of all files of a package that pages are made from, and of their places in it."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.*")):
        if path.suffix in SOURCES:
            digest.update(f"{path.relative_to(package)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _environment() -> Environment:
    environment = Environment(
        loader=jinja2.PackageLoader("serving.pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,  # all of them in a plain dictionary: a page asks for each that it extends
        bytecode_cache=_COMPILED,
    )
    environment.filters |= {
        "count": _count,
        "megabytes": _megabytes,
        "signed": _signed,
        "moment": _moment,
        "second": _second,
        "iso": _iso,
        "long_day": _long_day,
        "day": _day,
        "short_day": _short_day,
        "dollars": _dollars,
        "date_long": _date_long,
    }
    return environment


def _count(value: int) -> str:
    return f"{value:,}"


def _megabytes(size: int) -> str:
    """Return a size in megabytes, or in kilobytes where it is small."""
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{-(-size // 1000):,} KB"


def _signed(value: int) -> str:
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{abs(value):,}"


def _at(instant: int) -> datetime:
    return datetime.fromtimestamp(instant // SECOND, UTC)


def _moment(instant: int) -> str:
    return f"{_at(instant):%-d %b %Y, %H:%M}"


def _second(instant: int) -> str:
    return f"{_at(instant):%-d %b %Y, %H:%M:%S}"


def _iso(value: int | date) -> str:
    return value.isoformat() if isinstance(value, date) else f"{_at(value):%Y-%m-%dT%H:%M:%SZ}"


def _long_day(value: int | date) -> str:
    return f"{value if isinstance(value, date) else _at(value):%-d %B %Y}"


def _date_long(iso: str) -> str:
    return _long_day(date.fromisoformat(iso))


def _day(instant: int) -> str:
    return f"{_at(instant):%-d %b %Y}"


def _short_day(day: date) -> str:
    return f"{day:%-d %b}"


def _dollars(cents: int) -> str:
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"

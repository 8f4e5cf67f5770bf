"""Reader for state codes in UniCourt's HTML: a file for each title, made from the states' own publications.

Its repositories hold several releases, and a page that lists the files of each. The newest release is read; a
file that the page lists and the source does not hold is a problem of its title.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from assets.errors import MalformedFileError
from assets.ingest.collection import pausing_collection
from assets.ingest.formats.law_xml_names import Caption
from assets.ingest.formats.unicourt_captions import Captions
from assets.ingest.formats.unicourt_page import SIGN, Page, open_page
from assets.ingest.formats.unicourt_title import Title, read_title
from assets.ingest.kept_titles import read_once
from assets.ingest.model import Currency, Problem, SourceFile, SourceFiles, Unit
from assets.registry import CodeBody

__all__ = ["SIGN", "read"]

_RELEASE = re.compile(r"(?:^|/)r(\d+)/")
_INDEX = "index.html"
_LISTED = re.compile(
    rb"<a\s[^>]{0,200}href=[\"']([^\"'<>]{1,300})[\"'][^>]{0,200}>([^<]{0,200})</a>", re.IGNORECASE
)
_NUMBER_OF_A_NAME = re.compile(r"\.(?:title|chapter)\.0*([^/]*?)\.html?$", re.IGNORECASE)


@pausing_collection
def read(files: SourceFiles, body: CodeBody) -> Iterator[Unit]:
    """Yield a unit a title. See `assets.ingest.model.Reader`."""
    paths = [path for path in files.paths() if body.markup.files.search(path)]
    newest = max(map(_release, paths), default=0)
    reading = _Reading(body, Captions(body))
    older = tuple(path for path in paths if _release(path) != newest)
    for path in paths:
        file = files.get(path) if path not in older else None
        if file is not None:
            yield replace(reading.title(file, files), unread=older)
            older = ()
    for path in files.paths():
        if path.rpartition("/")[2] == _INDEX and (file := files.get(path)) is not None:
            yield from reading.missing(file, {own.rpartition("/")[2] for own in paths}, newest)


def _release(path: str) -> int:
    match = _RELEASE.search(path)
    return int(match[1]) if match else 0


@dataclass(frozen=True, slots=True)
class _Reading:
    """A code body as far as it is read. `keys` are those of its units, with the file of each."""

    body: CodeBody
    captions: Captions
    keys: dict[str, str] = field(default_factory=dict)

    def title(self, file: SourceFile, files: SourceFiles) -> Unit:
        """Return the unit of a file."""
        try:
            title, currency = read_once(files, [file.path], partial(self._read, file))
        except MalformedFileError as error:
            caption = _named(file.path)
            problem = Problem(error.file, error.reason, error.line, error.column)
            return Unit(self._key(caption, file.path), caption.label, (), (problem,))
        first = self.keys.get(title.caption.segment)
        key = self._key(title.caption, file.path)
        if first is not None:
            problem = Problem(file.path, f"holds {title.caption.label}, and so does {first}")
            return Unit(key, title.caption.label, (), (problem,))
        caption = title.caption
        return Unit(key, caption.label, title.provisions, currency=currency, title=caption.title)

    def _read(self, file: SourceFile) -> tuple[Title, Currency | None]:
        page = open_page(file)
        return read_title(page, self.body, self.captions), _currency(page, self.body)

    def missing(self, index: SourceFile, held: set[str], newest: int) -> Iterator[Unit]:
        """Yield a unit without provisions for each file that a page lists and the source does not hold."""
        listed = [
            (html.unescape(link.decode(errors="replace")), html.unescape(words.decode(errors="replace")))
            for link, words in _LISTED.findall(index.content)
        ]
        release = newest or max((_release(link) for link, _ in listed), default=0)
        for link, words in listed:
            name = link.rpartition("/")[2]
            if _release(link) != release or name in held or not self.body.markup.files.search(link):
                continue
            held.add(name)
            caption = self.captions.container(" ".join(words.split()))
            if caption.num is None:
                caption = replace(_named(name), heading=caption.heading)
            caption = replace(caption, num=(caption.num or "").lstrip("0") or None)
            if caption.segment in self.keys:
                continue
            heading = f" ({caption.heading})" if caption.num and caption.heading else ""
            problem = Problem(name, f"is listed by {index.path} and is not in the source")
            yield Unit(self._key(caption, name), f"{caption.label}{heading}", (), (problem,))

    def _key(self, caption: Caption, path: str) -> str:
        key = caption.segment if caption.segment not in self.keys else f"{caption.segment}-{path}"
        self.keys[key] = path
        return key


def _named(path: str) -> Caption:
    """Return the caption of a title that only the name of its file tells."""
    match = _NUMBER_OF_A_NAME.search(path)
    return Caption("title", match[1] if match else None, path.rpartition("/")[2])


def _currency(page: Page, body: CodeBody) -> Currency | None:
    if page.release is None:
        return None
    words = body.currency.format(release_point=page.release)
    day = page.released.replace(".", "-") if page.released else ""
    return Currency(f"{words} ({day})" if day else words, page.release)

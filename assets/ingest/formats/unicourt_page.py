"""One file of UniCourt's: its headings in order, and the blocks that follow each.

Elements that only group others say nothing reliable: in some codes each part of a chapter stands in the part
before it. What counts is the order of headings and blocks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from assets.errors import MalformedFileError
from assets.ingest.formats.unicourt_words import Line, words_of
from assets.ingest.html import parse_html
from assets.ingest.model import SourceFile

SIGN = re.compile(rb"cic-beautify-state-codes|class=[\"']transformation[\"']")
"""Found near the beginning of every file: the program that made it, or the paragraph that names it."""

TITLE, CONTAINER, SECTION = 1, 2, 3
"""Ranks of headings: `h1`, `h2`, `h3`."""

_RANKS = {"h1": TITLE, "h2": CONTAINER, "h3": SECTION}
_GROUPS = frozenset({"div", "main", "body", "article", "section", "aside"})
_START = re.compile(rb"<!--.*?-->|<(h[123])(?=[\s>])", re.DOTALL | re.IGNORECASE)
_FRAME = re.compile(rb"</?(?:div|main|nav|body|html)(?:\s[^<>]*)?>", re.IGNORECASE)
_RELEASE = re.compile(rb"Release (\d+) of [^<\"]{1,200}? released (\d{4}(?:[.-]\d{2}){1,2})")


@dataclass(frozen=True, slots=True)
class Block:
    """A block below a heading.

    Attributes:
        tag: of the element; `text` for words between elements.
        element: None for words between elements.
        words: of a paragraph, of a heading below sections, or between elements; empty for others.
    """

    tag: str
    element: etree._Element | None
    words: str


@dataclass(slots=True)
class Part:
    """A heading and what follows it up to the next one.

    Attributes:
        rank: TITLE, CONTAINER or SECTION.
        anchor: its id; empty where it has none.
        extent: [start, end) in the bytes of the file.
    """

    rank: int
    words: str
    anchor: str
    extent: tuple[int, int]
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed file.

    Attributes:
        parts: in the order of the file.
        contents: ids that its tables of contents lead to, in their order.
        release: its number as the file has it; None where it does not say.
        released: the day or month of the release, as the file has it.
    """

    file: SourceFile
    parts: tuple[Part, ...]
    contents: tuple[str, ...]
    release: str | None
    released: str | None


def open_page(file: SourceFile) -> Page:
    """Return a file as a page.

    Raises:
        MalformedFileError: it cannot be parsed, has no heading of a title, its headings are not where the
            bytes have them, or what it marks as headings of sections are notes.
    """
    root = parse_html(file)
    body = root.find("body")
    walker = _Walker(_starts(file.content), len(file.content))
    if body is not None:
        walker.group(body)
    parts = walker.finish(file.content)
    if parts is None:
        raise MalformedFileError(file.path, "has headings within other text", line=1, column=1)
    if not any(part.rank == TITLE for part in parts):
        raise MalformedFileError(file.path, "has no heading of a title", line=1, column=1)
    if _are_notes(parts):
        reason = "marks notes as headings of sections: most of these have no id"
        raise MalformedFileError(file.path, reason, line=1, column=1)
    release = _RELEASE.search(file.content)
    number, day = (release[1].decode(), release[2].decode()) if release else (None, None)
    return Page(file, tuple(parts), tuple(walker.contents), number, day)


def _are_notes(parts: Sequence[Part]) -> bool:
    """Return whether the publisher's program took notes for headings of sections.

    It gives every heading of a section an id. Where most have none, each begins in the notes of one section
    and ends in those of the next, and a note such as `Section 1-2-3 does not bar` would name another's law.
    """
    sections = [part.anchor for part in parts if part.rank == SECTION]
    return sections.count("") * 2 > len(sections)


def _starts(content: bytes) -> list[int]:
    return [match.start() for match in _START.finditer(content) if match[1]]


def _without_frame(content: bytes, start: int, end: int) -> int:
    """Return where the bytes of a part end, without the tags that only group what stands before and after."""
    while True:
        while content[end - 1 : end].isspace():
            end -= 1
        tag = content.rfind(b"<", start + 1, end)
        if tag < 0 or _FRAME.fullmatch(content, tag, end) is None:
            return end
        end = tag


class _Walker:
    def __init__(self, starts: list[int], length: int) -> None:
        self._starts = [*starts, length]
        self._parts: list[Part] = []
        self._blocks: list[Block] = []
        self.contents: list[str] = []

    def group(self, element: etree._Element) -> None:
        """Take in the blocks of an element that only groups them."""
        if element.text and not element.text.isspace():
            self._stray(element.text)
        for child in element:
            tag = child.tag
            if tag in _GROUPS:
                self.group(child)
            elif tag == "nav":
                self._contents(child)
            elif tag in _RANKS:
                self._heading(child)
            elif tag == "p" or tag in ("h4", "h5", "h6"):
                self._blocks.append(Block(tag, child, words_of(child)))
            else:
                self._blocks.append(Block(tag, child, ""))
            if child.tail and not child.tail.isspace():
                self._stray(child.tail)

    def finish(self, content: bytes) -> list[Part] | None:
        """Return the parts; None where the bytes have other headings."""
        if len(self._parts) + 1 != len(self._starts):
            return None
        for part, end in zip(self._parts, self._starts[1:], strict=True):
            start = part.extent[0]
            last = _without_frame(content, start, end)
            if content[last - 1 : last] != b">":  # a paragraph that is never closed ends with its frame
                closes = content.find(b">", last)
                last = end if closes < 0 else closes + 1
            part.extent = (start, last)
        return self._parts

    def _heading(self, element: etree._Element) -> None:
        place = min(len(self._parts), len(self._starts) - 1)
        start = self._starts[place]
        self._blocks = []
        self._parts.append(
            Part(
                _RANKS[str(element.tag)],
                words_of(element),
                element.get("id") or "",
                (start, start),
                self._blocks,
            )
        )

    def _contents(self, element: etree._Element) -> None:
        """Take in a table of contents; that of a title holds its heading."""
        for own in element.iter("h1", "h2", "h3", "a"):
            if own.tag != "a":
                self._heading(own)
            elif (href := own.get("href") or "").startswith("#"):
                self.contents.append(href[1:])

    def _stray(self, text: str) -> None:
        line = Line()
        line.add(text)
        self._blocks.append(Block("text", None, line.words()))

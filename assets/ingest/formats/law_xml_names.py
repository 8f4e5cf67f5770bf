"""Numbers, identifiers and citations of law-xml: what containers and sections are called."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from assets.ingest.container_numbers import container_number
from assets.ingest.duplicates import slug
from assets.registry import CodeBody

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_EDITORIAL_BRACKETS = str.maketrans("", "", "[]")

_LEVELS = {
    # word in the source: (identifier segment, abbreviation of the Bluebook)
    "division": ("d", "div."),
    "subdivision": ("sd", "subdiv."),
    "title": ("t", "tit."),
    "subtitle": ("st", "subtit."),
    "chapter": ("ch", "ch."),
    "subchapter": ("sch", "subch."),
    "part": ("pt", "pt."),
    "subpart": ("spt", "subpt."),
    "article": ("art", "art."),
    "subarticle": ("sart", "subart."),
    "unit": ("unit", "unit"),
    "appendix": ("app", "app."),
}

_SUBHEADING = re.compile(
    r"(\w+)\s+(?:([0-9A-Za-z]+(?:[-–][0-9A-Za-z]+)*)\.\s*|([IVXLC]+|\d+[A-Z]?)(?:\s*[:—–]\s*|\s+|$))(.*)",
    re.DOTALL,
)


def plain_number(text: str) -> str:
    """Return a number with ASCII hyphens, without white space and the brackets of the editors."""
    if text.isascii() and "[" not in text and " " not in text:
        return text.strip()
    return "".join(text.split()).translate(_DASHES).translate(_EDITORIAL_BRACKETS)


@dataclass(frozen=True, slots=True)
class Caption:
    """The level, number and heading of a container.

    Attributes:
        level: the source's own word in lower case, such as `subchapter`.
        num: None where it has none.
        name: that the library files it under where it has no number, such as `health`; may be empty.
    """

    level: str
    num: str | None
    heading: str
    name: str = ""

    @property
    def segment(self) -> str:
        """Last part of the container's identifier, such as `schI`."""
        prefix = _LEVELS.get(self.level, (slug(self.level), ""))[0]
        if self.num is not None:
            return f"{prefix}{self.num}"
        return slug(self.name or self.heading) or prefix

    @property
    def label(self) -> str:
        """Name for people, such as `Subchapter I`."""
        return f"{self.level.capitalize()} {self.num}" if self.num is not None else self.heading

    @property
    def title(self) -> str | None:
        """Number of a title; None for another container."""
        return self.num if self.level == "title" else None

    def cited(self) -> str:
        """Return the part of a citation that names the container, such as `subch. I`."""
        if self.num is None:
            return self.heading.rstrip(".") or self.level
        return f"{_LEVELS.get(self.level, ('', self.level))[1]} {self.num}"


def subheading_caption(text: str) -> Caption:
    """Return the caption that a subheading gives: `Subtitle I. Parks.`, `Article II Parks`."""
    match = _SUBHEADING.fullmatch(text)
    if match is None or match.group(1).lower() not in _LEVELS:
        return Caption("subheading", None, text)
    number = plain_number(match.group(2) or match.group(3))
    return Caption(match.group(1).lower(), number, match.group(4))


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a provision: the container above it and what identifiers and citations build on.

    Attributes:
        number: of the containers above in full, such as `10.01.01` in Title 10, Subtitle 01, Chapter 01, and
            `27.20` in Title 27, Chapter 27.20; empty where none is numbered.
        title: the title that it lies in: the outermost container below the divisions; None above titles.
    """

    identifier: str | None
    path: str
    citation: str | None
    number: str = ""
    title: Caption | None = None

    @classmethod
    def top(cls, body: CodeBody) -> "Place":
        """Return the place above all containers of a code body."""
        return cls(None, body.root, None)

    def inside(self, caption: Caption, body: CodeBody, mark: str = "") -> "Place":
        """Return the place inside a container that stands here.

        Args:
            caption: of the container.
            body: names the code in citations.
            mark: tells containers with one number apart, such as `@general-provisions`.
        """
        cited = caption.cited()
        citation = f"{body.short_name} {cited}" if self.citation is None else f"{self.citation}, {cited}"
        if mark:
            citation = f"{citation} ({caption.heading.rstrip('.')})"
        identifier = f"{self.path}/{caption.segment}{mark}"
        number = self.number if caption.num is None else container_number(self.number, caption.num)
        return Place(
            identifier, identifier, citation, number, caption if self.citation is None else self.title
        )

    def below_division(self, body: CodeBody) -> "Place":
        """Return the place of titles here: a division owns them, but their identifiers do not say so."""
        return Place(self.identifier, body.root, None)


@dataclass(frozen=True, slots=True)
class SectionName:
    """Number, identifier and citation of a section. `num` is None where it cannot be cited alone."""

    num: str | None
    identifier: str
    citation: str


class Naming(Protocol):
    """A publisher's way to number the sections of a code body."""

    def section(self, printed: str, heading: str, path: str, place: Place, /) -> SectionName | None:
        """Return what a section is called; None where nothing names it.

        Args:
            printed: its number as the source writes it; may be empty.
            heading: of the section.
            path: of its file.
            place: where it stands.
        """
        ...


@lru_cache(maxsize=4096)
def part_number(prefix: str, number: str) -> tuple[str, str]:
    """Return the designator of a part of a section as it is printed and as a label.

    Args:
        prefix: word before the number, such as `Article`; empty for most parts.
        number: as the source writes it, such as `(a)`, `[(2)]` or `I`.

    Returns:
        Both are empty where there is neither word nor number; labels are like `(a)`, `(2)`, `Article I`.
    """
    words = " ".join(f"{prefix} {number}".split())
    text = plain_number(number).strip("“”‘’\"'").rstrip(".:")
    if not text:
        return words, ""
    if prefix:
        return words, f"{prefix} {text}"
    return words, text if text.startswith("(") else f"({text})"


def article_label(heading: str) -> str:
    """Return the label that a heading such as `ARTICLE IV COMPACT` gives; empty where it gives none."""
    words = heading.split()
    if len(words) < 2 or words[0].lower() not in _LEVELS:
        return ""
    return part_number(words[0], words[1])[1]


def joined_label(outer: str, label: str) -> str:
    """Return the label of a part within another: `(a)(1)`, `Article I(a)`."""
    return f"{outer} {label}" if outer and not label.startswith("(") else outer + label

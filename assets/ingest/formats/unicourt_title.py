"""The provisions of one of UniCourt's files: a title with its containers and sections."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assets.ingest.duplicates import slug, tell_apart
from assets.ingest.formats.law_xml_names import Caption, Place
from assets.ingest.formats.unicourt_captions import Captions, SectionCaption
from assets.ingest.formats.unicourt_notes import UNTITLED, Divided, divide, law_end, set_free
from assets.ingest.formats.unicourt_page import SECTION, TITLE, Block, Page, Part
from assets.ingest.formats.unicourt_status import (
    days_of,
    days_of_text,
    status_of,
    status_of_line,
    status_of_text,
)
from assets.ingest.formats.unicourt_text import law_text
from assets.ingest.model import NOT_STATED, Effective, Provision
from assets.registry import CodeBody
from serving.contract.citations import format_section
from serving.contract.records import IN_FORCE

_GOES_ON = re.compile(r"-|[a-z]{1,3}[0-9IVXLCA-Z.]|apr")
"""Beginning of an addition to an id; `apr` is that of an appendix of rules."""
_LAST_LAW = re.compile(r"[^;]+$")


@dataclass(frozen=True, slots=True)
class Title:
    """Title as a file holds it. `caption` is that of its first heading."""

    caption: Caption
    provisions: tuple[Provision, ...]


def read_title(page: Page, body: CodeBody, captions: Captions) -> Title:
    """Return the provisions of a file, in document order."""
    reading = _Reading(page, body, captions)
    caption = reading.read()
    return Title(caption, tuple(tell_apart(reading.provisions, version)))


@dataclass(frozen=True, slots=True)
class _Open:
    """A container that headings may stand in."""

    level: str
    anchor: str
    rank: int
    place: Place


class _Reading:
    def __init__(self, page: Page, body: CodeBody, captions: Captions) -> None:
        self._page = page
        self._body = body
        self._captions = captions
        self._scheme = body.citation_schemes()[0]
        self._open: list[_Open] = []
        self._title = ""
        self._taken: set[str] = set()
        self.provisions: list[Provision] = []

    def read(self) -> Caption:
        """Read all parts; return the caption of the title."""
        for part in self._page.parts:
            part.blocks = set_free(part.blocks, self._body.markup)
        caption: Caption | None = None
        for part, section in self._merged():
            if section is not None:
                self.provisions.append(self._section(part, section))
                continue
            own = self._container(part)
            if caption is None:
                caption = own
        return caption or Caption("title", None, "")

    def _merged(self) -> Iterator[tuple[Part, SectionCaption | None]]:
        """Yield the parts with the captions of sections; parts of a section's own law go into it.

        Articles of a compact and the like have headings as sections have. They go on from the section's id,
        or follow it before its law has ended.
        """
        held: tuple[Part, SectionCaption] | None = None
        for part in self._in_place():
            caption = self._captions.section(part.words) if part.rank == SECTION else None
            if (
                caption is None
                and part.rank == SECTION
                and held is not None
                and self._is_within(part, held[0])
            ):
                held[0].blocks.append(Block("h4", None, part.words))
                held[0].blocks.extend(part.blocks)
                held[0].extent = (held[0].extent[0], part.extent[1])
                continue
            if held is not None:
                yield held
                held = None
            if caption is None:
                yield part, None
            else:
                held = (part, caption)
        if held is not None:
            yield held

    def _in_place(self) -> list[Part]:
        """Return the parts, with headings that stand at the end of the file above the law that is theirs.

        Where a heading such as `[Reserved.]` takes the place of the next section's, its law is that one's:
        the one that the contents list next and that has a heading elsewhere, with nothing below it. Headings
        that stand once more above their law are contents, and are left out.
        """
        before = dict(zip(self._page.contents[1:], self._page.contents, strict=False))
        parts = {part.anchor: part for part in self._page.parts}
        moved: dict[str, Part] = {}
        for part in self._page.parts:
            stub = parts.get(before.get(part.anchor, ""))
            if part.rank == SECTION and not part.blocks and stub is not None and self._only_says_gone(stub):
                moved[stub.anchor] = part
        result: list[Part] = []
        away = {part.anchor for part in moved.values()}
        printed = {part.words for part in self._page.parts if part.rank == SECTION and part.blocks}
        for part in self._page.parts:
            listed = part.rank == SECTION and not part.blocks and part.words in printed
            if part.anchor in away or listed:
                continue
            own = moved.get(part.anchor)
            if own is None:
                result.append(part)
            else:
                result.append(replace(part, blocks=[]))
                result.append(replace(own, blocks=part.blocks, extent=part.extent))
        return result

    def _only_says_gone(self, part: Part) -> bool:
        """Return whether a heading says that its sections are gone, and law follows it all the same."""
        caption = self._captions.section(part.words)
        if caption is None or status_of_text(caption.heading) == IN_FORCE:
            return False
        law = part.blocks[: law_end(part.blocks, self._body.markup)]
        return any(status_of_text(block.words) == IN_FORCE for block in law)

    def _is_within(self, part: Part, section: Part) -> bool:
        if section.anchor and part.anchor.startswith(f"{section.anchor}-"):
            return True
        unended = law_end(section.blocks, self._body.markup) == len(section.blocks)
        return unended and bool(section.blocks) and self._body.markup.parts.match(part.words) is not None

    def _container(self, part: Part) -> Caption:
        caption = self._captions.container(part.words)
        if part.rank == TITLE:
            self._open.clear()
            if caption.level == "subheading":
                caption = replace(caption, level="title")
            self._title = caption.num or self._title
        else:
            self._close_for(part, caption)
        above = self._open[-1].place if self._open else Place.top(self._body)
        inside = above.inside(caption, self._body)
        if inside.identifier in self._taken:
            days = _mark(days_of(caption.heading))
            inside = above.inside(caption, self._body, f"@{days or len(self._taken)}")
        self._taken.add(inside.identifier or "")
        provision = self._provision(part, caption.heading)
        self.provisions.append(
            replace(
                provision,
                identifier=inside.identifier or inside.path,
                parent=above.identifier,
                level=caption.level,
                num=caption.num,
                citation=inside.citation or "",
                citable=False,
            )
        )
        if part.rank != SECTION or not provision.text:
            self._open.append(_Open(caption.level, part.anchor, part.rank, inside))
        return caption

    def _close_for(self, part: Part, caption: Caption) -> None:
        """Close the containers that a heading does not stand in.

        Its id tells where it does ids go on from each other; else its level, in the order of the entry.
        """
        for depth in range(len(self._open) - 1, 0, -1):
            own = self._open[depth]
            if (own.level, own.rank) != (caption.level, part.rank) and _goes_on(own.anchor, part.anchor):
                del self._open[depth + 1 :]
                return
        top = self._open[0] if self._open else None
        if top is not None and top.anchor and _goes_on(top.anchor, part.anchor):
            del self._open[1:]
            return
        alike = next((at for at, own in enumerate(self._open) if at and own.level == caption.level), None)
        if alike is not None:
            del self._open[alike:]
            return
        levels = self._body.markup.levels
        rank = levels.index(caption.level) if caption.level in levels else len(levels)
        while len(self._open) > 1 and (
            self._open[-1].rank > part.rank
            or (self._open[-1].level in levels and levels.index(self._open[-1].level) >= rank)
        ):
            self._open.pop()

    def _section(self, part: Part, caption: SectionCaption) -> Provision:
        above = self._open[-1].place if self._open else Place.top(self._body)
        key = caption.num.replace(" to ", "...").replace(", ", ",")
        own = f"t{self._title}/s{key}" if self._scheme.has_title else key
        return replace(
            self._provision(part, caption.heading),
            identifier=f"{self._body.root}/{own}",
            parent=above.identifier,
            level="section",
            num=caption.num,
            citation=format_section(self._scheme, caption.num, title=self._title or None),
            citable=True,
        )

    def _provision(self, part: Part, heading: str) -> Provision:
        """Return what a heading and its blocks give; identity is left to the caller."""
        divided = divide(part.blocks, self._body.markup, of_container=part.rank != SECTION)
        law = law_text(divided.law, self._body.labels)
        effective = days_of(heading)
        if effective == NOT_STATED:
            effective = days_of_text(law.text)
        status = status_of(heading, law.text)
        if status == IN_FORCE:
            status = _status_of_rest(law.text, divided)
        elif law.text and effective.end is not None:
            status = IN_FORCE  # its law is printed: it was to end on a day to come
        if status != IN_FORCE:
            effective = NOT_STATED
        return Provision(
            identifier="",
            parent=None,
            level="",
            num=None,
            heading=heading,
            citation="",
            citable=False,
            file=self._page.file.path,
            byte_start=part.extent[0],
            byte_end=part.extent[1],
            source_sha256=self._page.file.sha256,
            text=law.text,
            status=status,
            outline=law.outline,
            source_credit=divided.credit,
            notes=divided.notes,
            references=law.references,
            effective=effective,
        )


def _status_of_rest(text: str, divided: Divided) -> str:
    """Return the status that a text gives; without one, that of its last law or of its only note."""
    if text:
        return status_of_text(text)
    if divided.credit:
        return status_of_line(_LAST_LAW.findall(divided.credit)[-1].strip())
    notes = divided.notes
    return status_of_text(notes[0].text) if len(notes) == 1 and notes[0].topic == UNTITLED else IN_FORCE


def _goes_on(anchor: str, other: str) -> bool:
    """Return whether an id goes on from another: `t01c02p03` from `t01c02`, but not `c13.1` from `c13`."""
    return bool(anchor) and other.startswith(anchor) and _GOES_ON.match(other, len(anchor)) is not None


def version(provision: Provision) -> str | None:
    """Return what tells versions of a section apart: the days they apply from or until, or the last law."""
    stated = provision.effective
    mark = _mark(days_of(provision.heading) if stated == NOT_STATED else stated)
    if mark is not None:
        return mark
    last = _LAST_LAW.search(provision.source_credit or "")
    return slug(last.group()) or None if last else None


def _mark(effective: Effective) -> str | None:
    said = [f"from-{effective.start}"] if effective.start else []
    said += [f"until-{effective.end}"] if effective.end else []
    return "-".join(said) or None

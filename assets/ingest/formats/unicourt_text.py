"""Text and outline of a UniCourt provision: its paragraphs, and lists whose designators only the markup has.

A list says how its items are designated (`type`), and the id of an item ends in its designator.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from lxml import etree

from assets.ingest.formats.unicourt_items import is_button, said_once, unprinted
from assets.ingest.formats.unicourt_labels import NUMERALS, item_labels
from assets.ingest.formats.unicourt_nesting import cut_to_lists, settled
from assets.ingest.formats.unicourt_page import Block
from assets.ingest.formats.unicourt_strays import Item, Loose, with_strays
from assets.ingest.formats.unicourt_words import BLOCKS, Line
from assets.ingest.outline_from_text import outline_from_text
from assets.registry import LabelScheme
from serving.contract.records import MarkupReference, Outline

_LISTS = frozenset({"ol", "ul", "dl"})
_ROWS = frozenset({"tr"})
_KINDS = {kind: kind for kind in ("1", "a", "A", "i", "I")} | {"alpha": "a"}
"""Kinds of lists by what they say of themselves; others count in numerals, as browsers do."""
_FEWEST = 2
"""Parts of an outline that only the words give: a single label is more often the remainder of a list."""
_LOOSE = re.compile(
    r"[“\"]?(?:\((?:\d{1,3}[A-Za-z]{0,2}|[A-Za-z]{1,4}\d{0,2})(?:[.–-](?:\d{1,2}|[A-Za-z]{1,2}))?\)"
    r"|(?:\d{1,2}|[A-Za-z])\.(?=\s))"
)
"""A designator in the words: also one that was put between others, such as `(b1)`, `(1a)` or `(1.5)`."""


@dataclass(frozen=True, slots=True)
class LawText:
    """The law of a provision. `outline` is that of its words where designators stand in these, too."""

    text: str
    outline: tuple[Outline, ...]
    references: tuple[MarkupReference, ...]


def law_text(blocks: Iterable[Block], scheme: LabelScheme | None) -> LawText:
    """Return the text of blocks of law.

    Args:
        blocks: of one provision, in order.
        scheme: how its code body labels parts; None: all in parentheses.
    """
    walker = _Walker(() if scheme is None else scheme.levels)
    for block in blocks:
        walker.block(block)
    law = walker.finish()
    outline = law.outline
    if scheme is not None and not outline:
        of_words = outline_from_text(law.text, scheme)
        if len(of_words) >= _FEWEST:
            of_words = with_strays(of_words, law.text, walker.items, walker.loose, scheme)
            outline = cut_to_lists(of_words, walker.lists)
    return replace(law, outline=settled(law.text, outline, walker.lists))


@dataclass(frozen=True, slots=True)
class _Level:
    """Place of an item: its labels, and the place of the innermost in the scheme, -1 at the top."""

    path: str = ""
    place: int | None = -1


class _Walker:
    def __init__(self, levels: tuple[str, ...]) -> None:
        self._levels = levels
        self._lines: list[str] = []
        self._length = 0
        self._lead = ""
        self._parts: list[Outline] = []
        self._references: list[MarkupReference] = []
        self._is_loose = False
        self._is_after_a_list = False
        self.items: list[Item] = []
        self.lists: list[tuple[int, int]] = []
        self.loose: list[Loose] = []

    def block(self, block: Block) -> None:
        """Take in a block of law."""
        if block.element is None:
            self._add(block.words, ())
            return
        if block.tag in _LISTS or block.tag == "table":
            start = self._length + 1 if self._lines else 0
            self._element(block.element, _Level())
            self.lists.append((start, self._length))
            self._is_after_a_list |= block.tag in _LISTS
            return
        if block.tag == "p":
            self.loose.append(Loose(0, self._next(), self._is_after_a_list))
        if len(block.element):
            self._content(block.element, _Level(), outside=True)
        else:
            self._add(block.words, (), outside=True)

    def finish(self) -> LawText:
        """Return what was collected."""
        self._end_lead()
        text = "\n".join(self._lines)
        return LawText(text, () if self._is_loose else tuple(self._parts), tuple(self._references))

    def _element(self, element: etree._Element, level: _Level) -> None:
        """Take in a block within the law."""
        if element.tag == "ol":
            self._list(element, level)
        elif element.tag in _ROWS:
            self._row(element)
        elif element.tag == "p" and not self._lead:
            self.loose.append(Loose(id(element.getparent()), self._next(), _follows_a_list(element)))
            self._content(element, level, outside=True)
        else:
            self._content(element, level, outside=element.tag == "p")

    def _content(self, element: etree._Element, level: _Level, *, outside: bool = False) -> None:
        """Take in text and blocks of an element, in order."""
        line = Line()
        line.add(element.text)
        for child in element:
            if child.tag in BLOCKS:
                self._flush(line, outside=outside)
                line = Line()
                self._element(child, level)
            elif child.tag == "a":
                line.take_link(child)
            else:
                line.take(child)
            line.add(child.tail)
        self._flush(line, outside=outside)

    def _row(self, row: etree._Element) -> None:
        cells = [
            " ".join("".join(map(str, cell.itertext())).split()) for cell in row if cell.tag in ("td", "th")
        ]
        while cells and not cells[-1]:
            cells.pop()
        self._add(" | ".join(cells), ())

    def _list(self, element: etree._Element, level: _Level) -> None:
        kind = _KINDS.get(element.get("type") or element.get("class") or "", NUMERALS)
        place = self._place(kind, level, is_typed=element.get("type") is not None)
        above = element.getparent()
        outer = "" if above is None else above.get("id") or ""
        anchors = [item.get("id") or "" for item in element if item.tag == "li"]
        labels = item_labels(anchors, outer, kind)
        if labels.shared:
            self._part(labels.shared, level, None, partial(self._items, element, labels.own, kind, None))
        else:
            self._items(element, labels.own, kind, place, level)

    def _items(
        self, element: etree._Element, labels: Iterable[str], kind: str, place: int | None, level: _Level
    ) -> None:
        """Take in the items of a list, and what stands between them."""
        label = iter(labels)
        for item in element:
            if item.tag == "li":
                self.items.append(Item(kind, id(element), self._next() + len(self._lead)))
                self._part(next(label), level, place, partial(self._content, item))
            else:
                self._element(item, level)

    def _place(self, kind: str, level: _Level, *, is_typed: bool) -> int | None:
        """Return the place of a list in the scheme; None where its designators stand in parentheses.

        The next level of its kind is meant, and one may be passed over. A list that begins further in is of
        uniform law, whose sections are drafted in another style; so are numerals that the markup names.
        """
        if level.place is None or (kind == NUMERALS and is_typed):
            return None
        for place in range(level.place + 1, min(level.place + 3, len(self._levels))):
            if self._levels[place].strip("().") == kind:
                return place
        return None

    def _part(self, label: str, level: _Level, place: int | None, content: Callable[[_Level], None]) -> None:
        """Take in what a designator heads."""
        dotted = place is not None and self._levels[place].endswith(".")
        designator = f"{label}." if dotted else f"({label})"
        if self._lead:
            self._lead += " " if self._lead.endswith(".") or dotted else ""
        mark = len(self._parts)
        start = self._next() + len(self._lead)
        path = f"{level.path}({label})"
        self._parts.append(Outline(path, start, start + 1))
        self._lead += designator
        content(_Level(path, place))
        self._end_lead()
        self._parts[mark] = Outline(path, start, max(self._length, start + 1))

    def _flush(self, line: Line, *, outside: bool = False) -> None:
        if line:
            self._add(line.words(), line.links, outside=outside)

    def _end_lead(self) -> None:
        """Write designators that no words follow."""
        if self._lead:
            self._write(self._lead)
            self._lead = ""

    def _add(self, words: str, links: Iterable[tuple[int, int, str]], *, outside: bool = False) -> None:
        if not words or is_button(words):
            return
        if (outside or self._lead) and _LOOSE.match(words):
            self._is_loose = True
        lead, is_item = "", bool(self._lead)
        if is_item:
            words = said_once(words)
            lead, self._lead = unprinted(self._lead, words), ""
        if is_item and not lead and self._lines and self._lines[-1] == words:
            return  # the item around it has printed its first item, too
        lead += " " if lead else ""
        start = self._next() + len(lead)
        self._write(lead + words)
        for first, last, href in links:
            if last > len(words):
                break
            _, mark, fragment = href.partition("#")
            if mark and fragment:
                self._references.append(MarkupReference(start + first, start + last, fragment))

    def _next(self) -> int:
        """Return where the next line starts."""
        return self._length + 1 if self._lines else 0

    def _write(self, line: str) -> None:
        self._length += len(line) + (1 if self._lines else 0)
        self._lines.append(line)


def _follows_a_list(element: etree._Element) -> bool:
    return any(before.tag == "ol" for before in element.itersiblings(preceding=True))

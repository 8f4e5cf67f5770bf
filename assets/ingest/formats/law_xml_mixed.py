"""Blocks of law-xml that mix text and elements: references, tables, line breaks, emphasis, struck text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from assets.ingest.block_text import LEAD_HEADING, LEAD_NUMBER, BlockText, first_character
from assets.ingest.formats.law_xml_vocabulary import Vocabulary
from assets.ingest.superscripts import add_superscript
from serving.contract.records import MarkupReference

_BLOCKS = (
    *("aftertext", "table", "caption", "center", "p", "div", "li"),
    *("h1", "h2", "h3", "h4", "include", "container"),
)
_DASHES = "-‐‑‒–—"
_FOOTNOTE = "footnote-anchor"
"""Marks, on a page, the link from a text to its footnote."""


@dataclass(frozen=True, slots=True)
class MixedText:
    """One block as text. `images` are the targets of pictures in the place of text."""

    text: str
    references: tuple[MarkupReference, ...]
    images: tuple[str, ...]


def mixed_text(element: etree._Element, vocabulary: Vocabulary) -> MixedText:
    """Return what an element says, with line feeds between its blocks."""
    reading = _Reading(vocabulary)
    reading.inside(element)
    return reading.finish()


class _Reading:
    __slots__ = ("_handlers", "_images", "_namespace", "_out", "_own_names", "_references")

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._namespace = vocabulary.namespace
        self._own_names = vocabulary.own_names
        self._handlers = _handlers(vocabulary)
        self._out = BlockText()
        self._references: list[tuple[int, int, str]] = []
        self._images: list[str] = []

    def inside(self, element: etree._Element) -> None:
        """Take in the text of an element and of all below it."""
        add = self._out.add
        handlers = self._handlers
        if element.text:
            add(element.text)
        for child in element:
            tag = str(child.tag)
            handler = handlers.get(tag)
            if handler is not None:
                handler(self, child)
            elif tag.startswith(self._namespace):
                self.inside(child)
            if child.tail:
                add(child.tail)

    def finish(self) -> MixedText:
        """Return what was collected."""
        text = self._out.text()
        references = tuple(
            MarkupReference(first_character(text, start), end, target)
            for start, end, target in self._references
            if end > start
        )
        return MixedText(text, references, tuple(self._images))

    def _block(self, element: etree._Element) -> None:
        self._out.break_line()
        self.inside(element)
        self._out.break_line()

    def _text(self, element: etree._Element) -> None:
        self._out.start_block()
        self.inside(element)
        self._out.break_line()

    def _number(self, element: etree._Element) -> None:
        self._out.start_number()
        self.inside(element)
        self._out.end_lead(LEAD_NUMBER)

    def _heading(self, element: etree._Element) -> None:
        self.inside(element)
        self._out.end_lead(LEAD_HEADING)

    def _reference(self, cite: etree._Element) -> None:
        start = self._out.position
        self.inside(cite)
        path, document = cite.get("path"), cite.get("doc")
        if document and document not in self._own_names:
            target = f"{document}|{path}" if path else document
        else:
            target = path or ""
        if target:
            self._references.append((start, self._out.position, target))

    def _raised(self, element: etree._Element) -> None:
        add_superscript(self._out, element, self.inside)

    def _link(self, link: etree._Element) -> None:
        if _FOOTNOTE in (link.get("class") or "").split():
            return
        start = self._out.position
        self.inside(link)
        target = link.get("href")
        if target:
            self._references.append((start, self._out.position, target))

    def _struck(self, element: etree._Element) -> None:
        """Leave out struck text; where it was a hyphen, the words that it joined are two."""
        if (element.text or " ").strip() in _DASHES:
            self._out.add(" ")

    def _row(self, row: etree._Element) -> None:
        out = self._out
        out.start_row()
        first = True
        for cell in row:
            if cell.tag == row.tag:  # some tables have a row within a row, which also ends the outer one
                self._row(cell)
                first = True
                continue
            out.start_cell(first=first)
            first = False
            self.inside(cell)
            if cell.tail:
                out.add(cell.tail)
        out.end_row()

    def _line_break(self, _element: etree._Element) -> None:
        self._out.break_line()

    def _image(self, image: etree._Element) -> None:
        source = image.get("src") or ""
        if source.startswith("data:"):
            source = image.get("alt") or "a picture without a name"
        if source:
            self._images.append(source)

    def _skip(self, element: etree._Element) -> None:
        """Leave out what is no text."""


_Handler = Callable[[_Reading, etree._Element], None]


@lru_cache(maxsize=16)
def _handlers(vocabulary: Vocabulary) -> dict[str, _Handler]:
    by_name: dict[str, _Handler] = {
        **dict.fromkeys(_BLOCKS, _Reading._block),
        "text": _Reading._text,
        "para": _Reading._text,
        "num": _Reading._number,
        "heading": _Reading._heading,
        "cite": _Reading._reference,
        "s": _Reading._struck,
        "sup": _Reading._raised,
        "tr": _Reading._row,
        "br": _Reading._line_break,
        "img": _Reading._image,
    }
    if not vocabulary.namespace:  # a page, not law-xml, whose links may lead anywhere
        by_name["a"] = _Reading._link
    handlers = {f"{vocabulary.namespace}{name}": handler for name, handler in by_name.items()}
    return {**handlers, **dict.fromkeys(vocabulary.beside_text, _Reading._skip)}

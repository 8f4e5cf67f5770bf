"""Operative text of one provision, with its outline and references.

Works on the blocks below a section: texts, parts, quoted matter and the articles of compacts. What stands
beside the text (numbers, reasons, annotations, instructions to the codifiers) is the concern of the callers.
"""

from dataclasses import dataclass

from lxml import etree

from assets.ingest.formats.astray_parts import reseat
from assets.ingest.formats.law_xml_mixed import mixed_text
from assets.ingest.formats.law_xml_names import article_label, joined_label, part_number
from assets.ingest.formats.law_xml_vocabulary import Vocabulary, words_of
from assets.ingest.white_space import collapse
from serving.contract.records import MarkupReference, Outline


@dataclass(frozen=True, slots=True)
class BodyText:
    """The blocks of one provision as text. `images` are the targets of pictures in the place of text."""

    text: str
    outline: tuple[Outline, ...]
    references: tuple[MarkupReference, ...]
    images: tuple[str, ...]


NO_TEXT = BodyText("", (), (), ())


class BodyWalker:
    """Collects the lines of one provision: one a block, after the designators that lead up to it.

    A lead is designators and a heading that wait for the block they belong to: `(a)(1) Fees.`. Nested
    designators join a lead of designators only; after a heading a nested part has a line of its own.
    """

    __slots__ = (
        *("_images", "_label", "_lead", "_lead_has_heading", "_length", "_lines"),
        *("_num", "_outline", "_para", "_prefix", "_quoted", "_references", "_text", "_vocabulary"),
    )

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._num = vocabulary.num
        self._para = vocabulary.para
        self._text = vocabulary.text
        self._lines: list[str] = []
        self._length = 0
        self._lead = ""
        self._lead_has_heading = False
        self._prefix = ""
        self._label = ""
        self._quoted = 0
        self._outline: list[Outline | None] = []
        self._references: list[MarkupReference] = []
        self._images: list[str] = []

    def block(self, element: etree._Element) -> None:
        """Take in one block of the provision."""
        names = self._vocabulary
        tag = element.tag
        if tag == self._text:
            self._line(element)
        elif tag == self._para:
            self._part(element)
        elif tag == names.reason:  # all that a part says: `Repealed`, `As in the model code`
            self._line(element)
        elif tag == names.include:
            self._quotation(element)
        elif tag == names.container:
            self._article(element)
        elif tag not in names.beside_text and str(tag).startswith(names.namespace):
            self._end_lead()
            self._line(element)

    def finish(self) -> BodyText:
        """Return what was collected."""
        self._end_lead()
        text = "\n".join(self._lines)
        return BodyText(
            text,
            reseat([part for part in self._outline if part is not None], text),
            tuple(self._references),
            tuple(self._images),
        )

    def _line(self, element: etree._Element) -> None:
        if len(element) == 0:
            self._add_line(collapse(element.text or ""))
            return
        if self._lead_has_heading and self._begins_with_table(element):
            self._end_lead()  # a heading is no cell of the first row
        mixed = mixed_text(element, self._vocabulary)
        self._images += mixed.images
        self._add_line(mixed.text)
        base = self._length - len(mixed.text)
        for reference in mixed.references:
            self._references.append(
                MarkupReference(base + reference.start, base + reference.end, reference.target)
            )

    def _begins_with_table(self, element: etree._Element) -> bool:
        return element[0].tag == self._vocabulary.table and not (element.text or "").strip()

    def _add_line(self, words: str) -> None:
        if not words:
            return
        if self._lead:
            words = f"{self._lead} {words}"
            self._lead = ""
            self._lead_has_heading = False
        self._length += len(words) + 1 if self._lines else len(words)
        self._lines.append(words)

    def _end_lead(self) -> None:
        if self._lead:
            words, self._lead = self._lead, ""
            self._lead_has_heading = False
            self._add_line(words)

    def _next_position(self) -> int:
        """Return where the next run begins."""
        return (self._length + 1 if self._lines else 0) + len(self._lead)

    def _part(self, part: etree._Element) -> None:
        if self._lead_has_heading:
            self._end_lead()
        outer = self._label
        start = place = -1
        for child in part:
            tag = child.tag
            if tag == self._num:
                label, start = self._designator(child)
                if label and not self._quoted:
                    place = len(self._outline)
                    self._outline.append(None)
                    self._label = joined_label(outer, label)
            elif tag == self._text:
                self._line(child)
            elif tag == self._para:
                self._part(child)
            else:
                self._beside(child)
        self._end_lead()
        if place >= 0:
            self._outline[place] = Outline(self._label, start, self._length)
            self._label = outer

    def _designator(self, number: etree._Element) -> tuple[str, int]:
        """Let a number lead up to what follows. Return its label and where it begins."""
        words, label = part_number(self._prefix, number.text or "")
        if self._prefix:
            self._prefix = ""
        if not words or number.get("undesignated") == "true":
            return "", 0
        if self._lead and words[0] not in "([":
            self._lead += " "
        start = self._next_position()
        self._lead += words
        return label, start

    def _beside(self, child: etree._Element) -> None:
        """Take in a child of a part that is neither its number nor its text nor a nested part."""
        if child.tag == self._vocabulary.prefix:
            self._prefix = words_of(child)
        elif child.tag == self._vocabulary.heading:
            heading = words_of(child)
            if heading:
                self._lead = f"{self._lead} {heading}" if self._lead else heading
                self._lead_has_heading = True
        else:
            self.block(child)

    def _article(self, container: etree._Element) -> None:
        """Take in an article of a compact, or another container within a section."""
        self._end_lead()
        outer = self._label
        start = place = -1
        for child in container:
            if child.tag == self._vocabulary.heading:
                heading = words_of(child)
                label = article_label(heading)
                if label and not self._quoted:
                    start = self._next_position()
                    place = len(self._outline)
                    self._outline.append(None)
                    self._label = joined_label(outer, label)
                self._add_line(heading)
            else:
                self.block(child)
        self._end_lead()
        if place >= 0:
            self._outline[place] = Outline(self._label, start, self._length)
            self._label = outer

    def _quotation(self, element: etree._Element) -> None:
        """Take in quoted matter, such as a form. Its parts are not parts of the provision."""
        self._end_lead()
        self._quoted += 1
        for child in element:
            self.block(child)
        self._quoted -= 1
        self._end_lead()

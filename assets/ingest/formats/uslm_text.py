"""Operative text of one USLM provision, with its outline and references; notes and credits apart.

Works on the elements below a section, rule or plan in USLM 1 and 2. The hierarchy is the concern of `uslm`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from lxml import etree

from assets.ingest.block_text import DASHES, LEAD_HEADING, LEAD_NUMBER, BlockText, first_character
from assets.ingest.superscripts import add_superscript, is_numerator, written_superscript
from serving.contract.raised_digits import LOWERED_DIGITS
from serving.contract.records import MarkupReference, Note, Outline

USLM_1 = "{http://xml.house.gov/schemas/uslm/1.0}"
USLM_2 = "{http://schemas.gpo.gov/xml/uslm}"
SIGN = re.compile("|".join(re.escape(space.strip("{}")) for space in (USLM_1, USLM_2)).encode())
"""A namespace of USLM."""
XHTML = "{http://www.w3.org/1999/xhtml}"

_PARTS = (
    *("subsection", "paragraph", "subparagraph", "clause", "subclause", "item", "subitem", "subsubitem"),
    *("level", "section", "article", "part", "chapter", "subchapter", "title", "subtitle", "division"),
)
"""Elements that, below a provision, are labelled parts of its text; the larger ones occur in quotations."""

_BLOCKS = ("p", "continuation", "proviso", "list", "listItem", "signature", "name", "role", "block", "figure")

_HEADING_RUNS_ON = (".", ":", *DASHES)
_LABEL = re.compile(r"\([^()]{1,12}\)(?:\s*(?:,|to|and|–|-)?\s*\([^()]{1,12}\))*")
_SETS_OFF_MARKS = "\u202f,.;:"
_BRACKETS = "“”‘’\"'[] \t\n"


@dataclass(frozen=True, slots=True)
class ProvisionText:
    """The elements below one provision as text."""

    text: str
    outline: tuple[Outline, ...]
    references: tuple[MarkupReference, ...]
    notes: tuple[Note, ...]
    source_credit: str | None


class TextWalker:
    """Walks elements of one provision and collects its text, notes and credit."""

    def __init__(self) -> None:
        self._out = BlockText()
        self._outline: list[tuple[str, int, int]] = []
        self._references: list[tuple[int, int, str]] = []
        self._footnotes: list[tuple[str, str, int]] = []
        self._called_again: list[tuple[str, str, int]] = []
        self._notes: list[Note] = []
        self._credits: list[str] = []
        self._path = ""
        self._quoted = 0

    def child(self, element: etree._Element) -> None:
        """Take in one child element of the provision, and the text that follows it."""
        handler = _HANDLERS.get(element.tag)
        if handler is None:
            self._inside(element)
        else:
            handler(self, element)
        if element.tail:
            self._out.add(element.tail)

    def finish(self) -> ProvisionText:
        """Return what was collected."""
        text = self._out.text()
        end = len(text)
        return ProvisionText(
            text=text,
            outline=tuple(
                Outline(label, first_character(text, start), stop)
                for label, start, stop in self._outline
                if stop > start
            ),
            references=tuple(
                MarkupReference(first_character(text, start), stop, target)
                for start, stop, target in self._references
                if stop > start
            ),
            notes=(
                *(
                    Note("footnote", heading or None, note, min(first_character(text, offset), end))
                    for heading, note, offset in sorted(
                        (*self._footnotes, *self._called_again), key=itemgetter(2)
                    )
                ),
                *self._notes,
            ),
            source_credit=" ".join(self._credits) or None,
        )

    def footnotes_of(self, caption: etree._Element) -> None:
        """Take in the footnotes of a number or heading; they are called from the beginning of the text."""
        for element in caption.iter(*_NOTE_TAGS):
            self._note(element)

    def note_text(self, element: etree._Element, heading: etree._Element | None) -> str:
        """Return the text of an editorial note without its heading, its footnotes at the end."""
        self._quoted = 1
        if element.text:
            self._out.add(element.text)
        for child in element:
            if child is not heading:
                self.child(child)
            elif child.tail:
                self._out.add(child.tail)
        return "\n".join((self._out.text(), *(f"{mark} {note}" for mark, note, _ in self._footnotes))).strip()

    def _inside(self, element: etree._Element) -> None:
        add = self._out.add
        if element.text:
            add(element.text)
        for child in element:
            handler = _HANDLERS.get(child.tag)
            if handler is not None:
                handler(self, child)
            elif len(child):
                self._inside(child)
            elif child.text:
                add(child.text)
            if child.tail:
                add(child.tail)

    def _block(self, element: etree._Element) -> None:
        self._out.start_block()
        self._inside(element)
        self._out.break_line()

    def _content(self, element: etree._Element) -> None:
        self._inside(element)
        self._out.break_line()

    def _part(self, element: etree._Element) -> None:
        out = self._out
        out.start_block()
        label = None if self._quoted else _label(element)
        if label is None:
            self._inside(element)
        else:
            full = self._path + label
            above, self._path = self._path, full
            index = len(self._outline)
            start = out.position
            self._outline.append((full, start, start))
            self._inside(element)
            self._outline[index] = (full, start, out.position)
            self._path = above
        out.break_line()

    def _number(self, element: etree._Element) -> None:
        self._out.start_number()
        self._inside(element)
        self._out.end_lead(LEAD_NUMBER)

    def _heading(self, element: etree._Element) -> None:
        self._inside(element)
        if self._out.ends_with(_HEADING_RUNS_ON):
            self._out.end_lead(LEAD_HEADING)
        else:
            self._out.break_line()

    def _reference(self, element: etree._Element) -> None:
        if element.get("class") == "footnoteRef":
            self._close_gap(element)
            return
        target = element.get("href")
        if not target or self._quoted:
            self._inside(element)
            return
        start = self._out.position
        self._inside(element)
        self._references.append((start, self._out.position, target))

    def _note(self, element: etree._Element) -> None:
        if _is_footnote(element):
            number = element.find("{*}num")
            mark = "" if number is None else folded(number).translate(LOWERED_DIGITS)
            self._footnotes.append((mark, folded(element, skip=number), self._out.position))
            self._close_gap(element)
            return
        note = read_note(element)
        if note is not None:
            self._notes.append(note)

    def _raised(self, element: etree._Element) -> None:
        known = _called_again(element, self._footnotes)
        if known is None:
            add_superscript(self._out, element, self._inside)
        else:
            self._called_again.append((*known, self._out.position))
            self._close_gap(element)

    def _close_gap(self, left_out: etree._Element) -> None:
        if left_out.tail and left_out.tail[0] in ",.;:)”’":
            self._out.tighten()

    def _note_group(self, element: etree._Element) -> None:
        for child in element:
            if child.tag in _NOTE_TAGS:
                self._note(child)

    def _credit(self, element: etree._Element) -> None:
        self._credits.append(folded(element))

    def _quotation(self, element: etree._Element) -> None:
        self._quoted += 1
        self._inside(element)
        self._quoted -= 1

    def _row(self, element: etree._Element) -> None:
        self._out.start_row()
        first = True
        for cell in element:
            self._out.start_cell(first=first)
            first = False
            self._inside(cell)
            if cell.tail:
                self._out.add(cell.tail)
        self._out.end_row()

    def _line_break(self, _element: etree._Element) -> None:
        self._out.break_line()

    def _image(self, element: etree._Element) -> None:
        """Leave a note with the file of a picture: it stands in the place of text and has none."""
        source = element.get("src")
        if source:
            self._notes.append(Note("image", None, source))

    def _skip(self, element: etree._Element) -> None:
        """Leave out what repeats headings (tables of contents) or describes the file."""


def read_note(element: etree._Element) -> Note | None:
    """Return an editorial note; None for a bare cross heading, which only groups the notes after it."""
    heading = element.find("{*}heading")
    walker = TextWalker()
    text = walker.note_text(element, heading)
    if not text:
        return None
    name = None if heading is None else folded(heading)
    return Note(element.get("topic") or element.get("type") or "note", name or None, text)


def folded(element: etree._Element, *, skip: etree._Element | None = None) -> str:
    """Return all text below an element with white space folded, without its footnotes and `skip`."""
    if len(element) == 0:
        return " ".join((element.text or "").split())
    runs: list[str] = []
    _runs(element, runs, skip)
    return " ".join("".join(runs).split())


def _runs(element: etree._Element, runs: list[str], skip: etree._Element | None) -> None:
    if element.text:
        runs.append(element.text)
    for child in element:
        if child is skip or child.get("class") == "footnoteRef" or _is_footnote(child):
            if child is not skip and child.tail and child.tail[0] in ",.;:)" and runs:
                runs[-1] = runs[-1].rstrip()
        elif child.tag in _RAISED_TAGS:
            runs.append(written_superscript(child, folded(child), runs))
        else:
            _runs(child, runs, skip)
        if child.tail:
            runs.append(child.tail)


def _is_footnote(element: etree._Element) -> bool:
    return element.get("type") == "footnote" or element.tag in _FOOTNOTE_TAGS


def _called_again(
    element: etree._Element, footnotes: Sequence[tuple[str, str, int]]
) -> tuple[str, str] | None:
    """Return mark and text of the footnote that a superscript calls once more; None for an exponent.

    Only the first call of a footnote is marked up as one. A narrow space or punctuation sets off the others.
    """
    above, previous = element.getparent(), element.getprevious()
    before = previous.tail if previous is not None else None if above is None else above.text
    if not before or before[-1] not in _SETS_OFF_MARKS or is_numerator(element):
        return None
    words = folded(element)
    return next(((mark, text) for mark, text, _ in reversed(footnotes) if mark == words), None)


def _label(element: etree._Element) -> str | None:
    number = element[0] if len(element) else None
    if number is None or number.tag not in _NUMBER_TAGS:
        number = element.find("{*}num")
        if number is None:
            return None
    text = folded(number).strip(_BRACKETS)
    if len(text) < 9 and text[:1] == "(" and text.find(")") == len(text) - 1:
        return text
    match = _LABEL.search(text)
    if match:
        return "".join(match.group().split())
    text = text.rstrip(".—–-: ")
    return f"({text})" if text and len(text) <= 12 and " " not in text else None


_Handler = Callable[[TextWalker, etree._Element], None]


def _handlers() -> dict[str, _Handler]:
    by_name: dict[str, _Handler] = {
        "num": TextWalker._number,
        "heading": TextWalker._heading,
        "subheading": TextWalker._heading,
        "content": TextWalker._content,
        "chapeau": TextWalker._content,
        "listContent": TextWalker._content,
        "ref": TextWalker._reference,
        "sup": TextWalker._raised,
        "note": TextWalker._note,
        "footnote": TextWalker._note,
        "notes": TextWalker._note_group,
        "sourceCredit": TextWalker._credit,
        "quotedContent": TextWalker._quotation,
        "toc": TextWalker._skip,
        "meta": TextWalker._skip,
        "row": TextWalker._row,
        "header": TextWalker._row,
        "tr": TextWalker._row,
        "table": TextWalker._block,
        "caption": TextWalker._block,
        "br": TextWalker._line_break,
        "img": TextWalker._image,
        **dict.fromkeys(_PARTS, TextWalker._part),
        **dict.fromkeys(_BLOCKS, TextWalker._block),
    }
    in_xhtml = ("table", "caption", "tr", "p", "br", "img", "sup")
    return {
        **{f"{space}{name}": handler for space in (USLM_1, USLM_2) for name, handler in by_name.items()},
        **{f"{XHTML}{name}": by_name[name] for name in in_xhtml},
    }


_HANDLERS = _handlers()
_RAISED_TAGS = frozenset(f"{space}sup" for space in (USLM_1, USLM_2, XHTML))
_FOOTNOTE_TAGS = frozenset(f"{space}footnote" for space in (USLM_1, USLM_2))
_NOTE_TAGS = _FOOTNOTE_TAGS | {f"{space}note" for space in (USLM_1, USLM_2)}
_NUMBER_TAGS = frozenset(f"{space}num" for space in (USLM_1, USLM_2))

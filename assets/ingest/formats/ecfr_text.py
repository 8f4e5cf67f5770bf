"""Text of one division of the eCFR: law by lines; notes, sources and footnotes apart.

The markup comes from typesetting: an element says how a paragraph looks. What the publisher's guide does not
list is text, since a title may hold elements that no guide has.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lxml import etree

from assets.ingest.block_text import LEAD_HEADING, BlockText, first_character
from assets.ingest.superscripts import add_superscript, written_fraction, written_superscript
from serving.contract.raised_digits import RAISED_DIGITS
from serving.contract.records import Note

_INLINE = frozenset(
    {
        "I",
        "E",
        "B",
        "U",
        "SU",
        "SUB",
        "FR",
        "AC",
        "FTREF",
        "a",
        "em",
        "strong",
        "sup",
        "sub",
        "span",
        "i",
        "b",
    }
)
_PARAGRAPHS = (
    *("P", "P-1", "P-2", "P-3", "P1", "P2", "P-DASH", "PSPACE", "FP", "FP-1", "FP-2", "FP-DASH", "FP1-2"),
    *("FP2", "FP2-2", "FP2-3", "FRP", "FRP0", "HD1", "HD2", "HD3", "HD4", "HD5", "HD6", "HED1", "HEAD"),
    *("LI", "BCAP", "TCAP", "CAPTION", "TTITLE", "TDESC", "DOCKETHD", "PARTHD", "SECHD", "SUBJECT", "SECTNO"),
    *("p", "li", "caption", "figcaption"),
)
"""Elements that hold running text: within them, what is not known is a part of their line."""

_NOTES = {
    "AUTH": "authority",
    "SECAUTH": "authority",
    "PARAUTH": "authority",
    "SOURCE": "source",
    "APPRO": "approval",
    "EDNOTE": "editorial",
    "EFFDNOT": "effectiveDate",
    "CROSSREF": "crossReference",
    "NOTE": "note",
    "XREF": "pendingAmendment",
}
"""Topics of notes by their elements. An `XREF` leads to an amendment that is not yet in effect."""

_RAISED, _RAISED_FACE = ("SU", "sup"), "51"
"""Elements that raise their text, and the type of the `E` that does."""
_ACCENTS = dict(zip("12346789", "\u0301\u0300\u0302\u0308\u0303\u030a\u0303\u0327", strict=True))
"""Combining accents by the types of `AC`, which follows the letter that it modifies."""
_DROPPED = "* * * * *"
_CLOSING = ",.;:)”’"


@dataclass(frozen=True, slots=True)
class DivisionText:
    """The elements of one division, without those of the divisions in it. `credits` are its source notes."""

    text: str
    notes: tuple[Note, ...]
    credits: tuple[str, ...]


class TextWalker:
    """Walks the elements of one division and collects its text, notes and credits."""

    def __init__(self) -> None:
        self._out = BlockText()
        self._notes: list[Note] = []
        self._credits: list[str] = []
        self._footnotes: list[tuple[str, str, int | None]] = []
        self._marks: defaultdict[str, list[int]] = defaultdict(list)
        self._in_line = False

    def child(self, element: etree._Element) -> None:
        """Take in one child element of the division, and the text that follows it."""
        self._element(element)
        # Behind a block, white space only sets the markup in lines.
        if element.tail and (element.tag not in _BLOCKS or not element.tail.isspace()):
            self._out.add(element.tail)

    def words(self, text: str | None) -> None:
        """Take in text that stands in the division itself."""
        if text:
            self._out.add(text)

    def mark(self, mark: str) -> None:
        """Take in the mark of a footnote that is called from here."""
        self._marks[mark].append(self._out.position)

    def finish(self) -> DivisionText:
        """Return what was collected."""
        text = self._out.text()
        end = len(text)
        footnotes = (
            Note(
                "footnote",
                mark or None,
                words,
                None if place is None else min(first_character(text, place), end),
            )
            for mark, words, place in self._footnotes
        )
        return DivisionText(text, (*footnotes, *self._notes), tuple(self._credits))

    def _element(self, element: etree._Element) -> None:
        handler = _HANDLERS.get(element.tag)
        if handler is not None:
            handler(self, element)
        elif self._in_line:
            self._inside(element)
        else:
            self._block(element)

    def _inside(self, element: etree._Element) -> None:
        add = self._out.add
        if element.text:
            add(element.text)
        for child in element:
            if len(child) == 0 and child.tag in _FACES:
                add(child.text or "")
            else:
                self._element(child)
            if child.tail:
                add(child.tail)

    def _block(self, element: etree._Element) -> None:
        """Take in a block of other blocks, or one that is not known."""
        before, self._in_line = self._in_line, False
        self._out.start_block()
        self._inside(element)
        self._out.break_line()
        self._in_line = before

    def _paragraph(self, element: etree._Element) -> None:
        before, self._in_line = self._in_line, True
        self._out.start_block()
        self._inside(element)
        self._out.break_line()
        self._in_line = before

    def _lead(self, element: etree._Element) -> None:
        """Take in a heading that the next paragraph runs on from: `Example 1.`."""
        before, self._in_line = self._in_line, True
        self._out.start_block()
        self._inside(element)
        self._out.end_lead(LEAD_HEADING)
        self._in_line = before

    def _raised(self, element: etree._Element) -> None:
        """Take in a superscript: the mark of a footnote where a reference follows it, else another one."""
        if is_footnote_mark(element):
            self.mark(folded(element))
            if element.tail is None and (following := element.getnext()) is not None:
                self._close_gap(following.tail)
        else:
            add_superscript(self._out, element, self._inside)

    def _close_gap(self, tail: str | None) -> None:
        if tail and tail[0] in _CLOSING:
            self._out.tighten()

    def _face(self, element: etree._Element) -> None:
        if _is_raised(element):
            self._raised(element)
        else:
            self._inside(element)

    def _fraction(self, element: etree._Element) -> None:
        self._out.start_fraction()
        self._inside(element)

    def _accent(self, element: etree._Element) -> None:
        self._out.add(_ACCENTS.get(element.get("T") or "", ""))
        self._inside(element)

    def _stars(self, element: etree._Element) -> None:
        self._out.start_block()
        self._out.add(_DROPPED)
        self._inside(element)
        self._out.break_line()

    def _link(self, element: etree._Element) -> None:
        if leads_to_picture(element):
            self._notes.append(Note("image", None, element.get("href") or ""))
        else:
            self._inside(element)

    def _image(self, element: etree._Element) -> None:
        """Leave a note with the file of a picture: it stands in the place of text and has none."""
        source = element.get("src") or element.get("SRC")
        if source:
            self._notes.append(Note("image", None, source))
        self._inside(element)

    def _line_break(self, element: etree._Element) -> None:
        self._out.break_line()
        self._inside(element)

    def _row(self, element: etree._Element) -> None:
        before, self._in_line = self._in_line, True
        self._out.start_row()
        if element.text:
            self._out.add(element.text)
        for number, cell in enumerate(element):
            self._out.start_cell(first=number == 0)
            if cell.tag in _CELLS:
                self._inside(cell)
            else:
                self._element(cell)
            if cell.tail:
                self._out.add(cell.tail)
        self._out.end_row()
        self._in_line = before

    def _leaders(self, element: etree._Element) -> None:
        """Take in lines of two columns, the second of which is a figure of the line before it."""
        before, self._in_line = self._in_line, True
        self._out.start_row()
        if element.text:
            self._out.add(element.text)
        for child in element:
            if child.tag in _FIGURES:
                self._out.start_cell(first=False)
                self._inside(child)
            else:
                self._out.end_row()
                self._out.start_cell(first=True)
                self._element(child) if child.tag in _HANDLERS else self._inside(child)
            if child.tail:
                self._out.add(child.tail)
        self._out.end_row()
        self._in_line = before

    def _footnote(self, element: etree._Element) -> None:
        first = next((one for one in element.iter("SU", "sup") if not folded_before(element, one)), None)
        mark = "" if first is None else folded(first)
        places = self._marks.get(mark, [])
        place = places.pop(0) if places else None
        words = note_of(element)[1].removeprefix(mark.translate(RAISED_DIGITS))
        self._footnotes.append((mark, words.strip(), place))

    def _note(self, element: etree._Element) -> None:
        heading, text = note_of(element)
        if heading or text:
            self._notes.append(Note(_NOTES[str(element.tag)], heading or None, text))

    def _credit(self, element: etree._Element) -> None:
        words = folded(element)
        if words:
            self._credits.append(words)

    def _skip(self, element: etree._Element) -> None:
        """Leave out what repeats headings."""


def note_of(element: etree._Element) -> tuple[str, str]:
    """Return the heading and the text of a note; its own footnotes stand at its end."""
    heading = element.find("HED")
    walker = TextWalker()
    walker.words(element.text)
    for child in element:
        if child is heading:
            walker.words(child.tail)
        else:
            walker.child(child)
    found = walker.finish()
    others = (f"{note.heading or ''} {note.text}".strip() for note in found.notes)
    text = "\n".join(filter(None, (found.text, *found.credits, *others)))
    return ("" if heading is None else heading_words(heading)[0].rstrip(": ")), text


def is_footnote_mark(element: etree._Element) -> bool:
    """Return whether a superscript is the mark of a footnote: a reference to one follows at once."""
    following = element.getnext()
    return following is not None and following.tag == "FTREF" and not (element.tail or "").strip()


def _is_raised(element: etree._Element) -> bool:
    return element.tag in _RAISED or (element.tag == "E" and element.get("T") == _RAISED_FACE)


def leads_to_picture(element: etree._Element) -> bool:
    """Return whether a link leads to a picture of what stands there: `View or download PDF`."""
    return "/graphics/" in (element.get("href") or "")


def folded(element: etree._Element) -> str:
    """Return all text below an element with white space folded."""
    return " ".join("".join(map(str, element.itertext())).split())


def folded_before(element: etree._Element, inner: etree._Element) -> bool:
    """Return whether text of an element stands before one that is in it."""
    if (element.text or "").strip():
        return True
    for child in element.iterdescendants():
        if child is inner:
            return False
        if (child.text or "").strip() or (child.tail or "").strip():
            return True
    return False


def heading_words(head: etree._Element) -> tuple[str, tuple[str, ...]]:
    """Return a heading without the marks of footnotes that are called from it, and these."""
    runs: list[str] = []
    marks: list[str] = []
    _heading_runs(head, runs, marks)
    return " ".join("".join(runs).split()), tuple(marks)


def _heading_runs(element: etree._Element, runs: list[str], marks: list[str]) -> None:
    runs.append(element.text or "")
    for child in element:
        if child.tag == "FR":
            runs.append(written_fraction(folded(child), runs))
        elif not _is_raised(child):
            _heading_runs(child, runs, marks)
        elif is_footnote_mark(child):
            marks.append(folded(child))
        else:
            runs.append(written_superscript(child, folded(child), runs))
        runs.append(child.tail or "")


_BLOCKS = frozenset(_PARAGRAPHS)
_CELLS = frozenset({"TD", "TH", "td", "th", "ENT", "CHED"})
_FACES = frozenset({"I", "B", "em", "strong"})
_FIGURES = frozenset({"LDRFIG"})

_Handler = Callable[[TextWalker, etree._Element], None]


def _all(names: Iterable[str], handler: _Handler) -> dict[str, _Handler]:
    return dict.fromkeys(names, handler)


_HANDLERS: dict[str, _Handler] = {
    **_all(_PARAGRAPHS, TextWalker._paragraph),
    **_all(_INLINE, TextWalker._inside),
    **_all(_RAISED, TextWalker._raised),
    **_all(_NOTES, TextWalker._note),
    **_all(("FTNT", "EFTNT"), TextWalker._footnote),
    **_all(("TR", "tr", "ROW", "BOXHD"), TextWalker._row),
    **_all(("br", "BR"), TextWalker._line_break),
    **_all(("img", "IMG", "GID"), TextWalker._image),
    "E": TextWalker._face,
    "FR": TextWalker._fraction,
    "AC": TextWalker._accent,
    "a": TextWalker._link,
    "HED": TextWalker._lead,
    "STARS": TextWalker._stars,
    "LDRWK": TextWalker._leaders,
    "CITA": TextWalker._credit,
    "CFRTOC": TextWalker._skip,
}

"""Annotations of provisions: the history becomes the source credit, all else notes."""

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from lxml import etree

from assets.ingest.formats.law_xml_mixed import mixed_text
from assets.ingest.formats.law_xml_vocabulary import Vocabulary
from assets.ingest.white_space import collapse
from serving.contract.records import Note

HISTORY = "History"
NOTE_MARK = "*NOTE:"
"""Begins an editors' note that the source files as `text`; an asterisk ends it."""

_INLINE = ("cite", "em", "strong", "b", "u", "Cite", "TODO")
_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")


@dataclass(slots=True)
class _Credit:
    """An entry of the history, which is written as the source writes others out.

    Attributes:
        law: such as `D.C. Law 24-154`.
        day: ISO date on which it took effect, or empty.
        prefix: such as `as added`, or empty.
        places: sections of the law, in document order; values mean nothing.
    """

    law: str
    day: str
    prefix: str
    places: dict[str, None] = field(default_factory=dict)

    def __str__(self) -> str:
        signs = "§§" if len(self.places) > 1 else "§"
        places = f"{signs} {', '.join(self.places)}" if self.places else ""
        credit = ", ".join(filter(None, (_written_day(self.day), self.law, places)))
        return f"{self.prefix} {credit}" if self.prefix else credit


class Annotations:
    """Collects the annotations of one provision.

    Attributes:
        notes: in document order.
        remarks: those of the notes that stood among the text.
    """

    __slots__ = ("_composed", "_credits", "_inline", "_vocabulary", "notes", "remarks")

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._inline = _inline_tags(vocabulary.namespace)
        self.notes: list[Note] = []
        self.remarks: list[str] = []
        self._credits: list[str | _Credit] = []
        self._composed: dict[tuple[str, str, str], _Credit] = {}

    def group(self, annotations: etree._Element) -> None:
        """Take in an `annotations` element."""
        wanted = (self._vocabulary.annotation, self._vocabulary.text)
        for child in annotations:
            if child.tag in wanted:
                self.annotation(child)

    def annotation(self, element: etree._Element) -> None:
        """Take in an `annotation`, or a `text` among annotations. What the publisher hides is left out."""
        if element.get("display") == "false":
            return
        text = self._text(element) if len(element) else collapse(element.text or "")
        topic = element.get("type") or "annotation"
        if topic == HISTORY:
            if text:
                self._credits.append(text)
            else:
                self._compose_credit(element)
        elif text:
            self.notes.append(Note(topic, None, text))

    def reason(self, text: str) -> None:
        """Take in why there is no text: a `reason`, or the line that stands in the place of the text."""
        words = text.strip("[]. ")
        if words and all(note.text != words for note in self.notes):
            self.notes.append(Note("reason", None, words))

    def editors_note(self, text: str) -> None:
        """Take in a `*NOTE: ...*` that stands among the text."""
        remark = text.removeprefix(NOTE_MARK).rstrip("*").strip()
        self.remarks.append(remark)
        self.notes.append(Note("NOTE", None, remark))

    def footnotes(self, element: etree._Element) -> None:
        """Take in the footnotes of a provision, each with its mark."""
        names = self._vocabulary
        for footnote in element.iterfind(names.footnote):
            mark = collapse(footnote.findtext(names.num) or "").rstrip(".")
            blocks = (self._text(block) for block in footnote if block.tag != names.num)
            text = "\n".join(filter(None, blocks))
            if text:
                self.notes.append(Note("footnote", mark or None, text))

    def image(self, source: str) -> None:
        """Take in a picture in the place of text, by its file."""
        self.notes.append(Note("image", None, source))

    def source_credit(self) -> str | None:
        """Return the history as one line, in document order; None where there is none."""
        return "; ".join(map(str, self._credits)) or None

    def _compose_credit(self, element: etree._Element) -> None:
        """Take in an entry that gives law, day and place only as attributes; one law's places go together."""
        law = element.get("doc")
        if not law:
            return
        key = (law, element.get("eff") or "", element.get("prefix") or "")
        credit = self._composed.get(key)
        if credit is None:
            credit = self._composed[key] = _Credit(*key)
            self._credits.append(credit)
        path = element.get("path") or ""
        if path.startswith("§"):
            credit.places.setdefault(path[1:].replace("|", ""))

    def _text(self, element: etree._Element) -> str:
        runs = [element.text or ""]
        for child in element:
            if child.tag not in self._inline or len(child):
                return mixed_text(element, self._vocabulary).text
            runs.append(child.text or "")
            runs.append(child.tail or "")
        return collapse("".join(runs))


@lru_cache(maxsize=16)
def _inline_tags(namespace: str) -> frozenset[str]:
    return frozenset(f"{namespace}{name}" for name in _INLINE)


@lru_cache(maxsize=4096)
def _written_day(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return ""
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"

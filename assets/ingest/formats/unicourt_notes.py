"""The end of the law of a UniCourt provision: its history, and the notes of editors by their topics."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from assets.ingest.formats.unicourt_page import Block
from assets.ingest.formats.unicourt_words import words_of
from assets.registry import Markup
from serving.contract.records import Note

_HEADINGS = frozenset({"h4", "h5", "h6"})
_LISTS = frozenset({"ol", "ul"})
_BOLD = frozenset({"b", "strong"})
_NUMBERED = re.compile(r"(?:\d+|[IVXLC]+|[A-Z])\.")
_MARKS = " .:—–-"
_OF_FORMER_LAW = re.compile(r"(?:former|this) (?:section|§)", re.IGNORECASE)

UNTITLED = "note"
"""Topic of notes without one."""


@dataclass(frozen=True, slots=True)
class Divided:
    """The blocks of a provision, divided.

    Attributes:
        law: its blocks of law, in order.
        credit: its history in the publisher's words; None where it has none.
        notes: what the editors add.
    """

    law: list[Block]
    credit: str | None
    notes: tuple[Note, ...]


def divide(blocks: Sequence[Block], markup: Markup, *, of_container: bool) -> Divided:
    """Divide the blocks of a provision into law, history and notes.

    Args:
        blocks: in order.
        markup: signs of the code body.
        of_container: below the heading of a container, only what a history follows is law.
    """
    end = law_end(blocks, markup)
    if of_container and not _begins_history(blocks[end:], markup):
        end = 0
    credit, taken = _credit(blocks[end:], markup)
    return Divided(list(blocks[:end]), credit, tuple(_notes(blocks[end + taken :], markup)))


def set_free(blocks: Sequence[Block], markup: Markup) -> list[Block]:
    """Return blocks with what follows the law apart, where an item of a list holds it.

    A note ends the law, also where the list seems to go on: lists of its own follow. What may be a history
    ends it before a note, or at the end of the list.
    """
    result: list[Block] = []
    for block in blocks:
        result.append(block)
        if block.tag in _LISTS and block.element is not None:
            end = _end_within(block.element, markup)
            if end is not None:
                result += _taken_out(end, block.element)
    return result


def _end_within(element: etree._Element, markup: Markup) -> etree._Element | None:
    """Return the first paragraph within a list that is no law."""
    for paragraph in element.iter("p"):
        words = words_of(paragraph)
        if markup.leads.match(words):
            before = paragraph.getprevious()
            is_history = before is not None and before.tag == "p" and markup.ends_law(words_of(before))
            return before if is_history else paragraph
        if markup.ends_law(words) and not any(item.tag == "li" for item in _after(paragraph, element)):
            return paragraph
    return None


def _after(element: etree._Element, above: etree._Element) -> list[etree._Element]:
    """Return the elements after one, within another that holds it."""
    found: list[etree._Element] = []
    own: etree._Element | None = element
    while own is not None and own is not above:
        for sibling in own.itersiblings():
            found += sibling.iter()
        own = own.getparent()
    return found


def _taken_out(first: etree._Element, above: etree._Element) -> list[Block]:
    taken = [first]
    own: etree._Element | None = first
    while own is not None and own is not above:
        taken += own.itersiblings()
        own = own.getparent()
    for element in taken:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)
    return [Block(str(element.tag), element, _words_of_any(element)) for element in taken]


def _words_of_any(element: etree._Element) -> str:
    if element.tag == "p":
        return words_of(element)
    return " ".join("".join(map(str, element.itertext())).split())


def law_end(blocks: Sequence[Block], markup: Markup) -> int:
    """Return the index of the first block that is no law.

    A word that marks the history is sure: what stands before it is law, whatever it begins with. So is a
    history with a note behind it, for notes may quote other law with its history. Else the law ends with the
    names of the laws that made it, or with the first note.
    """
    first_note: int | None = None
    for at, block in enumerate(blocks):
        if block.tag == "p":
            after = _paragraph_behind(blocks, at)
            if markup.history.match(block.words):
                return at
            if markup.is_history_with_notes(block.words, after):
                return at if first_note is None else first_note
            if first_note is None and (markup.ends_law(block.words) or markup.announces(block.words, after)):
                first_note = at
        elif block.tag in _HEADINGS and not markup.parts.match(block.words):
            return at if first_note is None else first_note
    return len(blocks) if first_note is None else first_note


def _paragraph_behind(blocks: Sequence[Block], at: int) -> str:
    """Return the words of the block behind one, empty where it is no paragraph."""
    behind = blocks[at + 1] if at + 1 < len(blocks) else None
    return behind.words if behind is not None and behind.tag == "p" else ""


def _begins_history(blocks: Sequence[Block], markup: Markup) -> bool:
    if not blocks:
        return False
    first = blocks[0]
    if first.tag in _HEADINGS:
        return markup.heads_history(first.words)
    if first.tag != "p":
        return False
    announced = markup.heads_history(first.words) and markup.announces(
        first.words, _paragraph_behind(blocks, 0)
    )
    return announced or _history(first.words, markup) is not None


def _credit(blocks: Sequence[Block], markup: Markup) -> tuple[str | None, int]:
    """Return the history that blocks begin with, and how many of them hold it.

    Its word may stand alone, as a heading or in a paragraph; the next paragraph is then the history.
    """
    if not _begins_history(blocks, markup):
        return None, 0
    said = None if blocks[0].tag in _HEADINGS else _history(blocks[0].words, markup)
    if said:
        return said, 1
    following = blocks[1] if len(blocks) > 1 else None
    if following is None or following.tag != "p" or _begins_note(following, markup.leads):
        return said, 1 if said is not None else 0
    return _history(following.words, markup) or following.words, 2


def _begins_note(block: Block, leads: re.Pattern[str]) -> bool:
    words = block.words
    return bool(leads.match(words) or _OF_FORMER_LAW.match(words)) or _is_bold(block, words)


def _history(words: str, markup: Markup) -> str | None:
    match = markup.history.match(words)
    if match is not None:
        return words[match.end() :].strip()
    return words if markup.credit is not None and markup.credit.match(words) else None


def _notes(blocks: Sequence[Block], markup: Markup) -> list[Note]:
    leads = markup.leads
    notes: list[Note] = []
    topic = ""
    lines: list[str] = []
    under_heading = False

    def close() -> None:
        if lines:
            notes.append(Note(topic or UNTITLED, None, "\n".join(lines)))
        lines.clear()

    for at, block in enumerate(blocks):
        words = block.words or (
            "" if block.element is None else " ".join("".join(map(str, block.element.itertext())).split())
        )
        if not words:
            continue
        if block.tag == "h4" and not _NUMBERED.match(words):
            close()
            topic, under_heading = words.strip(_MARKS), True
            continue
        lead = leads.match(words) if block.tag == "p" else None
        heads = _is_bold(block, words) or markup.announces(words, _paragraph_behind(blocks, at))
        if lead is None and block.tag == "p" and not under_heading and heads:
            close()
            topic = words.strip(_MARKS)
        elif lead is not None:
            close()
            topic, under_heading = lead["topic"], False
            if rest := words[lead.end() :].lstrip(" —–-"):
                lines.append(rest)
        else:
            lines.append(words)
    close()
    return notes


def _is_bold(block: Block, words: str) -> bool:
    element = block.element
    if element is None or not len(element) or (element.text and not element.text.isspace()):
        return False
    first = element[0]
    return first.tag in _BOLD and words_of(first) == words

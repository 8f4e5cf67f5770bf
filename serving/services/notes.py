"""The notes of the source under a provision: those that are cited as notes, and all of these as one text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_NOT_CITED = ("footnote", "reason")
"""Topics of notes that nobody cites as notes."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Between the words of a topic, as in `effectiveDateOfAmendment`."""
_BETWEEN = "\n\n"
"""Stands between two notes."""


@dataclass(frozen=True, slots=True)
class NotePart:
    """One note, its heading included: characters [start, end) of the text of all notes."""

    heading: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NotesText:
    """The notes under a provision as one text, in which each stands below its heading."""

    text: str
    parts: tuple[NotePart, ...]


def cited_notes(notes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return those of a provision's notes that are cited as such: `17 U.S.C. § 101 note`."""
    return [note for note in notes if note["topic"] not in _NOT_CITED]


def heading_of(note: Mapping[str, Any]) -> str:
    """Return the heading of a note; its topic in words where the source gives none."""
    return note["heading"] or _CAMEL.sub(" ", note["topic"]).capitalize()


def notes_text(notes: Sequence[Mapping[str, Any]]) -> NotesText:
    """Return the notes that are cited as such as one text, with the place of each."""
    pieces: list[str] = []
    parts: list[NotePart] = []
    start = 0
    for note in cited_notes(notes):
        heading = heading_of(note)
        piece = f"{heading}\n{note['text']}".rstrip()
        pieces.append(piece)
        parts.append(NotePart(heading, start, start + len(piece)))
        start += len(piece) + len(_BETWEEN)
    return NotesText(_BETWEEN.join(pieces), tuple(parts))

"""Text of a provision as quotations are compared with it: plain, and without what quotations leave out."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from serving.services.quotations.designators import marks_of
from serving.services.quotations.folding import FoldedText
from serving.services.quotations.sentences import OutlineEntry
from serving.snapshot.law import LawNodes

_FOOTNOTE = "footnote"
_MOST_KEPT = 2_000_000
"""Characters of the texts that are kept, because quotations of one provision often follow each other."""


class NoteText(NamedTuple):
    """The text of one note under a provision, and its heading, which may be empty."""

    heading: str
    folded: FoldedText


class ProvisionText:
    """The text of one provision, folded on first use."""

    def __init__(self, nodes: LawNodes, row: int) -> None:
        self._nodes = nodes
        self._row = row

    @cached_property
    def plain(self) -> FoldedText:
        """The whole text."""
        return FoldedText(self.answer["text"])

    @cached_property
    def bare(self) -> FoldedText:
        """The text without the designators at the head of its parts and without footnote marks."""
        footnotes = {note["heading"] or "" for note in self.answer["notes"] if note["topic"] == _FOOTNOTE}
        return FoldedText(self.source, marks_of(self.source, footnotes))

    @cached_property
    def heading(self) -> FoldedText:
        """The heading."""
        return FoldedText(self.answer["heading"] or "")

    @cached_property
    def notes(self) -> tuple[NoteText, ...]:
        """The notes under it that have a text; those at the foot are none."""
        return tuple(
            NoteText(note["heading"] or "", FoldedText(note["text"]))
            for note in self.answer["notes"]
            if note["text"] and note["topic"] != _FOOTNOTE
        )

    @cached_property
    def answer(self) -> Mapping[str, Any]:
        """The answer of the node endpoint."""
        return self._nodes.answer(self._row)

    @property
    def source(self) -> str:
        """The text as it is written."""
        return self.plain.source

    @property
    def outline(self) -> list[OutlineEntry]:
        """The outline of the text."""
        outline: list[OutlineEntry] = self.answer["outline"]
        return outline


class ProvisionTexts:
    """The texts that one call reads, the last few of which are kept."""

    def __init__(self, nodes: LawNodes) -> None:
        self._nodes = nodes
        self._kept: dict[int, ProvisionText] = {}
        self._characters = 0

    def of(self, row: int) -> ProvisionText:
        """Return the text of the provision in a row."""
        text = self._kept.pop(row, None)
        if text is None:
            text = ProvisionText(self._nodes, row)
            self._characters += len(text.source)
        self._kept[row] = text
        while self._characters > _MOST_KEPT and len(self._kept) > 1:
            oldest = self._kept.pop(next(iter(self._kept)))
            self._characters -= len(oldest.source)
        return text

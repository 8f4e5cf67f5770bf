"""Successors of dead provisions, as sources name them: `Renumbered § 477`, `Recodified as § 42-3131.02`."""

import re
from collections.abc import Iterator, Sequence

from assets.selection.selection import Selection
from serving.contract.citations import CitingContext, parse_within
from serving.contract.citations.grammar import Grammar

_GONE = ("transferred", "renumbered", "repealed", "omitted")
_SAYING = ("reason", "codification")
"""Topics of the notes in which sources say what became of a provision."""

_MOVED = re.compile(
    r"\b(?:renumbered|recodified|transferred|redesignated|reclassified)"
    r"(?: and (?:is )?(?:now )?(?:classified|renumbered|redesignated|transferred))?(?: as| to)?"
    r" (?=(?:§|section) ?\d)",
    re.IGNORECASE,
)
_REACH = 120
_AS_NOTE = re.compile(r"set out as a note", re.IGNORECASE)


def successors_of(
    selection: Selection, contexts: Sequence[CitingContext | None], grammar: Grammar
) -> dict[int, str]:
    """Return, by position, the canonical citation of what each dead provision has become.

    Only where all that the source says of it names one section; what goes by a range of numbers became
    several, and which is which is not said.
    """
    found: dict[int, str] = {}
    for first, batch in selection.batches(["status", "citation", "heading", "notes"]):
        for position, row in enumerate(batch.to_pylist(), first):
            context = contexts[position]
            if row["status"] not in _GONE or context is None or "§§" in row["citation"]:
                continue
            said = [row["heading"], *(note["text"] for note in row["notes"] if note["topic"] in _SAYING)]
            targets = {target for text in said for target in _targets(text, context, grammar)}
            targets.discard(row["citation"])
            if len(targets) == 1:
                found[position] = targets.pop()
    return found


def _targets(text: str, context: CitingContext, grammar: Grammar) -> Iterator[str]:
    """Yield the citations that a text says a provision moved to."""
    # A heading has no title beside the number: it is that of the provision itself.
    own = CitingContext(
        context.scheme, context.title, context.num, appendix=context.appendix, implicit_title=True
    )
    for match in _MOVED.finditer(text):
        saying = text[match.end() : match.end() + _REACH]
        read = parse_within(saying, grammar, own)
        if not read or read[0].start != 0 or _AS_NOTE.search(text[match.start() : match.end() + _REACH]):
            continue
        yield read[0].target if read[0].through is None and read[0].listing is None else ""

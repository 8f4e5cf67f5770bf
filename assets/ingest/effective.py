"""The days from which and until which a provision applies, where its source states them of the whole of it.

Nothing is inferred: not from the law that enacted a provision, and not from days that the source states of an
amendment, of a part, or with an exception.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from assets.ingest.model import NOT_STATED, Effective, Provision
from serving.contract.records import IN_FORCE, Note

DAY = r"[A-Z][a-z]+\.? \d{1,2}, \d{4}"
"""A day as American law writes it, `July 1, 2021` or `Sept. 15, 1981`, as a pattern; `day_of` reads it."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
MONTHS = "|".join((*_FULL_MONTHS, *(rf"{month}t?\." for month in _MONTHS)))
"""The names of months, in full or shortened, as a pattern without regard to case."""

_PARTS_OF_A_DAY = re.compile(r"(?P<month>[A-Za-z]+)\.? (?P<day>\d{1,2}), (?P<year>\d{4})")

_TOPICS = ("effective date", "effective dates")
_SENTENCE = r"(?:(?!(?<!Pub)\. [A-Z])[^;])+?"
_NOTE = re.compile(
    rf"(?P<named>[A-Z][a-z]+) effective (?P<first>{DAY})"
    rf"(?:, see section {_SENTENCE}(?:; {_SENTENCE} note under {_SENTENCE})?)?\."
    rf"|{_SENTENCE}(?:,? which enacted this (?P<enacted>\w+),? (?:is effective|(?:took|takes) effect)(?: on)?"
    rf"|,? ma(?:kes?|de) this (?P<made>\w+) effective) (?P<second>{DAY})(?:, in accordance with [^;,]+)?\."
)
"""The whole of a note that states one day of one provision, such as `Section effective Oct. 1, 1978, see
section 28 of Pub. L. 95-405, set out as a note under section 2 of this title.` or
`Section 7, ch. 78, SLA 2014 makes this section effective January 1, 2015.`"""


def day_of(words: str) -> date | None:
    """Return the day that words of the form `DAY` name; None where it is misspelt or no day."""
    match = _PARTS_OF_A_DAY.fullmatch(words)
    if match is None:
        return None
    month = match["month"].lower()
    number = _MONTHS.index(month[:3]) + 1 if month[:3] in _MONTHS else 0
    if not number or not (_FULL_MONTHS[number - 1] == month or month in (*_MONTHS, "sept")):
        return None
    try:
        return date(int(match["year"]), number, int(match["day"]))
    except ValueError:
        return None


def stated_in_notes(provisions: Sequence[Provision]) -> tuple[Provision, ...]:
    """Return provisions, those in force with the day that their notes state where nothing else stated one."""
    return tuple(
        replace(provision, effective=effective_of_notes(provision.level, provision.notes))
        if provision.notes and provision.status == IN_FORCE and provision.effective == NOT_STATED
        else provision
        for provision in provisions
    )


def effective_of_notes(level: str, notes: Sequence[Note]) -> Effective:
    """Return what the one note on its effective date says of the whole of a provision of this level."""
    own = [note.text for note in notes if (note.heading or note.topic).casefold() in _TOPICS]
    match = _NOTE.fullmatch(own[0]) if len(own) == 1 else None
    if match is None or (match["named"] or match["enacted"] or match["made"]).lower() != level:
        return NOT_STATED
    start = day_of(match["first"] or match["second"])
    return NOT_STATED if start is None else Effective(start, None, own[0])

"""Parts that a sentence designates itself, which no outline holds: `means (1) a doctor, (2) a dentist`."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from serving.contract.citations.pins import ORDINALS

_TOKEN = re.compile(r"(?<![\w)§])\((\d{1,3}|[A-Za-z]{1,5})\)(?= ?[\w“\"(\[])")
"""A designator that begins a clause; one that is attached to a number or another is part of a citation."""
_NAMED = re.compile(
    r"(?:sub)?(?:section|division|paragraph|clause|item|chapter|part|title)s? ?(?:\([^()\s]{1,6}\) ?)+"
    r"(?:(?:[,;] ?(?:and |or )?| and | or | through | to |[-–—])(?:\([^()\s]{1,6}\) ?)+)*",
    re.IGNORECASE,
)
"""Parts that are cited and not set out: `paragraphs (1) and (2)`."""
_ORDINAL_HEAD = re.compile(r"^(?P<label>[A-Z][a-z]+)(?=[.:,]| ?[—-])", re.MULTILINE)
_SPELLED_OUT = re.compile(
    r"(?i:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty(?:-[a-z]+)?"
    r"|hundred|thousand|million)) ?\Z"
)
"""End of a text before a number that repeats a word: `ten (10) days`."""
_WORD = 24
_ROMANS = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    *("XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX"),
)
_SERIES = (
    tuple(str(number) for number in range(1, 100)),
    tuple(ascii_lowercase),
    tuple(ascii_uppercase),
    tuple(number.lower() for number in _ROMANS),
    _ROMANS,
)


class Clause(NamedTuple):
    """Characters [start, end) of a text that bear a label within a sentence."""

    label: str
    start: int
    end: int


def clauses_beside(text: str, start: int, end: int, label: str, *, after: str | None = None) -> list[Clause]:
    """Return the clauses of the series of a label that [start, end) of a text sets out, in their order.

    They must follow one another from the first on (`(1)`, `(2)`, `(3)`), be two at least, and each stand
    there once: anything else may be a citation, or the clauses of another part.

    Args:
        text: the text.
        start: of the part that holds them, behind its own label.
        end: of that part, or of its words before the first part that has lines of its own.
        label: the label; `(i)` is a letter where letters stand before it, else a Roman number.
        after: label of the part that [start, end) is, where its last sentence goes on with the next parts.
    """
    found: dict[str, list[int]] = {}
    for name, position in _tokens(text[start:end]):
        found.setdefault(name, []).append(start + position)
    for series in _SERIES:
        first = 0 if after is None else series.index(after) + 1 if after in series else len(series)
        chain = list(takewhile(found.__contains__, series[first:]))
        begins = [found[name][0] for name in chain]
        is_set_out = len(chain) > (after is None) and sorted(begins) == begins
        is_plain = all(len(found[name]) == 1 for name in chain) and found.keys().isdisjoint(series[:first])
        if label in series and is_set_out and is_plain:
            return [Clause(*clause) for clause in zip(chain, begins, [*begins[1:], end], strict=True)]
    return []


def labels_before(label: str) -> list[str]:
    """Return the labels that may stand before one in its series, the nearest first."""
    return [before for series in _SERIES if label in series for before in series[: series.index(label)][::-1]]


def labels_between(first: str, last: str) -> list[str]:
    """Return the labels of a series from one to another; empty where they are of none."""
    for series in _SERIES:
        if first in series and last in series:
            return list(series[series.index(first) : series.index(last) + 1])
    return []


def paragraph_headed(text: str, ordinal: str) -> Clause | None:
    """Return the paragraph that begins with an ordinal: `Seventh. To exercise`."""
    heads = [head for head in _ORDINAL_HEAD.finditer(text) if head.group("label") in ORDINALS]
    own = [place for place, head in enumerate(heads) if head.group("label") == ordinal]
    if len(own) != 1:
        return None
    behind = heads[own[0] + 1 :]
    end = behind[0].start() if behind else len(text)
    return Clause(ordinal, heads[own[0]].start(), len(text[:end].rstrip()))


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield the designators in a text, without those of parts that are cited."""
    cited = [match.span() for match in _NAMED.finditer(text)]
    begins = [begin for begin, _ in cited]
    for match in _TOKEN.finditer(text):
        around = bisect_right(begins, match.start()) - 1
        is_cited = around >= 0 and cited[around][1] > match.start()
        if not is_cited and not _SPELLED_OUT.search(text, max(0, match.start() - _WORD), match.start()):
            yield match.group(1), match.start()

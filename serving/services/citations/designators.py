"""Parts that a sentence designates itself, which no outline holds: `means (1) a doctor, (2) a dentist`."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from serving.contract.citations.label_series import PLACES, SERIES
from serving.contract.citations.lists import same_form
from serving.contract.citations.pins import ORDINALS

_TOKEN = re.compile(r"(?<![\w)§])\((\d{1,3}|[A-Za-z]{1,5})\)(?= ?[\w“\"(\[])")
"""A designator that begins a clause; one that is attached to a number or another is part of a citation."""
_LABELS = re.compile(r"(?P<first>\([^()\s]{1,6}\))(?: ?\([^()\s]{1,6}\))*")
_NAMED = re.compile(r"(?:section|division|paragraph|clause|item|chapter|part|title)s? ?\Z", re.IGNORECASE)
"""Words before a part that is cited and not set out: `paragraph (1)`."""
_ANOTHER = re.compile(
    r"(?:[,;] ?(?:and |or )?| (?:and|or|through|to) |[-–—])(?P<next>\([^()\s]{1,6}\))(?: ?\([^()\s]{1,6}\))*"
)
"""Another one, in a list: ` and (2)`."""
_ORDINAL_HEAD = re.compile(r"^(?P<label>[A-Z][a-z]+)(?=[.:,]| ?[—-])", re.MULTILINE)
_SPELLED_OUT = re.compile(
    r"(?i:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?"
    r"|hundred|thousand|million)) ?\Z"
)
"""End of a text before a number that repeats a word: `ten (10) days`."""
_WORD = 24


class Clause(NamedTuple):
    """Characters [start, end) of a text that bear a label within a sentence."""

    label: str
    start: int
    end: int


class Designators:
    """Designators within the sentences of one text; those of a part are looked for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[tuple[int, int], dict[str, list[int]]] = {}

    def clauses_beside(self, start: int, end: int, label: str, *, after: str | None = None) -> list[Clause]:
        """Return the clauses of the series of a label that [start, end) of the text sets out, in their order.

        They must follow one another from the first on (`(1)`, `(2)`, `(3)`), be two at least, and each stand
        there once: anything else may be a citation, or the clauses of another part.

        Args:
            start: of the part that holds them, behind its own label.
            end: of that part, or of its words before the first part that has lines of its own.
            label: the label; `(i)` is a letter where letters stand before it, else a Roman number.
            after: label of the part that [start, end) is, where its last sentence goes on in the next parts.
        """
        found = self._places(start, end)
        for series, _ in PLACES.get(label, ()) if found else ():
            first = 0 if after is None else series.index(after) + 1 if after in series else len(series)
            chain = list(takewhile(lambda name: len(found.get(name, ())) == 1, series[first:]))
            begins = [found[name][0] for name in chain]
            behind = [place for name in series[first + len(chain) :][:1] for place in found.get(name, ())]
            begins.append(min((place for place in behind if begins and place > begins[-1]), default=end))
            is_set_out = len(chain) > (after is None) and sorted(begins) == begins
            if is_set_out and found.keys().isdisjoint(series[:first]):
                return [Clause(*clause) for clause in zip(chain, begins, begins[1:], strict=False)]
        return []

    def _places(self, start: int, end: int) -> dict[str, list[int]]:
        """Return the positions of each designator in characters [start, end) of the text."""
        if (start, end) not in self._known:
            found = self._known[start, end] = {}
            within = self._text[start:end]
            for name, position in _tokens(within) if "(" in within else ():
                found.setdefault(name, []).append(start + position)
        return self._known[start, end]


def labels_before(label: str) -> list[str]:
    """Return the labels that may stand before one in its series, the nearest first."""
    return [before for series, place in PLACES.get(label, ()) for before in series[:place][::-1]]


def labels_between(first: str, last: str) -> list[str]:
    """Return the labels of a series from one to another; empty where they are of none."""
    for series in SERIES:
        if first in series and last in series:
            return list(series[series.index(first) : series.index(last) + 1])
    return []


def paragraph_headed(text: str, ordinal: str) -> Clause | None:
    """Return the paragraph that begins with an ordinal: `Seventh. To exercise`."""
    own = [clause for clause in paragraphs_headed(text) if clause.label == ordinal]
    return own[0] if len(own) == 1 else None


def paragraphs_headed(text: str) -> list[Clause]:
    """Return the paragraphs of a text that begin with ordinals, in their order."""
    heads = [head for head in _ORDINAL_HEAD.finditer(text) if head.group("label") in ORDINALS]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        Clause(head.group("label"), head.start(), len(text[:end].rstrip()))
        for head, end in zip(heads, ends, strict=False)
    ]


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield the designators in a text, without those of parts that are cited."""
    tokens = list(_TOKEN.finditer(text))
    cited = list(_cited(text)) if tokens else []
    begins = [begin for begin, _ in cited]
    for match in tokens:
        label, start = match.group(1), match.start()
        around = bisect_right(begins, start) - 1
        is_cited = around >= 0 and cited[around][1] > start
        is_word = label.isdigit() and _SPELLED_OUT.search(text, max(0, start - _WORD), start)
        if not (is_cited or is_word):
            yield label, start


def _cited(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of cited parts, with those of one form behind them: not `subsection (b), and (B)`."""
    for match in _LABELS.finditer(text):
        if _NAMED.search(text, max(0, match.start() - _WORD), match.start()) is None:
            continue
        end = match.end()
        while (another := _ANOTHER.match(text, end)) and same_form(
            match.group("first").strip("()"), another.group("next").strip("()")
        ):
            end = another.end()
        yield match.start(), end

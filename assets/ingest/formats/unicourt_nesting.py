"""Outline of a UniCourt provision where its lists are not as the law nests them.

The publisher's program loses its way in deep lists: the fifth level begins a list of its own beside the
first, the numeral below `(h)(1)(A)` stands where the letter after `h` would, and lists go to the subsection
before the one that introduces them. A part whose place is certain all the same gets it; others are uncertain.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from assets.ingest.formats.unicourt_self_names import named_otherwise
from serving.contract.records import Outline

_LABEL = re.compile(r"\(([^()]+)\)")
_FIRST = frozenset({"a", "A", "1", "i", "I"})
_AMONG_LETTERS = frozenset({"i", "I"})
_ARTICLE = re.compile(
    r"^(?:ARTICLE|Article|Art\.) (?:\d{1,3}|[IVXLC]{1,7})\b(?![^\n]*[,;]$)[^\n]{0,90}$", re.MULTILINE
)
"""Heading of an article of a compact: below it labels start anew."""
_HEADS_COLUMNS = re.compile(r"\(([A-Za-z1-9])\) ?\(([A-Za-z1-9])\)")

Span = tuple[int, int]
"""Start and end of a list in a text."""


def settled(text: str, parts: Sequence[Outline], lists: Sequence[Span]) -> tuple[Outline, ...]:
    """Return the parts of a text with what is certain of their places.

    Args:
        text: of the provision.
        parts: as its lists or its words nest them, in order of their start, parents before children.
        lists: those that stand in no other, in order.
    """
    article = _ARTICLE.search(text)
    single = article.start() if article else len(text)
    doubtful = {part.start for part in parts if part.start >= single or _heads_columns(text, part)}
    doubtful |= _numerals_among_letters(text, parts) | _away_from_their_introduction(text, parts, lists)
    placed = _below_what_introduces_them(text, [part for part in parts if part.start < single])
    placed += [part for part in parts if part.start >= single]
    doubtful |= _counted_anew(placed) | named_otherwise(text, placed)
    times = Counter(part.label for part in placed)
    return tuple(
        replace(part, uncertain=part.uncertain or part.start in doubtful or times[part.label] > 1)
        for part in placed
    )


def cut_to_lists(parts: Iterable[Outline], lists: Sequence[Span]) -> tuple[Outline, ...]:
    """Return parts that end with the list they begin in, unless parts of theirs follow it.

    Where designators are lost, the paragraphs after a list are as likely its next members as its last one's.

    Args:
        parts: as the words nest them.
        lists: those that stand in no other, in order.
    """
    cut: list[Outline] = []
    for part in reversed(list(parts)):
        end = next((end for start, end in lists if start <= part.start < end), part.end)
        below = (own.end for own in cut if part.start < own.start < part.end)
        cut.append(replace(part, end=min(part.end, max(end, *below, part.start + 1))))
    return tuple(reversed(cut))


def _below_what_introduces_them(text: str, parts: Sequence[Outline]) -> list[Outline]:
    """Return the parts with a list of another style than the outermost one below the words that introduce it.

    Where no words do so directly before it, it is uncertain.
    """
    placed: list[Outline] = []
    holding: list[int] = []
    for part in parts:
        label = _labels(part)[0]
        if _may_be_of(_labels(parts[0])[0], label):
            holding = []
            placed.append(part)
            continue
        if not holding and label in _FIRST and _is_introduced(text, part):
            holding = [at for at, own in enumerate(placed) if own.end == part.start - 1]
        if not holding or placed[holding[-1]].uncertain:
            placed.append(replace(part, uncertain=True))
            continue
        for at in holding:
            placed[at] = replace(placed[at], end=part.end)
        placed.append(replace(part, label=placed[holding[-1]].label + part.label))
    return placed


def _may_be_of(first: str, label: str) -> bool:
    """Return whether a label may be of the style of the first one: `i` is a letter, too."""
    if first[0].isdigit() or label[0].isdigit():
        return first[0].isdigit() and label[0].isdigit()
    return first[0].islower() == label[0].islower()


def _numerals_among_letters(text: str, parts: Sequence[Outline]) -> set[int]:
    """Return the starts of each `(i)` that words within the part before introduce, and of what it holds."""
    found: set[int] = set()
    for before, part in pairwise(parts):
        labels = _labels(part)
        if labels[-1] in _AMONG_LETTERS and len(_labels(before)) > len(labels) and _is_introduced(text, part):
            found |= {own.start for own in parts if part.start <= own.start < part.end}
    return found


def _away_from_their_introduction(text: str, parts: Sequence[Outline], lists: Sequence[Span]) -> set[int]:
    """Return the starts of parts that a list put below a part that introduces none.

    They are those of the next, which stands after the list and introduces parts that do not follow it.
    """
    found: set[int] = set()
    for index, part in enumerate(parts):
        within = [own for own in parts[index + 1 :] if own.start < part.end]
        after = parts[index + 1 + len(within) :]
        if (
            within
            and len(after) > 1
            and _is_within(part.start, lists)
            and not _is_within(after[0].start, lists)
            and _line_of(text, part).endswith(".")
            and _lacks_its_own(text, after[0], after[1])
        ):
            found |= {own.start for own in within}
    return found


def _lacks_its_own(text: str, part: Outline, following: Outline) -> bool:
    """Return whether a part introduces others, and one that is none of them follows at once."""
    line = _line_of(text, part)
    at_once = following.start == part.start + len(line) + 1 and following.start >= part.end
    return at_once and (line[-1] == ":" or line[-1].isalnum())


def _is_within(start: int, lists: Sequence[Span]) -> bool:
    return any(first <= start < last for first, last in lists)


def _counted_anew(parts: Sequence[Outline]) -> set[int]:
    """Return the starts of parts of one that are counted twice from the first on, and of what they hold.

    A first label that follows itself at once is another version of it, and none of several lists.
    """
    within: dict[int, list[Outline]] = {}
    latest: dict[str, int] = {}
    for part in parts:
        *above, _ = _labels(part)
        within.setdefault(latest.get("".join(f"({one})" for one in above), -1), []).append(part)
        latest[part.label] = part.start
    found: set[int] = set()
    for members in within.values():
        labels = [_labels(member)[-1] for member in members]
        if any(
            label in _FIRST - _AMONG_LETTERS and label in labels[:at] and label != labels[at - 1]
            for at, label in enumerate(labels)
        ):
            found |= {
                own.start for member in members for own in parts if member.start <= own.start < member.end
            }
    return found


def _heads_columns(text: str, part: Outline) -> bool:
    """Return whether a designator is that of a column, and the next column's follows it: `(A) (B) Wages`."""
    match = _HEADS_COLUMNS.match(text, part.start)
    return match is not None and ord(match[2]) == ord(match[1]) + 1


def _is_introduced(text: str, part: Outline) -> bool:
    return text.endswith(":\n", 0, part.start)


def _line_of(text: str, part: Outline) -> str:
    end = text.find("\n", part.start)
    return text[part.start : end if end >= 0 else len(text)]


def _labels(part: Outline) -> list[str]:
    return _LABEL.findall(part.label)

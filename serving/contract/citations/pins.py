"""Pin cites: labels such as `(a)(1)(A)`, their ranges and lists, and parts that are cited in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from serving.contract.citations.lists import ends_plainly, natural_key, same_form
from serving.contract.citations.source import SourceText
from serving.contract.citations.wrapped_lines import ends_citation, goes_on_in_line

ORDINALS = (
    *("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"),
    *("Eleventh", "Twelfth", "Thirteenth", "Fourteenth", "Fifteenth", "Sixteenth", "Seventeenth"),
    *("Eighteenth", "Nineteenth", "Twentieth"),
)
WORD_LABEL = rf"(?:{'|'.join(ORDINALS)}|subd\. \d)"
"""Beginning of a label that follows a comma instead of standing in parentheses."""

_ANY = "|".join(ORDINALS)
_SUBDIVISION = re.compile(r",? {0,2}subd(?:\.|ivision) ?(\d{1,3}[a-z]?)(?![0-9a-z])", re.ASCII)
_ONE = re.compile(rf",? {{0,2}}\(?({_ANY})(?![a-z])\)?", re.ASCII | re.IGNORECASE)
_NEXT = re.compile(rf",? ?(?:and |or |& ?)?(?=\(?(?:{_ANY})(?![a-z]))", re.ASCII | re.IGNORECASE)
_OF_OR_TO = re.compile(r" (?:of|to) ")
_MAX_ORDINALS = 20

_MAX_LABELS = 12
_ROMAN = re.compile(r"[ivx]{2,}|[IVX]{2,}")
_ROMAN_LETTERS = re.compile(r"[ivxl]+|[IVXL]+")
_BODY = r"(?:\d{1,3}[a-z]{0,2}|([a-z])\1{0,3}|[ivxl]{1,7}|[a-z]{1,2}-(?:\d{1,2}|[ivx]{1,4})"
_BODY += r"|\d{1,3}[a-z]{1,2}-(?:\d{1,2}|[ivx]{1,4}|[a-z])|\d{1,3}-[a-z]"
_BODY += r"|\d{1,3}\.\d{1,2}|[a-z]\.?\d{1,2})"
"""Of a label; one that was put between others is `(1.5)`, `(b.1)` or `(b1)`."""
GLUED_PIN = r"(?<=\d)(?=[a-z]\d{1,2}(?![0-9a-z]|[-.:/]\d))"
"""End of a number that a letter and figures follow, all glued: `501c3`, in folded text."""
_GLUED = re.compile(r"(?<=\d)([a-z])(\d{1,2})(?![0-9a-z])", re.ASCII)
_GLUED_FIGURES = re.compile(r"(?<=[a-z]\))\d{1,2}(?![0-9a-z]|[-.:/]\d)", re.ASCII)
"""Figures behind a letter that has the parentheses alone: `501(c)3`."""
_LABEL = re.compile(rf" ?\( {{0,9}}({_BODY.replace(chr(92) + '1', chr(92) + '2')}) {{0,9}}\)", re.ASCII)
"""A label with its parentheses; marks of layout within them are blanks: `(<i>a</i>)`."""
_WORDS = re.compile(
    r",? (?:at )?(?P<word>subdivisions?|subsections?|subsecs?\.|subds?\.|(?:sub-?)?paragraphs?"
    r"|(?:sub)?paras?\.|(?:sub)?pars?\.|(?:sub)?clauses?|cls?\.|subparts?|items?)"
    r" ?(?=\()"
)
_DEEPER = re.compile(
    r",? {1,2}(?P<word>(?:sub-?)?(?:paragraph|clause)s?|(?:sub)?(?:para|par)s?\.|cls?\.|items?) ?(?=\()"
)
"""Word before labels that go on with those before them: `subsection (e), paragraph (2)`."""
_DEPTHS = {"sub": 0, "par": 1, "subpar": 2, "subpart": 0, "cl": 3, "subcl": 4, "item": 5}
"""Depths of the parts that words of these beginnings name."""
_OF = re.compile(r" (?:of|in) ")
_RANGE = re.compile(r"(?: {0,2}- {0,2}| ?(?:to|through|thru) ?)(?=\()")
_AND = re.compile(r"(?:, ?(?:and |or |& ?)?| (?:and|or|&) )(?:(?:sub)?(?:section|paragraph)s? )?(?=\()")

_OUTERMOST = "subsection"

BARE_PIN = r"(?=(?:[a-z]|\.(?:[a-z]{1,4}|[1-9]\d?))(?![0-9a-z]))"
"""End of a number that a label follows without parentheses, in folded text."""
_BARE_LABEL = r"[A-Z]{1,2}|[a-z]{1,4}|[1-9]\d?"
_BARE_FIRST = re.compile(rf"(?:([A-Za-z])|\.({_BARE_LABEL}))(?![0-9A-Za-z])", re.ASCII)
_BARE_DEEPER = re.compile(rf"\.({_BARE_LABEL})(?![0-9A-Za-z])", re.ASCII)
_BARE_RANGE = re.compile(rf"{_RANGE.pattern}| ?- ?(?=[a-z](?![0-9a-z]))")
_BARE_AND = re.compile(
    rf"{_AND.pattern}|(?:, ?(?:and |or |& ?)?| (?:and|or|&) )"
    r"(?=[a-z](?:[(,.;:)]|\Z| (?:and|or|of)(?![a-z])))"
)


class Ordinal(NamedTuple):
    """One part that is cited in words, over [start, end) of the text."""

    word: str
    start: int
    end: int


def read_ordinals(source: SourceText, position: int) -> list[Ordinal]:
    """Return the parts cited in words after a number; empty where there are none.

    With a noun after them they are no parts: `§ 1983, First and Fourteenth Amendments`.
    """
    subdivision = _SUBDIVISION.match(source.folded, position)
    if subdivision is not None:
        return [Ordinal(f"subd. {subdivision.group(1)}", subdivision.start(1), subdivision.end())]
    found: list[Ordinal] = []
    while len(found) < _MAX_ORDINALS:
        match = _ONE.match(source.folded, position)
        if match is None:
            break
        found.append(Ordinal(match.group(1).capitalize(), match.start(1), match.end()))
        following = _NEXT.match(source.folded, match.end())
        position = following.end() if following else match.end()
    if not found:
        return []
    end = found[-1].end
    capital = all(source.original[ordinal.start].isupper() for ordinal in found)
    whole = capital and (ends_plainly(source, end) or _OF_OR_TO.match(source.folded, end) is not None)
    return found if whole or end == len(source) else []


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin cite over [start, end) of the text; `through`: the last labels of a range, else empty."""

    labels: tuple[str, ...]
    through: tuple[str, ...]
    start: int
    end: int


def is_label(text: str) -> bool:
    """Return True for text that is a label when it stands in parentheses: `a`, `12`, `iii`."""
    return _LABEL.fullmatch(f"({text.lower()})") is not None


def read_labels(source: SourceText, position: int) -> tuple[tuple[str, ...], int]:
    """Return the labels that begin at a position, at most a space apart, and the position after them."""
    glued = _GLUED.match(source.folded, position)
    labels = list(glued.groups()) if glued else []
    position = glued.end() if glued else position
    while len(labels) < _MAX_LABELS:
        match = _LABEL.match(source.folded, source.behind_layout(position))
        if match is None and labels and (figures := _GLUED_FIGURES.match(source.folded, position)):
            labels.append(figures.group())
            position = figures.end()
            continue
        if match is None or not goes_on_in_line(source, position, source.folded.index("(", match.start())):
            break
        labels.append(source.hyphenated(match.start(1), match.end(1)))
        position = match.end()
    return tuple(labels), position


def read_bare_labels(source: SourceText, position: int) -> tuple[tuple[str, ...], int]:
    """Return the labels that begin at a position, with parentheses or not, and the position after them.

    `A(1)(b)` and `.B.6` follow a number at once.
    """
    match = _BARE_FIRST.match(source.original, position)
    if match is None:
        return read_labels(source, position)
    labels = [match.group(match.lastindex or 0)]
    position = match.end()
    while len(labels) < _MAX_LABELS and (match := _BARE_DEEPER.match(source.original, position)):
        labels.append(match.group(1))
        position = match.end()
    deeper, end = read_labels(source, position)
    return (*labels, *deeper), end


def is_bare_pin(text: str) -> bool:
    """Return True for text that is a pin cite when it follows a number: `A(1)`, `.B.6`."""
    source = SourceText.of(text)
    labels, end = read_bare_labels(source, 0)
    return bool(labels) and end == len(source)


_BRACKETED = read_labels, _RANGE, _AND
_BARE = read_bare_labels, _BARE_RANGE, _BARE_AND


def read_pins(source: SourceText, position: int, *, bare: bool = False) -> list[Pin]:
    """Return the pin cites after a number: three for `(a)(1)-(3), (b) and (c)`; empty where there is none.

    Args:
        source: the text.
        position: end of the number.
        bare: the first label may stand without parentheses.
    """
    ordinals = read_ordinals(source, position)
    if ordinals:
        return [_of_ordinal(source, ordinal) for ordinal in ordinals]
    read, to, joined = _BARE if bare else _BRACKETED
    words = _WORDS.match(source.folded, position)
    begin = words.end() if words else position
    pins: list[Pin] = []
    previous: tuple[str, ...] = ()
    while len(pins) < _MAX_LABELS:
        labels, end = read(source, begin)
        if not labels:
            break
        if pins:
            labels = _beside(previous, labels)
            if not labels:
                break
        labels, end = _with_deeper(source, labels, end, depth=_depth(words.group("word")) if words else -1)
        through: tuple[str, ...] = ()
        ranged = to.match(source.folded, end)
        # A dash that ends a line opens a list of paragraphs: `section 3306(b)(1)—`, below it `(1) ...`.
        if ranged and goes_on_in_line(source, end, ranged.end()):
            last, after = read(source, ranged.end())
            through = _beside(labels, last)
            if through:
                end = after
        pins.append(Pin(labels, through, begin, end))
        previous = labels
        following = joined.match(source.folded, end)
        if following is None or not goes_on_in_line(source, end, following.end()):
            break
        begin = following.end()
    # `§ 107, subsection (a) of this section`: the words begin something else.
    return [] if words and pins and _OF.match(source.folded, pins[-1].end) else pins


def _with_deeper(
    source: SourceText, labels: tuple[str, ...], end: int, *, depth: int
) -> tuple[tuple[str, ...], int]:
    """Return labels with those of parts in them that are named behind: `(e), paragraph (2), clause (i)`.

    Args:
        source: the text.
        labels: the labels before.
        end: position behind them.
        depth: of the word before them; -1 where none is.
    """
    while (word := _DEEPER.match(source.folded, end)) and goes_on_in_line(source, end, word.end()):
        deeper, behind = read_labels(source, word.end())
        inner = _depth(word.group("word"))
        if not deeper or same_form(labels[-1], deeper[0]) or inner <= depth:
            break
        if _OF.match(source.folded, behind):
            break
        labels, end, depth = labels + deeper, behind, inner
    return labels, end


def _depth(word: str) -> int:
    """Return the depth of a part that a word names: 0 for a subsection, 1 for a paragraph."""
    begins = (begin for begin in _DEPTHS if word.replace("-", "").startswith(begin))
    return _DEPTHS[max(begins, key=len)]


def _of_ordinal(source: SourceText, ordinal: Ordinal) -> Pin:
    comma = source.folded.startswith(", (", ordinal.end) and ends_citation(source, ordinal.end + 2)
    labels, end = read_labels(source, ordinal.end + 1 if comma else ordinal.end)
    return Pin((ordinal.word, *labels), (), ordinal.start, end)


def _beside(before: tuple[str, ...], labels: tuple[str, ...]) -> tuple[str, ...]:
    """Complete labels from earlier ones: `(3)` after `(a)(1)` is `(a)(3)`; empty if their forms differ."""
    if not labels:
        return ()
    alike = [depth for depth in reversed(range(len(before))) if _are_alike(before[depth], labels[0])]
    # Lists rise: `(a)(1)(A)(i), (b)` goes on with (b), for no (b) stands behind an (i).
    rising = [depth for depth in alike if natural_key(labels[0]) > natural_key(before[depth])]
    equal = [depth for depth in alike if len(labels) > 1 and labels[0] == before[depth]]
    depths = rising or equal or alike
    return before[: depths[0]] + labels if depths else ()


def _are_alike(before: str, label: str) -> bool:
    """Return True for labels of one form: `section 403(b) or (ii) the amount`: (ii) follows (i), not (b)."""
    if not same_form(before, label):
        return False
    several = _ROMAN.fullmatch(before) or _ROMAN.fullmatch(label)
    return not several or all(_ROMAN_LETTERS.fullmatch(one) for one in (before, label))


class Part(NamedTuple):
    """One labelled part of a section over [start, end) of its text; labels outermost first."""

    labels: tuple[str, ...]
    start: int
    end: int


def complete_labels(outline: Sequence[Part], position: int, word: str, pins: Sequence[Pin]) -> list[Pin]:
    """Complete pin cites of parts named alone, by the section's outline: `paragraph (2)` in (b) is (b)(2).

    Args:
        outline: outline of the section.
        position: position in the section's text at which the parts are named.
        word: before the labels, such as `paragraphs`.
        pins: the pin cites as they are written.

    Returns:
        The pin cites with all their labels; empty where the outline fits several or none.
    """
    known = {part.labels for part in outline}
    around = max((p.labels for p in outline if p.start <= position < p.end), key=len, default=())
    depths = (0,) if word.startswith(_OUTERMOST) else range(len(around) + 1)
    holders = [
        around[:depth]
        for depth in depths
        if all(
            around[:depth] + labels in known for pin in pins for labels in (pin.labels, pin.through) if labels
        )
    ]
    if len(holders) != 1:
        return []
    held = holders[0]
    return [
        replace(pin, labels=held + pin.labels, through=pin.through and held + pin.through) for pin in pins
    ]

"""Reconcile the references that a source marks up with what its words say.

Markup is made by hand or by machine, and now and then names another provision than the words that it stands
on. What is returned must be right, so the words go first: they are what the law says. Where they lead nowhere
and the markup leads elsewhere, neither is trusted.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assets.citations.references import Reference
from serving.contract.citations import Citation
from serving.contract.citations.citation import CONTAINER, POPULAR_NAME, UNKNOWN_CODE
from serving.contract.citations.pins import is_bare_pin
from serving.contract.records import FROM_MARKUP

CONTRADICTION = "contradiction"
"""The words name something that is not held or does not exist, and the markup names another provision."""

_NUMBER = re.compile(r"(?<![(\w.:-])\d[\w.:-]*\w|(?<![(\w.:-])\d")
_THIS = re.compile(r"this ([a-z]+)", re.IGNORECASE)
_LOOSE_HYPHEN = re.compile(r"(?<=\d)(?:- | -)(?=\d)")
"""Hyphen within a number that a blank was left beside: `5- 204.9`."""


class WordReference(NamedTuple):
    """A citation that was read from the words, as a reference; `implicit`: it names no title."""

    citation: Citation
    implicit: bool
    reference: Reference


class MarkedReference(NamedTuple):
    """A reference that is marked up.

    Attributes:
        reference: where it leads.
        num: of the section that it names; None where it names none.
        bare_pins: labels may follow that number without parentheses.
        within: position of the provision that it stands in.
    """

    reference: Reference
    num: str | None
    bare_pins: bool = False
    within: int = -1


class Reconciled(NamedTuple):
    """All references of one text, and those marked up that the words contradict."""

    references: list[Reference]
    contradicted: list[Reference]


class Holdings(NamedTuple):
    """The hierarchy by position: parents, -1 at the top; True for a section or rule; words for the levels."""

    parents: Sequence[int]
    citable: Sequence[bool]
    levels: Sequence[str]

    def holds(self, outer: int | None, inner: int | None) -> bool:
        """Return True where one provision is the other, or stands within it."""
        position = -1 if inner is None else inner
        while position >= 0 and position != outer:
            position = self.parents[position]
        return position >= 0 and position == outer

    def around(self, inner: int, level: str) -> int | None:
        """Return the nearest of a level that a provision is or stands in; None where there is none."""
        position = inner
        while position >= 0:
            if self.levels[position] == level or (level == "section" and self.citable[position]):
                return position
            position = self.parents[position]
        return None


def reconcile(
    text: str, marked: Iterable[MarkedReference], words: Sequence[WordReference], holdings: Holdings
) -> Reconciled:
    """Return the references of a text, in order, none over another.

    Args:
        text: of the provision.
        marked: references that the source marks up.
        words: citations read from the text, in order, none over another.
        holdings: of the selection.
    """
    kept: list[Reference] = []
    contradicted: list[Reference] = []
    free = list(words)
    for mark in sorted(marked, key=lambda mark: mark.reference.start):
        if _lies_on(mark.reference, kept):
            continue  # the words that it stands on are a reference already
        beside = [word for word in free if _lies_on(word.reference, [mark.reference])]
        # A code that nobody listed may be the publisher's own: `chapter 1.10 of the Municipal Code`.
        said = [
            word
            for word in beside
            if not (word.implicit and word.reference.target != mark.reference.target)
            and word.citation.kind != UNKNOWN_CODE
        ]
        ruling = _judge(text, mark, said, holdings)
        free = [word for word in free if word not in beside]
        if ruling.contradicts:
            contradicted.append(mark.reference)
        kept += _agreed(mark, said) if ruling.words else [ruling.reference]
    kept += [word.reference for word in free if not _lies_on(word.reference, kept)]
    return Reconciled(sorted(kept, key=lambda reference: reference.start), contradicted)


class _Ruling(NamedTuple):
    """The decision between a marked reference and the words that it stands on.

    Attributes:
        words: the references of the words are kept; otherwise `reference` is.
        reference: the marked one, as far as it is trusted.
        contradicts: markup and words name different provisions.
    """

    words: bool
    reference: Reference
    contradicts: bool = False


def _judge(text: str, mark: MarkedReference, said: Sequence[WordReference], holdings: Holdings) -> _Ruling:
    """Decide between a marked reference and the words that it stands on."""
    own = mark.reference
    if not said:
        wrong = _names_another(text, mark) or _leads_away(text, mark, holdings)
        return _Ruling(False, _distrusted(own, own.citation) if wrong else own, wrong)
    targets = {target for word in said for target in word.reference.members or (word.reference.target,)}
    if own.target is None or own.target in targets:
        return _Ruling(True, own)
    if all(target is None for target in targets):
        return _unled(own, said[0], holdings)
    # Words in part, such as `chapter 3` of `subchapter X of chapter 3`, do not contradict the whole.
    within = any(holdings.holds(target, own.target) for target in targets if target is not None)
    if within:
        return _Ruling(False, own)
    return _Ruling(True, own, not any(holdings.holds(own.target, target) for target in targets))


def _unled(own: Reference, word: WordReference, holdings: Holdings) -> _Ruling:
    """Decide where the markup leads to a provision, and the words lead nowhere."""
    if word.citation.note:
        return _Ruling(True, own)
    named = word.citation.kind in (CONTAINER, POPULAR_NAME)
    if named and own.target is not None and not holdings.citable[own.target]:
        return _Ruling(False, own)  # the words name a container, or an act, as nothing else does
    return _Ruling(False, _distrusted(own, word.reference.citation), True)


def _names_another(text: str, mark: MarkedReference) -> bool:
    """Return True where the marked words hold numbers, and none is that of the section that is named."""
    own = mark.reference
    if own.target is None or mark.num is None:
        return False
    words = text[own.start : own.end]
    numbers = [*_NUMBER.findall(words), *_NUMBER.findall(_LOOSE_HYPHEN.sub("-", words))]
    return bool(numbers) and not any(_is_number_of(mark, number) for number in numbers)


def _leads_away(text: str, mark: MarkedReference, holdings: Holdings) -> bool:
    """Return True where the words are `this chapter`, and the markup leads to another than they stand in."""
    own = mark.reference
    words = _THIS.fullmatch(text[own.start : own.end])
    meant = holdings.around(mark.within, words[1].lower()) if words is not None else None
    if meant is None or own.target is None:
        return False
    return not (holdings.holds(meant, own.target) or holdings.holds(own.target, meant))


def _is_number_of(mark: MarkedReference, number: str) -> bool:
    num = mark.num or ""
    if _plain(num) == _plain(number):
        return True
    return mark.bare_pins and number.lower().startswith(num.lower()) and is_bare_pin(number[len(num) :])


def _plain(number: str) -> str:
    return re.sub(r"[^0-9a-z]", "", number.lower())


def _distrusted(reference: Reference, written: str) -> Reference:
    return reference._replace(target=None, members=None, citation=written, reason=CONTRADICTION)


def _agreed(mark: MarkedReference, said: Sequence[WordReference]) -> Iterator[Reference]:
    """Yield the references of the words, as marked up where the markup names the same."""
    for word in said:
        same = word.reference.target == mark.reference.target
        yield word.reference._replace(origin=FROM_MARKUP) if same else word.reference


def _lies_on(reference: Reference, others: Iterable[Reference]) -> bool:
    return any(other.start < reference.end and reference.start < other.end for other in others)

"""Inflections of words: whether one whose ending a quotation changes in brackets is still the law's.

The forms are those of regular verbs and nouns. `claim[]` and `induce[d]` are words of the law in another
number, tense or person; `act[or]` is another word.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from serving.services.quotations.word_classes import LITTLE_WORDS, WordClass, classes_in

_HISSING = re.compile(r"(?:[sxz]|ch|sh)$")
"""End of a word to which the plural adds `es`, and never `s`."""
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_DOUBLING = re.compile(r"[aeiou][^aeiouwxy]$")
"""End of a word that may double its last letter: `permitted`."""
_SHORT = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
"""A word of one short syllable, which always doubles it: `stopped`."""
_HAVE = frozenset({"have", "has", "had", "having"})
_LEAST_LETTERS = 3
_LITTLE_VERBS = frozenset({"do", "go"})
_OTHER_WITH_ENDING = frozenset({"custom", "damage", "found", "good", "new", "saw", "specie"})
"""Words that an ending makes other words: `goods`, `news`, `founded`."""
_FIXED = frozenset({WordClass.CONDITION, WordClass.EXCEPTION, WordClass.MODAL, WordClass.NUMBER})
"""Classes of words that say another thing with every ending."""


def is_inflected(word: str, changed: str, *, before: str = "", behind: str = "") -> bool:
    """Return True where a changed word is the law's word, or another inflection of it.

    Args:
        word: of the law.
        changed: in its place in the quotation.
        before: what the law says before the word: with it the word may limit (`subject to`).
        behind: what it says behind it.
    """
    word, changed = word.casefold(), changed.casefold()
    if word == changed:
        return True
    if not any({word, changed} <= _forms(base) for base in _bases(_common(word, changed))):
        return False
    if (classes_in(word) | classes_in(changed)) & _FIXED or classes_in(word) != classes_in(changed):
        return False
    return classes_in(before + word + behind) == classes_in(before + changed + behind)


def _common(one: str, other: str) -> str:
    """Return the letters with which two words begin alike."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in alike)


def _bases(common: str) -> Iterator[str]:
    """Yield the words, as a dictionary has them, of which two words with a common beginning may be forms."""
    if common in ("ha", "hav"):
        yield "have"
    for base in (common, f"{common}e", f"{common}y", common[:-1], f"{common[:-1]}y"):
        is_other = base in LITTLE_WORDS or base in _OTHER_WITH_ENDING
        if base in _LITTLE_VERBS or (len(base) >= _LEAST_LETTERS and not is_other):
            yield base


def _forms(base: str) -> set[str]:
    """Return the inflections of `have`, or of a regular verb or noun."""
    if base == "have":
        return set(_HAVE)
    if base.endswith("e"):
        return {base, f"{base}s", f"{base}d", f"{base}ing" if base.endswith("ee") else f"{base[:-1]}ing"}
    if _CONSONANT_Y.search(base):
        return {base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"}
    forms = {base, f"{base}es" if _HISSING.search(base) else f"{base}s"}
    if base.endswith("o"):
        forms.add(f"{base}es")
    if _DOUBLING.search(base):
        forms |= {f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"}
    return forms if _SHORT.fullmatch(base) else forms | {f"{base}ed", f"{base}ing"}

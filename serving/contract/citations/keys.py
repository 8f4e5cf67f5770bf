"""Keys under which citations are stored and found: folded, and in the natural order of their numbers."""

import re
from collections.abc import Iterable

from serving.contract.citations.source import fold

_NUMBER = re.compile(r"([0-9]+)([a-z]*)")
_SPACES = re.compile(r" {2,}")
_MARK = "§ "
_INITIALS = re.compile(r"(?<![^\W_])(?:[a-z]\. ?){2,}")
_SECTION = re.compile(r"§+|(?<![^\W_])sec(?:t|s)?\.? ?(?=\d)")
_WORD = re.compile(r"[^\W_]+")
_ARTICLE = "the"
NAME_END = "\x1f"
"""Character behind a name in its keys: it sorts before a space, so before longer names."""


def citation_key(target: str) -> str:
    """Return the key of a canonical citation: equal for spellings that differ in case, dashes or spaces.

    Before each run of digits stands its length in two digits, and before letters that follow it theirs in
    one, so that the order of the keys as bytes is that in which the provisions are numbered: `§ 9` before
    `§ 10`, `§ 2000e` before `§ 2000e-1`, `§ 78z` before `§ 78aa`. A list or range (`§§ 1, 2`) is keyed with
    one sign, so that it stands among the sections.
    """
    folded = fold(target).strip()
    if "  " in folded:
        folded = _SPACES.sub(" ", folded)
    folded = folded.replace("§§ ", _MARK)
    return _NUMBER.sub(_counted, folded)


def key_head(key: str) -> str:
    """Return the part of a key before the number: that of a title's sections or of a set of rules."""
    before, mark, _ = key.rpartition(_MARK)
    if mark:
        return before + mark
    before, space, _ = key.rpartition(" ")
    return before + space


def container_key(target: str) -> str:
    """Return the key of a container that is cited by its number alone, as a section is: `COMAR 26.13.07`.

    It stands apart from those of sections, between which it is none.
    """
    return f"container {citation_key(target)}"


def act_section_key(law: str, num: str) -> str:
    """Return the key of a section in a law's own numbering, such as `Pub. L. 93-406, § 510`."""
    return citation_key(f"{law}, § {num}")


def words_of_name(text: str) -> list[str]:
    """Return the words by which a name of an act is found: `D.C. Veterans' Act` gives `dc veterans act`.

    Hyphens part words, dots of initials and apostrophes do not, and the article does not count.
    """
    plain = _SECTION.sub(" section ", fold(text)).replace("'", "").replace("&", " and ")
    plain = _INITIALS.sub(lambda initials: initials.group().replace(".", "").replace(" ", "") + " ", plain)
    return [word for word in _WORD.findall(plain) if word != _ARTICLE]


def act_name_key(words: Iterable[str], place: int | None = None) -> str:
    """Return the beginning of the keys of a name, or that of one of the places to which it leads.

    The places are counted as they are: no citation has such a key.
    """
    begun = f"act name {' '.join(words)}"
    return begun if place is None else f"{begun}{NAME_END}{place:02d}"


def is_key_of_name(key: str, begun: str) -> bool:
    """Return True for a key of the name itself, False for one of a longer name or of another."""
    return key.startswith(begun + NAME_END)


def elsewhere_key(words: Iterable[str], places: str | None = None) -> str:
    """Return the beginning of the key of a name of which no place is held, or the key with its places.

    The places are citations as they are shown, "" where none is known.
    """
    begun = f"act elsewhere {' '.join(words)}"
    return begun if places is None else f"{begun}{NAME_END}{places}"


def beside_key(words: Iterable[str], word: str) -> str:
    """Return the key that says that a name means its act beside a word."""
    return f"act beside {' '.join(words)}{NAME_END}{word}"


def _counted(number: re.Match[str]) -> str:
    digits, letters = number.groups()
    # Longer runs than can be counted are no numbers of the law; that they stay apart is enough.
    counted = f"{min(len(digits), 99):02d}{digits}"
    return f"{counted}{min(len(letters), 9)}{letters}" if letters else counted

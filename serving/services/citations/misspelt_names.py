"""Names of acts in which words are typed wrongly: with other letters, run together, parted or left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from serving.contract.citations.near_names import letters_changed
from serving.snapshot.store import Snapshot

_LEFT_OUT = ("and", "of", "for", "in", "to", "with", "on")
"""Words of names that people leave out."""
_DEEDS = "acts"
"""A word that means no law where it stands alone."""
_ACT = frozenset(("act", _DEEDS, "amendment", "amendments", "law", "laws", "statute", "statutes"))
"""Words that say that a law is named."""
_OFTEN = (
    "american america bill code district federal national program public rule section service state states "
    "title united us"
)
_COMMON = _ACT.union(_OFTEN.split(), _LEFT_OUT)
"""Words of so many names that they tell none of them from others."""
_SHORTEST, _LONGEST, _SHORTEST_PART = 4, 32, 3
"""Letters of the words that are taken for others, and of the shortest part of one that is parted."""
_SHORTEST_ALONE = 6
"""Letters of the shortest name of one word that is taken for another: abbreviations are alike."""
_OF_UNKNOWN, _OF_KNOWN = 3, 4
"""Letters of a word that no law has, and of one that some law has, for each letter that may differ."""
_MOST_CHANGES = 2
"""Most words of a name that are typed wrongly."""


@dataclass(frozen=True, slots=True)
class Misspelt:
    """The beginning of a query as the beginning of a name, or as a whole one.

    Attributes:
        name: words of the name.
        typed: words of the query that stand for them.
        changes: words that are typed wrongly; of a left out word none is.
        mistakes: those of them that no law has.
        letters: letters in which they differ.
        own: words that are as the name has them, and that few names have.
    """

    name: tuple[str, ...] = ()
    typed: int = 0
    changes: int = 0
    mistakes: int = 0
    letters: int = 0
    own: int = 0


class MisspeltNames:
    """Finds the names of acts that words of one query nearly are.

    A word is another one that is misspelt where no law has it, as `Lanhem`. A word of the language, as
    `lacy`, is one only within the name of an act which other words tell from all others: `davies bacon act`.

    Args:
        snapshot: the snapshot with the names.
        words: words of the query, as names have them.
    """

    def __init__(self, snapshot: Snapshot, words: Sequence[str]) -> None:
        self._table = snapshot.citations
        self._known = snapshot.name_words
        self._words = words
        self._unknown = [
            _may_change(word) and word not in self._known and not snapshot.keyword.knows_word(word)
            for word in words
        ]
        self._names_law = not _ACT.isdisjoint(words)

    def at(self, start: int) -> Misspelt | None:
        """Return the name that begins at a word of the query, the longest of the fewest changes.

        None where none does, or several that are as near.
        """
        if not self._names_law and not any(self._unknown[start:]):
            return None
        found = [one for one in self._from(Misspelt(), start) if _is_certain(one)]
        if not found:
            return None
        best = min(map(_farness, found))
        near = {one.name: one for one in found if _farness(one) == best}
        return next(iter(near.values())) if len(near) == 1 else None

    def _from(self, begun: Misspelt, start: int) -> Iterator[Misspelt]:
        """Yield the names that go on like this at a word of the query."""
        for longer in self._longer(begun, start):
            if not begun.name and longer.name[0] not in self._known.first:
                continue
            is_name, goes_on = self._table.begins_name(longer.name)
            if is_name:
                yield longer
            if goes_on:
                yield from self._from(longer, start)

    def _longer(self, begun: Misspelt, start: int) -> Iterator[Misspelt]:
        """Yield what the next word may stand for."""
        at = start + begun.typed
        if at >= len(self._words):
            return
        word = self._words[at]
        yield _with(begun, (word,), own=word not in _COMMON)
        if self._names_law and begun.name and begun.name[-1] not in _LEFT_OUT:
            yield from (replace(begun, name=(*begun.name, left)) for left in _LEFT_OUT if left != word)
        joined = word + "".join(self._words[at + 1 : at + 2])
        if joined != word and joined in self._known:
            yield _with(begun, (joined,), typed=2, own=True)
        if begun.changes == _MOST_CHANGES or not _may_change(word):
            return
        is_unknown = self._unknown[at]
        for other in self._known.near(word, _OF_UNKNOWN if is_unknown else _OF_KNOWN):
            letters = letters_changed(word, other, len(word))
            yield _with(begun, (other,), letters=letters, is_mistake=is_unknown)
        if is_unknown:
            for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
                if word[:cut] in self._known and word[cut:] in self._known:
                    yield _with(begun, (word[:cut], word[cut:]), letters=1, is_mistake=True)


def _with(
    begun: Misspelt,
    words: tuple[str, ...],
    *,
    typed: int = 1,
    letters: int = 0,
    is_mistake: bool = False,
    own: bool = False,
) -> Misspelt:
    return Misspelt(
        (*begun.name, *words),
        begun.typed + typed,
        begun.changes + (letters > 0),
        begun.mistakes + is_mistake,
        begun.letters + letters,
        begun.own + own,
    )


def _may_change(word: str) -> bool:
    return _SHORTEST <= len(word) <= _LONGEST and word.isalpha() and word != _DEEDS


def _is_certain(found: Misspelt) -> bool:
    """Return whether so much of a name is right that no other thing can be meant."""
    if len(found.name) == 1:
        return found.mistakes == found.letters == 1 and len(found.name[0]) >= _SHORTEST_ALONE
    if found.changes and found.mistakes == found.changes:
        return True
    if _ACT.isdisjoint(found.name):
        return False
    return found.own + found.mistakes >= (1 if found.changes else 2)


def _farness(found: Misspelt) -> tuple[int, int, int]:
    return -found.typed, found.changes, found.letters

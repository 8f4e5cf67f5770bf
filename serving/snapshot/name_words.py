"""Words of the names of acts, and those of them that a word typed wrongly is near to."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from serving.contract.citations.near_names import NearNames

_MOST = 12
"""Most words that are near to one."""
_REMEMBERED = 4_096


class NameWords:
    """The words of names. May be asked from any thread.

    Args:
        names: the names, with a space between their words.
        elsewhere: names of acts that are not held. What is one of their words is typed rightly, and no word
            is taken for it.

    Attributes:
        first: words with which names begin.
    """

    def __init__(self, names: Sequence[str], elsewhere: Sequence[str] = ()) -> None:
        held = frozenset(" ".join(names).split())
        self._words = held.union(" ".join(elsewhere).split())
        self.first = frozenset(name.partition(" ")[0] for name in names)
        # Few people mistake the first letter, and of one letter there are some hundred words.
        by_letter: dict[str, dict[str, str]] = {}
        for word in sorted(held):
            by_letter.setdefault(word[0], {})[word] = word
        self._by_letter = {letter: NearNames(words) for letter, words in by_letter.items()}
        self.near = lru_cache(_REMEMBERED)(self._near)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    def _near(self, word: str, letters_per_change: int) -> tuple[str, ...]:
        """Return other words that are spelled nearly so, or are its plural or singular."""
        beginning = self._by_letter.get(word[0])
        alike = []
        if beginning is not None:
            alike += beginning.near(word, most=_MOST, letters_per_change=letters_per_change)
        alike += filter(self._words.__contains__, _other_number(word))
        return tuple(other for other in dict.fromkeys(alike) if other != word)


def _other_number(word: str) -> Iterator[str]:
    """Yield the plural or the singular in which more than one letter differs."""
    if word.endswith("y"):
        yield f"{word[:-1]}ies"
    elif word.endswith("ies"):
        yield f"{word[:-3]}y"

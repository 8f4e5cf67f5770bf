"""Finder of the names of known codes and acts in a text, however they are dotted and spaced.

One regular expression of thousands of names takes most of a second to compile. So names are kept by the
letters that they begin with: one expression finds where such letters stand, and the names that begin with
them are compiled when a text first has them.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from serving.contract.citations.source import fold

Tree: TypeAlias = dict[str, "Tree"]

_MOST_LETTERS = 10
"""Most letters by which names are kept: with more, fewer places are tried in vain."""
_END = ""
_MAX_SPACES = 3
_DOT = r"(?: ?\.)?"
_BETWEEN_LETTERS = str.maketrans("", "", " .,'")
# `I.C.` is no name in `V.I.C.`.
_NO_INITIALS = r"(?<![^a-z][a-z]\.)(?<!\A[a-z]\.)"
_TITLE = r"(?:titles?|tit\.)(?= ?\d)"
# `U.S.C.App.`, `O.S.Supp.`; `U.S.C.` is no name in `U.S.C.C.A.N.`
_STOP = r"(?:(?![a-z])|(?<=\.)(?=app|supp))(?!\.[a-z]\.[a-z])(?!(?<=\d)\d)"


class Anchor(NamedTuple):
    """Characters [start, end) of a text at which a citation may be anchored.

    Attributes:
        name: the known name that stands there, folded; empty for the word `title` before a number.
    """

    start: int
    end: int
    name: str


class KnownNames:
    """The names of codes and acts. Directly behind a digit only those of codes count.

    `17USC107` names a code, but `410aaa` is a number and no act that is called AAA.
    """

    def __init__(self, codes: Iterable[str], acts: Iterable[str]) -> None:
        """Keep the names, which are written with all their dots and spaces."""
        self._codes = frozenset(map(fold, codes))
        self._names = _by_letters(self._codes.union(map(fold, acts)))
        begun = {_begun(name, len(letters)) for letters, names in self._names.items() for name in names}
        first = f"{_NO_INITIALS}(?:(?P<title>{_TITLE})|(?=({_pattern(begun)})))"
        self._begin = re.compile(f"(?<![a-z]){first}")
        # The same behind what is no letter: the `re` module passes quickly over all that is one.
        self._next = re.compile(f"[^a-z]{first}")
        self._patterns: dict[tuple[str, bool], re.Pattern[str]] = {}

    def search(self, folded: str, start: int = 0, end: int = sys.maxsize) -> Anchor | None:
        """Return the first name, or `title` before a number, in characters [start, end) of folded text."""
        begun = None if start else self._begin.match(folded, 0, end)
        while begun := begun or self._next.search(folded, max(0, start - 1), end):
            start = begun.start(begun.lastindex or 0)
            if begun.lastgroup == "title":
                return Anchor(start, begun.end(), "")
            named = self._named(begun).match(folded, start, end)
            if named is not None:
                return Anchor(start, named.end(), named.group())
            begun = None
            start += 1
        return None

    def find_all(self, folded: str) -> Iterator[Anchor]:
        """Yield the names in folded text, and each `title` before a number."""
        position = 0
        while (anchor := self.search(folded, position)) is not None:
            yield anchor
            position = anchor.end

    def name_at(self, folded: str, position: int) -> Anchor | None:
        """Return the name that begins at a position of folded text; None where none does."""
        begun = self._begin.match(folded, position)
        if begun is None or begun.lastgroup == "title":
            return None
        named = self._named(begun).match(folded, position)
        return None if named is None else Anchor(position, named.end(), named.group())

    def is_name(self, folded: str, start: int, end: int) -> bool:
        """Return True where characters [start, end) of folded text are a name."""
        begun = self._begin.match(folded, start, end)
        if begun is None or begun.lastgroup == "title":
            return False
        return self._named(begun).fullmatch(folded, start, end) is not None

    def _named(self, begun: re.Match[str]) -> re.Pattern[str]:
        """Return the expression of the names that begin with the letters that were found, compiled once."""
        start = begun.start(2)
        letters = begun[2].translate(_BETWEEN_LETTERS)
        glued = start > 0 and begun.string[start - 1].isdecimal()
        pattern = self._patterns.get((letters, glued))
        if pattern is None:
            names = self._names[letters]
            names = [name for name in names if name in self._codes] if glued else names
            pattern = self._patterns[letters, glued] = re.compile(f"(?:{_pattern(names)}){_STOP}")
        return pattern


def _by_letters(names: Iterable[str]) -> dict[str, list[str]]:
    """Return names by the letters that they begin with, of which none are the beginning of others."""
    kept: dict[str, list[str]] = {}
    letters = ""
    for own, name in sorted((_letters(name), name) for name in names):
        # In this order letters are followed by all that they are the beginning of.
        if not letters or not own.startswith(letters):
            letters = own
        kept.setdefault(letters, []).append(name)
    return kept


def _letters(name: str) -> str:
    """Return the first letters of a name. They end before `&`, which may be written `and`."""
    return name.replace(" and ", "&").translate(_BETWEEN_LETTERS).partition("&")[0][:_MOST_LETTERS]


def _begun(name: str, letters: int) -> str:
    """Return the beginning of a name that has some number of letters."""
    places = [place for place, character in enumerate(name) if character not in " .,'"]
    return name[: places[letters - 1] + 1]


def _pattern(names: Iterable[str]) -> str:
    """Return a regular expression without groups that matches folded names, the longest first.

    It is a prefix tree in which the dots of a name may be left out.
    """
    tree: Tree = {}
    for name in names:
        node = tree
        for token in _tokens(name):
            node = node.setdefault(token, {})
        node[_END] = {}
    return _names_under(tree) or "(?!)"


def _tokens(name: str) -> list[str]:
    tokens: list[str] = []
    name = name.replace(" and ", " & ")
    for index, character in enumerate(name):
        following = name[index + 1 : index + 2]
        if character == ".":
            tokens.append(_DOT if not following else rf"{_DOT} {{0,{_MAX_SPACES}}}")
        elif character == " ":
            if tokens and not tokens[-1].startswith(_DOT):
                tokens.append(rf" {{1,{_MAX_SPACES}}}")
        elif character == ",":
            tokens.append(",?")
        elif character == "'":
            tokens.append("'?")
        elif character == "&":
            tokens.append("(?:&|and)")
        else:
            tokens.append(character if character.isalnum() else re.escape(character))
    return tokens


def _names_under(tree: Tree) -> str:
    # Longer tokens first: a dot with blanks before another word is tried before the dot that ends a name.
    tokens = sorted((token for token in tree if token != _END), key=lambda token: (-len(token), token))
    branches = [token + _names_under(tree[token]) for token in tokens]
    if not branches:
        return ""
    if len(branches) == 1 and _END not in tree:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if _END in tree else "")

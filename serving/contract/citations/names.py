"""Names of codes and acts as one regular expression: a prefix tree in which dots may be left out."""

import re
from collections.abc import Iterable
from typing import TypeAlias

from serving.contract.citations.source import fold

Tree: TypeAlias = dict[str, "Tree"]

_END = ""
_OPTIONAL = re.compile(r" ?\[([^\]]*)\]")
_NOT_IN_KEYS = str.maketrans("", "", ". ',")
_MAX_SPACES = 3


def spellings(name: str) -> list[str]:
    """Return the name with and without what stands in square brackets: `Va. Code [Ann.]` gives two."""
    match = _OPTIONAL.search(name)
    if match is None:
        return [name]
    without = name[: match.start()] + name[match.end() :]
    inside = name[: match.start()] + (" " if match.group().startswith(" ") else "") + match.group(1)
    return spellings(without) + spellings(inside + name[match.end() :])


def name_key(name: str) -> str:
    """Return what all ways to write a name have in common: `usc` for `U. S. C.`."""
    return fold(name).translate(_NOT_IN_KEYS).replace("&", "and")


def names_pattern(names: Iterable[str]) -> str:
    """Return a regular expression, without groups, that matches the folded names, the longest first."""
    tree: Tree = {}
    for name in sorted(set(names)):
        node = tree
        for token in _tokens(fold(name)):
            node = node.setdefault(token, {})
        node[_END] = {}
    return _pattern(tree)


def _tokens(name: str) -> list[str]:
    tokens: list[str] = []
    name = name.replace(" and ", " & ")
    for index, character in enumerate(name):
        following = name[index + 1 : index + 2]
        if character == ".":
            tokens.append(r"\.?" if not following else rf"\.? {{0,{_MAX_SPACES}}}")
        elif character == " ":
            if tokens and not tokens[-1].startswith(r"\.?"):
                tokens.append(rf" {{1,{_MAX_SPACES}}}")
        elif character == ",":
            tokens.append(",?")
        elif character == "'":
            tokens.append("'?")
        elif character == "&":
            tokens.append("(?:&|and)")
        else:
            tokens.append(re.escape(character))
    return tokens


def _pattern(tree: Tree) -> str:
    # Longer tokens first: `\.? {0,3}` before another word must be tried before the `\.?` that ends a name.
    tokens = sorted((token for token in tree if token != _END), key=lambda token: (-len(token), token))
    branches = [token + _pattern(tree[token]) for token in tokens]
    if not branches:
        return ""
    if len(branches) == 1 and _END not in tree:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if _END in tree else "")

"""Parts whose text goes on with the next one, which has no label of its own: `(1) $100 …; (2) $250 …`.

Publishers run a list together in places, and the outline then has no `(2)`: what stands there would be cited
as words of `(1)`. Such a part and all within it are uncertain.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from assets.ingest.model import Provision
from serving.contract.records import Outline

_LAST = re.compile(r"\(([^()]{1,8})\)\Z")
_HEAD = r"(?:(?:^|\n)|(?<=[^)\s][;:.,] )|(?<=[^)\s][;:.,] or )|(?<=[^)\s][;:.,] and ))"
"""Before a designator that begins a part; in `subsections (a), (b), and (c)` each follows another."""
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_MOST = 98
"""Greatest number that has a next: four digits are years."""


def doubt_run_in_parts(provisions: Iterable[Provision]) -> tuple[Provision, ...]:
    """Return the provisions, with the parts that go on with the next one as uncertain."""
    return tuple(
        replace(provision, outline=doubted)
        if (doubted := _doubted(provision.text, provision.outline)) != provision.outline
        else provision
        for provision in provisions
    )


def _doubted(text: str, outline: tuple[Outline, ...]) -> tuple[Outline, ...]:
    labels = {part.label for part in outline}
    doubted = []
    until = 0
    for part, following in zip_longest(outline, outline[1:]):
        words = text[part.start : min(part.end, following.start) if following else part.end]
        if not part.uncertain and (part.start < until or _goes_on(words, part.label, labels)):
            until = max(until, part.end)
            doubted.append(replace(part, uncertain=True))
        else:
            doubted.append(part)
    return tuple(doubted)


def _goes_on(words: str, label: str, labels: set[str]) -> bool:
    """Return whether the next part stands in a part's own words, before those of the first part within it."""
    own = _LAST.search(label)
    if own is None:
        return False
    for following in _next(own[1]):
        if f"{label[: own.start()]}({following})" in labels:
            continue
        if f"({following}) " not in words:  # which is so of most, and told at once
            continue
        found = re.search(rf"{_HEAD}\({following}\) (?=\S)", words)
        # A list of its own begins with the same designator: `(i) A check that (i) is paid, (ii) is drawn`.
        if found and own[0] not in words[len(own[0]) : found.start()]:
            return True
    return False


def _next(designator: str) -> Iterable[str]:
    """Yield the designators that may follow one; none for `h`: `(i)` behind it begins a list of numerals."""
    lower = designator.lower()
    if designator.isascii() and designator.isdigit() and int(designator) <= _MOST:
        yield str(int(designator) + 1)
    if lower in _ROMAN[:-1] and designator in (lower, designator.upper()):
        numeral = _ROMAN[_ROMAN.index(lower) + 1]
        yield numeral if designator == lower else numeral.upper()
    if len(lower) == 1 and "a" <= lower < "z" and lower != "h":
        yield chr(ord(designator) + 1)

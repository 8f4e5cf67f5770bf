"""Changes between two editions of a publisher's tree, found without a line of the readers or the comparison."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

_QUOTES = str.maketrans("‘’‛“”‟", "'''\"\"\"")
_DASHES = re.compile("[‐‑‒–—―−]")
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_STATES = {
    "repealed": "repealed",
    "abolished": "repealed",
    "expired": "expired",
    "transferred": "transferred",
    "recodified": "renumbered",
    "renumbered": "renumbered",
    "redesignated": "renumbered",
    "omitted": "omitted",
    "not": "omitted",
    "applicable": "omitted",
    "reserved": "reserved",
    "vacant": "reserved",
}
"""The status that the first word of a publisher's remark means."""
_EVIDENCE = 8
"""Words from which on a text can be known again under another number, as docs/api.md says."""

RENDERED = "rendered"
"""Kind of a difference that a site makes and no publisher: of white space, and of lists that it derives."""

Kinds = Mapping[str, Counter[str]]
"""Numbers of changes of each kind, by the number of a section or the numbers down to a container."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A section or a container of a publisher's tree.

    Attributes:
        name: how it is known in both editions: its number, or the levels and numbers down to a container.
        state: status that the publisher states; empty for law in force.
        notes: what stands beside the law, credits included, in order.
        place: numbers of what it stands in.
        derived: what a site lists beside it without anybody having written it.
    """

    name: str
    state: str
    heading: str
    text: str
    notes: tuple[str, ...]
    place: tuple[str, ...]
    derived: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, str]:
        """Return heading and text without white space: what is left between editions is a change of words."""
        return "".join(plain(self.heading).split()), "".join(plain(self.text).split())

    @property
    def whole(self) -> tuple[object, ...]:
        """Return all that an edition shows of it."""
        return (
            self.state,
            " ".join(self.heading.split()),
            " ".join(self.text.split()),
            *self.beside,
            self.derived,
        )

    @property
    def beside(self) -> tuple[object, ...]:
        """Return what the publisher says beside the law's own words."""
        return self.notes, self.place


def plain(text: str) -> str:
    """Return a text with dashes and quotes in one form."""
    text = _DASHES.sub("-", _UNSEEN.sub("", text).translate(_QUOTES))
    return text.replace("''", '"').replace("`", "'")


def state_of(remark: str) -> str:
    """Return the status that a remark of a publisher means; empty where it is none."""
    words = re.findall(r"\w+", remark.lower())
    return _STATES.get(words[0], "") if words else ""


def compared(old: Iterable[Unit], new: Iterable[Unit]) -> Kinds:
    """Return the kinds of changes between two editions, by name; what is the same has none."""
    before, after = _by_name(old), _by_name(new)
    moves = _moves(before, after)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name in before.keys() | after.keys():
        news = [unit for unit in after.get(name, ()) if unit not in moves.values()]
        # A stub that is left where a text stood before it moved says what became of that number.
        olds = [unit for unit in before.get(name, ()) if unit not in moves or _is_stub(news)]
        for one, other in _paired(olds, news):
            kind = _kind(one, other)
            if kind:
                found[name][kind] += 1
    for unit in moves.values():
        found[unit.name]["renumbered"] += 1
    return dict(found)


def _by_name(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    found: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit.name].append(unit)
    return found


def _moves(before: Mapping[str, list[Unit]], after: Mapping[str, list[Unit]]) -> dict[Unit, Unit]:
    """Return units whose text stands once in each edition, with the same status and under another number."""
    first, second = _single(before), _single(after)
    pairs = ((first[text], second[text]) for text in first.keys() & second.keys())
    return {one: other for one, other in pairs if one.name != other.name}


def _is_stub(units: Sequence[Unit]) -> bool:
    return bool(units) and all(len(unit.text.split()) < _EVIDENCE for unit in units)


def _single(units: Mapping[str, list[Unit]]) -> dict[tuple[str, str], Unit]:
    found: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for same in units.values():
        for unit in same:
            if len(unit.text.split()) >= _EVIDENCE:
                found[unit.state, unit.words[1]].append(unit)
    return {text: units[0] for text, units in found.items() if len(units) == 1}


def _paired(olds: Sequence[Unit], news: Sequence[Unit]) -> list[tuple[Unit | None, Unit | None]]:
    """Return units of one name in pairs, the most alike first; None for one that is not there."""
    left, right = list(olds), list(news)
    pairs: list[tuple[Unit | None, Unit | None]] = []
    likenesses: tuple[Callable[[Unit], object], ...] = (
        lambda unit: unit.whole,
        lambda unit: (unit.words, unit.state),
        lambda unit: unit.words[0],
        lambda unit: unit.state,
        lambda unit: unit.name,
    )
    for likeness in likenesses:
        for one in list(left):
            other = next((other for other in right if likeness(other) == likeness(one)), None)
            if other is not None:
                pairs.append((one, other))
                left.remove(one)
                right.remove(other)
    return [*pairs, *((one, None) for one in left), *((None, other) for other in right)]


def _kind(one: Unit | None, other: Unit | None) -> str:
    if one is None:
        return "added"
    if other is None:
        return "removed"
    if one.state != other.state:
        return "status"
    if one.words != other.words:
        return "amended"
    if one.whole == other.whole:
        return ""
    is_rendered = one.beside == other.beside and _squeezed(one) == _squeezed(other)
    return RENDERED if is_rendered else "editorial"


def _squeezed(unit: Unit) -> str:
    return "".join(f"{unit.heading}{unit.text}".split())


def container_name(place: Sequence[str], label: str) -> str:
    """Return the name of a container by the labels down to it."""
    return " > ".join([*place, label])

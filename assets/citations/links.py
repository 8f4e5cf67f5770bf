"""Resolve references that a source marks up to nodes of the selection, by the reader's own notation."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assets.citations.library_paths import containers_by_number, path_numbers
from assets.registry import CodeBody
from assets.selection.selection import Selection

OUTSIDE_COVERAGE = "outside_coverage"
"""The target lies in a publication, or in a title, that the selection does not hold."""
NOT_FOUND = "not_found"
"""The target's title is held, but no such provision is in it."""
AMBIGUOUS = "ambiguous"
"""Several live provisions bear the number."""
ACT = "act"
"""The target is an act or another instrument, which no code body holds."""

_DC_LAW, _OPEN_LAW = "dc_law", "open_law"

_OPTIONAL = frozenset({"subtitle", "subdivision", "unit"})
"""Levels that a path of containers may leave out: what they hold is numbered through what holds them."""

_ANOTHER_CODE = re.compile(r"://|\b(?:Code|Const|Stat)\b", re.IGNORECASE)
"""A page elsewhere, or the name of a document that is no act."""

_DASHES = str.maketrans("‐‑‒–—−", "------")
_CACHE = 100_000


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: to a position of the selection, or nowhere for a `reason`."""

    position: int | None
    reason: str | None


class ReferenceResolver:
    """Finds targets in a selection. One code body's notation is read by one function."""

    def __init__(self, selection: Selection) -> None:
        self._positions: dict[str, int] = {}
        self._ambiguous: set[str] = set()
        for position, identifier in enumerate(selection.provisions.column("identifier").to_pylist()):
            self._positions[identifier] = position
            stem, at, _ = identifier.rpartition("@")
            if at:
                self._ambiguous.add(stem)
        self._citable: list[bool] = selection.provisions.column("citable").to_pylist()
        self._bodies = [entry.body for entry in selection.bodies]
        self._containers = _containers(selection)
        self._by_number = {
            entry.body.key: containers_by_number(selection, entry)
            for entry in selection.bodies
            if entry.body.reader == _OPEN_LAW
        }
        self._by_body: list[Callable[[str], Target]] = [
            lru_cache(_CACHE)(self._reading(body)) for body in self._bodies
        ]

    def resolve(self, body: int, target: str) -> Target:
        """Return where a target leads, as it is written in the source of the code body number `body`."""
        return self._by_body[body](target.strip().translate(_DASHES))

    def _reading(self, body: CodeBody) -> Callable[[str], Target]:
        if body.reader == _DC_LAW:
            return lambda target: self._open_law_path(body, target)
        if body.reader == _OPEN_LAW:
            return lambda target: self._library_path(body, target)
        return self._uslm_href

    def _uslm_href(self, target: str) -> Target:
        """Read `/us/usc/t17/s106/a`: the longest part of it that is a provision, or all of it a container."""
        path = target.partition("..")[0].rstrip("/")
        for body in self._bodies:
            prefix = body.source_root or body.root
            if path.startswith(prefix + "/"):
                return self._longest(body.root, path[len(prefix) + 1 :].split("/"))
        kind = path.split("/")[2:3]
        return Target(None, ACT if kind and kind[0] in {"pl", "stat", "act", "eo"} else OUTSIDE_COVERAGE)

    def _open_law_path(self, body: CodeBody, target: str) -> Target:
        """Read `§42-404|(a)` (a section, then its paragraphs) or `47|18` (containers)."""
        first = target.partition("|")[0]
        if first.startswith("§"):
            return self._longest(body.root, [first.strip("§ []")])
        if first[:1].isdigit():
            return self._container(body, "|".join(part for part in target.split("|") if part))
        return Target(None, ACT)

    def _library_path(self, body: CodeBody, target: str) -> Target:
        """Read `27.20.010|(a)` or `10|01|01|.04|D.` (a section and its parts), `27|27.20` (containers)."""
        numbers = path_numbers(target)
        if not numbers:
            return Target(None, OUTSIDE_COVERAGE if _ANOTHER_CODE.search(target) else ACT)
        for number in reversed(numbers):
            found = self._longest(body.root, [number])
            if found.position is not None or found.reason == AMBIGUOUS:
                return found
        held = self._by_number[body.key].get(numbers[-1], [])
        if len(held) > 1:
            return Target(None, AMBIGUOUS)
        return Target(held[0], None) if held else Target(None, NOT_FOUND)

    def _container(self, body: CodeBody, path: str) -> Target:
        found = self._containers.get((body.key, path), [])
        if len(found) > 1:
            return Target(None, AMBIGUOUS)
        return Target(found[0], None) if found else Target(None, NOT_FOUND)

    def _longest(self, root: str, parts: Sequence[str]) -> Target:
        for length in range(len(parts), 0, -1):
            identifier = "/".join([root, *parts[:length]])
            position = self._positions.get(identifier)
            if position is None and identifier in self._ambiguous:
                return Target(None, AMBIGUOUS)
            if position is None:
                continue
            if self._citable[position] or length == len(parts):
                return Target(position, None)
            return Target(None, NOT_FOUND)
        return Target(None, OUTSIDE_COVERAGE if len(parts) > 1 else NOT_FOUND)


def _containers(selection: Selection) -> dict[tuple[str, str], list[int]]:
    """Return containers by code body and by their numbers from the title down, such as `47|18|II`.

    A container is under its full path alone, where that names one, or else under paths without optional
    levels, which may name several.
    """
    numbers = selection.provisions.column("num").to_pylist()
    levels = selection.provisions.column("level").to_pylist()
    citable = selection.provisions.column("citable").to_pylist()
    parents = selection.numbering.parents.tolist()
    # By position, the paths that the numbers of its children go on from; the first is the full one.
    bases: dict[int, list[str]] = {}
    full: dict[tuple[str, str], list[int]] = {}
    short: dict[tuple[str, str], list[int]] = {}
    for body in selection.bodies:
        for position in range(body.first, body.first + body.count):
            number, above = numbers[position], bases.get(parents[position], [])
            if citable[position] or number is None:
                continue
            own = [number] if levels[position] == "title" else [f"{base}|{number}" for base in above]
            bases[position] = own + above if levels[position] in _OPTIONAL else own
            for path in own[:1]:
                full.setdefault((body.body.key, path), [position])
            for path in own[1:]:
                short.setdefault((body.body.key, path), []).append(position)
    return short | full

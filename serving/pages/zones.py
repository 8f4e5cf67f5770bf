"""The list of a layer's zones on the map page: zones of one kind share a colour and a pattern."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from serving.contract.layers import LINK_LINKED, LayerEntry
from serving.snapshot.layers import Zone

COLOURS, PATTERNS, SHADES = 9, 8, 4
"""Numbers of colours, patterns and shades in the style sheet: up to `KINDS`, each kind has its own colour and
pattern."""
KINDS = 24
"""Most kinds that are told apart; the zones of the smallest kinds are shown as one."""
OPEN = 60
"""Most zones for which all are shown at once; in a longer list the larger kinds are folded."""
_OPEN_KIND = 6
_KIND = re.compile(r"[A-Za-z]+|[0-9]+")
_NUMBERS = re.compile(r"([0-9]+)")
_OTHERS = "Others"


@dataclass(frozen=True, slots=True)
class ZoneLine:
    """One zone code of the list. `shade` numbers the strength of its kind's colour."""

    zone: Zone
    shade: int

    @property
    def is_linked(self) -> bool:
        """True if the provision that defines the zone is held."""
        return self.zone.link == LINK_LINKED


@dataclass(frozen=True, slots=True)
class Kind:
    """Zones whose codes begin alike.

    Attributes:
        colour: number of its colour in the style sheet; `COLOURS` is that of the kinds shown as one.
        pattern: number of its pattern in the page; 0 is none.
        is_open: its zones are shown at once, not folded.
    """

    name: str
    number: int
    colour: int
    pattern: int
    lines: tuple[ZoneLine, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class ZoneList:
    """All zones of a layer, by kind."""

    layer: LayerEntry
    kinds: tuple[Kind, ...]

    @property
    def count(self) -> int:
        """Number of zone codes."""
        return sum(len(kind.lines) for kind in self.kinds)

    @property
    def placeholders(self) -> int:
        """Number of zone codes without a provision."""
        return sum(not line.is_linked for kind in self.kinds for line in kind.lines)


def list_zones(layer: LayerEntry, zones: Iterable[Zone]) -> ZoneList:
    """Return the zones of a layer by kind, the most common first."""
    by_code = {zone.zone_code: zone for zone in zones}
    groups: defaultdict[str, list[Zone]] = defaultdict(list)
    for code in sorted(by_code, key=_order):
        groups[_kind(code)].append(by_code[code])
    ranked = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    if len(ranked) > KINDS:
        others = [zone for _, zones_ in ranked[KINDS - 1 :] for zone in zones_]
        ranked = [*ranked[: KINDS - 1], (_OTHERS, sorted(others, key=lambda zone: _order(zone.zone_code)))]
    short = len(by_code) <= OPEN
    kinds = tuple(_made(number, name, zones_, short) for number, (name, zones_) in enumerate(ranked))
    return ZoneList(layer, kinds)


def _made(number: int, name: str, zones: list[Zone], short: bool) -> Kind:
    told_apart = name != _OTHERS
    return Kind(
        name=zones[0].zone_code if len(zones) == 1 else name,
        number=number,
        colour=number % COLOURS if told_apart else COLOURS,
        pattern=number % PATTERNS if told_apart else 0,
        lines=tuple(ZoneLine(zone, _shade(place, len(zones))) for place, zone in enumerate(zones)),
        is_open=short or len(zones) <= _OPEN_KIND,
    )


def _shade(place: int, count: int) -> int:
    """Return the shade of a zone by its place in its kind: the last one has the strongest."""
    return max((place + 1) * SHADES // count - 1, 0)


def _kind(code: str) -> str:
    found = _KIND.search(code)
    return found[0].upper() if found else code


def _order(code: str) -> list[tuple[int, str]]:
    """Return a sort key that puts R2 before R10."""
    pieces = _NUMBERS.split(code)
    return [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in pieces]

"""Designators of the items of UniCourt's lists, as their ids and the kind of their list give them.

An id ends in the designator: `ol1a2` is the second item of a list of numerals within item `a` of the first
list of a section. What was put between others stands after a hyphen, and what follows goes on from it or not:
after `ol11a` comes `ol11-a.5`, then `ol11-a.5b` or `ol11b`. Of some lists every id goes on from that of the
first item: `ol1a1`, `ol1a12` and `ol1a13` are `(1)`, `(2)` and `(3)` of `(a)`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMERALS = "1"
_SEVERAL = 2
_SHAPES = {
    "1": re.compile(r"\d{1,4}"),
    "a": re.compile(r"[a-z]{1,4}"),
    "A": re.compile(r"[A-Z]{1,4}"),
    "i": re.compile(r"[ivxlcdm]+"),
    "I": re.compile(r"[IVXLCDM]+"),
}
_ENDS = {
    "1": re.compile(r"(?<![.\d])(?P<whole>\d{1,4})(?:\.(?P<part>\d{1,2}))?$"),
    "a": re.compile(r"(?P<whole>(?P<letter>[a-z])(?P=letter)*)(?:\.(?P<part>\d{1,2}))?$"),
    "A": re.compile(r"(?P<whole>(?P<letter>[A-Z])(?P=letter)*)(?:\.(?P<part>\d{1,2}))?$"),
    "i": re.compile(r"(?P<whole>[ivxlc]+)(?:\.(?P<part>\d{1,2}))?$"),
    "I": re.compile(r"(?P<whole>[IVXLC]+)(?:\.(?P<part>\d{1,2}))?$"),
}
"""Ends of ids; of `.5aaa` each of the three runs of letters may be the designator."""
_OF_SECTION = re.compile(r"ol\d(?P<rest>.*)$")
_FIRST_OF_ID = re.compile(r"ol\d(?P<label>\w+)$")
_AGAIN = re.compile(r"\.\d")
"""Ends an id that is else that of the item before: of another version of its law."""
_FIRST_ROMAN = {"a": "i", "A": "I"}
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


@dataclass(frozen=True, slots=True)
class Labels:
    """Designators of the items of one list, without brackets.

    Attributes:
        shared: stands before that of every item, since the item around this list has no element of its own:
            `I` of `(I)(A)` and `(I)(B)`; else empty.
        own: one an item.
    """

    shared: str
    own: tuple[str, ...]


def item_labels(anchors: Sequence[str], outer: str, kind: str) -> Labels:
    """Return the designators of the items of a list.

    Args:
        anchors: ids of the items, in order; each goes on from that of the item around the list.
        outer: the id of the item around the list; empty where there is none.
        kind: of the list, as `type` has it.
    """
    shared = _shared(anchors[0], outer, kind) if anchors else ""
    labels: list[str] = []
    before, last = "", 0.0
    above = "" if shared else _first_above(anchors, outer, kind)
    for anchor in anchors:
        label = (labels and above and _whole(anchor, above, kind)) or _whole(anchor, f"{outer}{shared}", kind)
        if not label and before and _AGAIN.fullmatch(anchor.removeprefix(before)):
            label = labels[-1]
        if not label:
            label = (last and _ending(anchor, outer, kind, last)) or label_of(kind, int(last) + 1)
        labels.append(label)
        before, last = anchor, _order(label, kind)
    return Labels(shared, tuple(labels))


def label_of(kind: str, number: int) -> str:
    """Return the designator of the `number`th item of a list: after `z` comes `aa`."""
    if kind in "aA":
        label = chr(97 + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif kind in "iI":
        label, left = "", number
        for value, letters in _ROMAN:
            label += letters * (left // value)
            left %= value
    else:
        return str(number)
    return label.upper() if kind.isupper() else label


def _first_above(anchors: Sequence[str], outer: str, kind: str) -> str:
    """Return the id of the first item where the ids of the others go on from it, and not from `outer`.

    The second item decides: of two ways to read its id, the one with the smaller step is meant.
    """
    if len(anchors) < _SEVERAL or not outer:
        return ""
    first, second = (_whole(anchor, outer, kind) for anchor in anchors[:_SEVERAL])
    own = _whole(anchors[1], anchors[0], kind)
    if not first or not own or _order(own, kind) <= _order(first, kind):
        return ""
    goes_on = second and _order(first, kind) < _order(second, kind) < _order(own, kind)
    return "" if goes_on else anchors[0]


def _shared(anchor: str, outer: str, kind: str) -> str:
    """Return the first roman numeral where the first item's id has it and a first letter: `IA`."""
    roman = _FIRST_ROMAN.get(kind, "")
    return roman if roman and outer and anchor == f"{outer}{roman}{kind}" else ""


def _whole(anchor: str, outer: str, kind: str) -> str:
    """Return the designator of an id that goes on from the one around it by nothing else."""
    if outer and anchor.startswith(outer):
        label = anchor[len(outer) :]
    else:
        match = None if outer else _FIRST_OF_ID.search(anchor)
        label = match["label"] if match else ""
    return label if _SHAPES.get(kind, _SHAPES[NUMERALS]).fullmatch(label) else ""


def _ending(anchor: str, outer: str, kind: str, last: float) -> str:
    """Return the first designator after the `last` one that an id may end in; none where it has none."""
    if outer and anchor.startswith(outer):
        rest = anchor[len(outer) :]
    else:
        match = _OF_SECTION.search(anchor)
        rest = match["rest"] if match else ""
    shape = _ENDS.get(kind, _ENDS[NUMERALS])
    found: dict[float, str] = {}
    for at in range(len(rest)):
        end = shape.match(rest, at)
        if end is not None and (not end["part"] or rest[max(at - 1, 0)] == "-"):
            found.setdefault(_order(end.group(), kind), end.group())
    later = [order for order in found if order > last]
    return found[min(later)] if later else ""


def _order(label: str, kind: str) -> float:
    """Return the place of a designator among those of its kind; `b.5` stands between `b` and `c`."""
    whole, _, part = label.lower().partition(".")
    if kind in "aA":
        alike = whole == whole[0] * len(whole)
        place = ord(whole[0]) - 96 + 26 * (len(whole) - 1) if alike else _as_columns(whole)
    elif kind in "iI":
        place = _roman_value(whole)
    else:
        place = int(whole)
    return place + float(f"0.{part or 0}")


def _as_columns(letters: str) -> int:
    """Return the number of letters that go on as columns of a sheet do: after `az` comes `ba`."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 96
    return number


def _roman_value(numeral: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}[letter] for letter in numeral]
    return sum(
        -value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True)
    )

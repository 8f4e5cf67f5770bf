"""Designators as the oracle for UniCourt's pages has them: from the ids of items, and by counting."""

import re


def next_of(kind: str, anchor: str, outer: str, last: float) -> str:
    """Return the designator of an item whose id has more than it.

    Of what the id may end in it is the next one; else what a browser shows for the next item.

    Args:
        kind: of the list.
        anchor: the id of the item.
        outer: that of the item around its list, or empty.
        last: the place of the designator before; 0 at the beginning of a list.
    """
    if not last:
        return _counted(kind, 1)
    rest = anchor.removeprefix(outer) if outer else anchor
    if rest == anchor:
        rest = re.split(r"ol\d", anchor, maxsplit=1)[-1] if re.search(r"ol\d", anchor) else ""
    whole = {"1": r"\d{1,4}", "i": "[ivxlc]+", "I": "[IVXLC]+"}.get(kind, "[a-z]+|[A-Z]+")
    best, least = "", float("inf")
    for place in range(len(rest)):
        end = re.fullmatch(rf"({whole})(\.\d{{1,2}})?", rest[place:])
        if end is None:
            continue
        if end[2] and rest[place - 1 : place] != "-":
            continue
        if kind == "1" and place and rest[place - 1] in "0123456789.":
            continue
        if kind in "aA" and (end[1].islower() != (kind == "a") or len(set(end[1])) > 1):
            continue
        counts = place_of(kind, end[0])
        if last < counts < least:
            best, least = end[0], counts
    return best or _counted(kind, int(last) + 1)


def place_of(kind: str, label: str) -> float:
    """Return which of its kind a designator is; one that was put between others counts as a fraction more."""
    whole, dot, fraction = label.lower().partition(".")
    if kind in "iI":
        values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
        count = 0
        for letter, after in zip(whole, f"{whole[1:]} ", strict=True):
            count += values[letter] * (-1 if values[letter] < values.get(after, 0) else 1)
    elif kind in "aA" and len(set(whole)) == 1:
        count = "abcdefghijklmnopqrstuvwxyz".index(whole[0]) + 1 + 26 * (len(whole) - 1)
    elif kind in "aA":
        count = sum((ord(letter) - 96) * 26**power for power, letter in enumerate(reversed(whole)))
    else:
        count = int(whole)
    return count + (float(f".{fraction}") if dot else 0)


def _counted(kind: str, number: int) -> str:
    """Return the designator that a browser shows for an item."""
    if kind in "iI":
        hundreds, tens, ones = number // 100, number // 10 % 10, number % 10
        roman = "c" * hundreds
        for digit, (one, five, ten) in ((tens, "xlc"), (ones, "ivx")):
            roman += {9: one + ten, 4: one + five}.get(digit, five * (digit // 5) + one * (digit % 5))
        return roman if kind == "i" else roman.upper()
    if kind in "aA":
        rounds, letter = divmod(number - 1, 26)
        return chr(ord(kind) + letter) * (rounds + 1)
    return str(number)

"""Acts that a later source credit names in addition."""

import re

from serving.comparison.words import fold

_DESIGNATION = re.compile(r"\d+-\d+")
"""The number of an act in a folded credit, as in `Pub. L. 94-553` and `Ord. No. 2018-4`."""


def credit_added(before: str | None, after: str | None) -> list[str]:
    """Return the parts of the later credit that name acts which the earlier one does not, as written.

    Publishers part the acts of a credit by semicolons, and write them anew now and then: an act is known by
    its number however it is written. A part without one is new only if all earlier parts are still there.
    """
    earlier, later = _parts(before), _parts(after)
    known = set(map(fold, earlier))
    numbers = set(_DESIGNATION.findall(fold(before or "")))
    kept = known <= set(map(fold, later))
    added = []
    for part in later:
        own = set(_DESIGNATION.findall(fold(part)))
        if fold(part) not in known and (not own & numbers if own else kept):
            added.append(part)
    return added


def _parts(credit: str | None) -> list[str]:
    words = (credit or "").strip()
    if words.startswith("(") and words.endswith(")"):
        words = words[1:-1]
    parts = (part.strip() for part in words.removesuffix(".").split(";"))
    return [part for part in parts if part]

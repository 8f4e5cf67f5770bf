"""Parts of a source credit that an amendment added."""

from collections import Counter

from serving.comparison.words import fold


def credit_added(before: str | None, after: str | None) -> list[str]:
    """Return the parts of the later credit that the earlier one has not, as they are written.

    Publishers part the acts of a credit by semicolons.
    """
    known = Counter(map(fold, _parts(before)))
    added = []
    for part in _parts(after):
        if known[fold(part)]:
            known[fold(part)] -= 1
        else:
            added.append(part)
    return added


def _parts(credit: str | None) -> list[str]:
    words = (credit or "").strip()
    if words.startswith("(") and words.endswith(")"):
        words = words[1:-1]
    parts = (part.strip() for part in words.removesuffix(".").split(";"))
    return [part for part in parts if part]

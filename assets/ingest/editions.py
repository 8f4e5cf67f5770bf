"""Order of the editions of one publication, as far as what they say of themselves tells it."""

import re
from collections.abc import Iterable, Sequence

from assets.findings import Finding, Severity
from assets.ingest.report import UnitReport
from serving.contract.currency import current_date

_NUMBER = re.compile(r"\d+")
_ORDERED = re.compile(r"\d+(?:[-.]\d+)*")
"""Release point whose numbers count from the first on: `119-36`, `82`, `2025-10-01`; not `10/20/2024`."""

_NAMED = 3


def is_older(edition: UnitReport, than: UnitReport) -> bool:
    """Return whether an edition of a title is known to be older than another one of it.

    The days through which they are current tell it, else their release points, where these are of one form.
    """
    days = current_date(edition.current_through), current_date(than.current_through)
    if days[0] is not None and days[1] is not None:
        return days[0] < days[1]
    numbers = _numbers(edition.release_point), _numbers(than.release_point)
    return len(numbers[0]) == len(numbers[1]) and numbers[0] < numbers[1]


def older_titles(where: str, titles: Iterable[UnitReport], before: Iterable[UnitReport]) -> list[Finding]:
    """Return a warning for each two editions of which titles took the older one after the newer one.

    Args:
        where: key of the code body.
        titles: what was read now.
        before: what was accepted until now.
    """
    accepted = {unit.key: unit for unit in before}
    replaced: dict[tuple[str, str], list[str]] = {}
    for unit in titles:
        known = accepted.get(unit.key)
        if known is not None and is_older(unit, known):
            replaced.setdefault((_edition(unit), _edition(known)), []).append(unit.label)
    return [
        Finding("edition_older", where, _told(labels, *editions), Severity.WARNING)
        for editions, labels in replaced.items()
    ]


def _told(labels: Sequence[str], now: str, before: str) -> str:
    more = f" and {len(labels) - _NAMED:,} more" if len(labels) > _NAMED else ""
    return (
        f"{', '.join(labels[:_NAMED])}{more}: read of an edition ({now}) that is older than the one accepted "
        f"before ({before}). If that was not meant, give the newer edition again before this is published."
    )


def _edition(unit: UnitReport) -> str:
    return unit.current_through or unit.release_point or ""


def _numbers(release_point: str | None) -> tuple[int, ...]:
    """Return the numbers of a release point, those that count most first; none where that is not known."""
    if release_point is None or _ORDERED.fullmatch(release_point) is None:
        return ()
    return tuple(int(number) for number in _NUMBER.findall(release_point))

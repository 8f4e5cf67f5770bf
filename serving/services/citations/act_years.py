"""Years in which acts were made, as their names and the laws that enacted them say."""

import re
from collections.abc import Iterable

from serving.contract.citations import PopularName

_IN_NAME = re.compile(r"(?:,| of) (\d{4})\Z")
_IN_DATE = re.compile(r"(?<![\d-])((?:1[789]|20)\d\d)(?=, ch\.)")
_PUBLIC_LAW = re.compile(r"Pub\. L\. (\d{1,3})[-–]\d")
_BEFORE_THE_FIRST_CONGRESS = 1787


def years_of(acts: Iterable[PopularName]) -> frozenset[int]:
    """Return the years in which acts may have been made; empty where nothing says so of any of them.

    Of a public law only its Congress is known, whose last laws are of the January after its two years.
    """
    return frozenset(year for act in acts for year in (*_of_name(act.name), *_of_law(act.law or "")))


def _of_name(name: str) -> Iterable[int]:
    return map(int, _IN_NAME.findall(name))


def _of_law(law: str) -> Iterable[int]:
    yield from map(int, _IN_DATE.findall(law))
    for congress in map(int, _PUBLIC_LAW.findall(law)):
        first = _BEFORE_THE_FIRST_CONGRESS + 2 * congress
        yield from range(first, first + 3)

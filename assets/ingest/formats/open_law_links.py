"""Links of the Open Law Library's publishers: paths of the numbers of containers and sections."""

import re

from assets.ingest.container_numbers import container_number, container_numbers
from assets.ingest.formats.open_law_names import full_number
from assets.ingest.links import (
    ACT,
    AMBIGUOUS,
    OUTSIDE_COVERAGE,
    FollowLink,
    HeldBody,
    HeldLaw,
    LinkTarget,
    only,
)

_SIGNS = "§ []"
_NUMBER = re.compile(r"\d|[IVXLC]+\Z")
"""Begins a path of numbers, in digits or in Roman numerals."""
_ANOTHER_CODE = re.compile(r"://|\b(?:Code|Const|Stat)\b", re.IGNORECASE)
"""A page elsewhere, or the name of a document that is no act."""


def follow_links(law: HeldLaw, held: HeldBody) -> FollowLink:
    """Return what follows the links of a code body.

    `27.20.010|(a)` and `10|01|01|.04|D.` name a section and its parts, `27|27.20` and `II|306` containers.
    Where numbers begin anew in each title, a path begins with it: `7|§1-2|(e)`, `|health|§7-303`.
    """
    containers = _containers(law, held)
    cites_titles = "{title}" in held.body.citation

    def follow(target: str) -> LinkTarget:
        found = _in_title(law, held, target) if cites_titles else None
        if found is not None:
            return found
        numbers = path_numbers(target)
        if not numbers:
            return LinkTarget(None, OUTSIDE_COVERAGE if _ANOTHER_CODE.search(target) else ACT)
        for number in reversed(numbers):
            section = law.longest(held.body.root, [number])
            if section.position is not None or section.reason == AMBIGUOUS:
                return section
        return only(containers.get(numbers[-1], []))

    return follow


def _in_title(law: HeldLaw, held: HeldBody, target: str) -> LinkTarget | None:
    """Return the section that a path from its title on names; None where it names none."""
    title, *below = [part.strip() for part in target.split("|") if part.strip(_SIGNS)] or [""]
    for part in below:
        number = part.strip(_SIGNS)
        if not part.startswith("§") and number.isalnum():  # a container, or a part of the section
            continue
        for segment in (f"t{title}", title):
            found = law.longest(held.body.root, [segment, f"s{number}"])
            if found.position is not None or found.reason == AMBIGUOUS:
                return found
    return None


def path_numbers(path: str) -> list[str]:
    """Return the full numbers that a path may end in, the longest last; empty where it is no path of numbers.

    `10|01|01|.04|D.` gives `10`, `10.01`, `10.01.01`, `10.01.01.04` and so on: after the section come its
    parts. `27.20.010|(a)` begins with the section itself, `|08.02.25` with a container.
    """
    parts = [part.strip(_SIGNS) for part in path.split("|") if part.strip(_SIGNS)]
    if not parts or not _NUMBER.match(parts[0]):
        return []
    numbers = [parts[0]]
    for part in parts[1:]:
        above = numbers[-1]
        numbers.append(full_number(above, part) if part.startswith(".") else container_number(above, part))
    return numbers


def _containers(law: HeldLaw, held: HeldBody) -> dict[str, list[int]]:
    """Return the containers of a code body by their full numbers."""
    found: dict[str, list[int]] = {}
    full = container_numbers(held.positions, numbers=law.numbers, parents=law.parents, citable=law.citable)
    for position, number in full.items():
        found.setdefault(number, []).append(position)
    return found

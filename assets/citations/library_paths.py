"""Where the paths lead that the Open Law Library's publishers refer by: containers and sections by number."""

from collections.abc import Iterator

from assets.ingest.formats.law_xml_names import container_number
from assets.ingest.formats.open_law_names import full_number
from assets.selection.selection import SelectedBody, Selection

_SIGNS = "§ []"


def path_numbers(path: str) -> list[str]:
    """Return the full numbers that a path may end in, the longest last; empty where it is no path of numbers.

    `10|01|01|.04|D.` gives `10`, `10.01`, `10.01.01`, `10.01.01.04` and so on: after the section come its
    parts. `27.20.010|(a)` begins with the section itself, `|08.02.25` with a container.
    """
    parts = [part.strip(_SIGNS) for part in path.split("|") if part.strip(_SIGNS)]
    if not parts or not parts[0][0].isdigit():
        return []
    numbers = [parts[0]]
    for part in parts[1:]:
        above = numbers[-1]
        numbers.append(full_number(above, part) if part.startswith(".") else container_number(above, part))
    return numbers


def containers_by_number(selection: Selection, body: SelectedBody) -> dict[str, list[int]]:
    """Return the containers of a code body by their full numbers."""
    found: dict[str, list[int]] = {}
    for position, number in _numbered(selection, body):
        found.setdefault(number, []).append(position)
    return found


def _numbered(selection: Selection, body: SelectedBody) -> Iterator[tuple[int, str]]:
    numbers = selection.provisions.column("num").to_pylist()
    citable = selection.provisions.column("citable").to_pylist()
    parents = selection.numbering.parents.tolist()
    full: dict[int, str] = {}
    for position in range(body.first, body.first + body.count):
        above = full.get(parents[position], "")
        if citable[position]:
            continue
        full[position] = above if numbers[position] is None else container_number(above, numbers[position])
        if numbers[position] is not None:
            yield position, full[position]

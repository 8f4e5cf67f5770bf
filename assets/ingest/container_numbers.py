"""Full numbers of containers, whose own may repeat the number of what stands above them or go on from it."""

from collections.abc import Iterable, Sequence


def container_number(above: str, number: str) -> str:
    """Return the full number of a container below one whose full number is `above`; that may be empty.

    What begins with the outermost number is full, whatever stands between: chapter 19.23 of title 19,
    division 1.
    """
    outermost = above.partition(".")[0]
    whole = not above or number.startswith(f"{outermost}.")
    return number if whole else f"{above}.{number}"


def container_numbers(
    positions: Iterable[int],
    *,
    numbers: Sequence[str | None],
    parents: Sequence[int],
    citable: Sequence[bool],
) -> dict[int, str]:
    """Return, by position, the full numbers of the containers among provisions; unnumbered ones have none.

    Args:
        positions: of one code body, parents before what stands in them.
        numbers: by position.
        parents: by position, -1 at the top.
        citable: by position, whether it is a section or rule and no container.
    """
    inside: dict[int, str] = {}
    found: dict[int, str] = {}
    for position in positions:
        if citable[position]:
            continue
        number, above = numbers[position], inside.get(parents[position], "")
        inside[position] = above if number is None else container_number(above, number)
        if number is not None:
            found[position] = inside[position]
    return found

"""Output of commands: lines and tables for people, JSON for programs, remarks on standard error."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from serving.metering.clock import SECOND, rfc3339

_Record = TypeVar("_Record")


def print_text(text: str) -> None:
    """Print a line on standard output."""
    sys.stdout.write(text + "\n")


def print_json(value: object) -> None:
    """Print a value on standard output as JSON."""
    print_text(json.dumps(value, ensure_ascii=False, indent=1))


def remark(text: str) -> None:
    """Print a remark on standard error, so that standard output holds only the result."""
    sys.stderr.write(text + "\n")


def print_list(
    records: Sequence[_Record],
    titles: Sequence[str],
    cells: Callable[[_Record], Sequence[object]],
    fields: Callable[[_Record], Mapping[str, object]],
    *,
    as_json: bool,
) -> None:
    """Print records on standard output.

    Args:
        records: the records, in their order.
        titles: titles of the columns of a table.
        cells: returns the cells of a record's row.
        fields: returns the fields of a record as JSON.
        as_json: print them as JSON and not as a table.
    """
    if as_json:
        print_json([fields(record) for record in records])
    else:
        print_table(titles, [cells(record) for record in records])


def print_table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under titles, numbers to the right; a cell that is None stays empty."""
    cells = [list(titles), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(titles))]
    right = [
        bool(rows) and all(isinstance(row[column], int) for row in rows) for column in range(len(titles))
    ]
    for row in cells:
        aligned = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        print_text("  ".join(aligned).rstrip())


def counted(number: int, one: str, more: str | None = None) -> str:
    """Return the number with its noun; `more` is the plural, by default with an s."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def moment(instant: int | None) -> str | None:
    """Return an instant to the second, for people."""
    return None if instant is None else rfc3339(instant // SECOND * SECOND)


def exact(instant: int | None) -> str | None:
    """Return an instant in full, for programs."""
    return None if instant is None else rfc3339(instant)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    # What customers typed must not steer the terminal.
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in str(value))

"""Output of the command: answers go to standard output, remarks to standard error."""

import json
import sys
import textwrap
from collections.abc import Iterable, Sequence

from legal_client.results import Span

WIDTH = 100
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def print_line(text: str = "") -> None:
    """Print a line."""
    sys.stdout.write(shown(text) + "\n")


def print_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def remark(text: str) -> None:
    """Print a remark to standard error."""
    sys.stderr.write(shown(text) + "\n")


def print_block(text: str, *, indent: str = "") -> None:
    """Print a text, wrapped to the width of a page."""
    for line in text.split("\n"):
        for part in textwrap.wrap(shown(line), WIDTH - len(indent)) or [""]:
            sys.stdout.write(f"{indent}{part}".rstrip() + "\n")


def print_snippet(text: str, highlights: Iterable[Span], *, indent: str) -> None:
    """Print a passage, with its matches in bold on a terminal."""
    if not sys.stdout.isatty():
        print_block(text, indent=indent)
        return
    pieces, at = [], 0
    for span in highlights:
        pieces += [shown(text[at : span.start]), _BOLD, shown(text[span.start : span.end]), _PLAIN]
        at = span.end
    line = "".join((*pieces, shown(text[at:]))).replace("\n", " ")
    sys.stdout.write(f"{indent}{line}\n")


def print_table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under titles, numbers to the right; a cell that is None stays empty."""
    cells = [list(titles), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(titles))]
    right = [bool(rows) and all(type(row[column]) is int for row in rows) for column in range(len(titles))]
    for row in cells:
        aligned = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        print_line("  ".join(aligned).rstrip())


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def shown(text: str) -> str:
    """Return a text without control characters, which could steer the terminal."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)

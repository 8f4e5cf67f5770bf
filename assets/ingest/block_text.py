"""Build a text block by block: white space folded, one block a line, positions known on the way."""

from collections.abc import Iterator
from contextlib import contextmanager

from serving.contract.raised_digits import RAISED_DIGITS

LEAD_NUMBER = "number"
LEAD_HEADING = "heading"
DASHES = ("—", "–", "-")
_DIGITS = tuple("0123456789")


class BlockText:
    """Collects runs of source text into lines.

    Runs are only folded where a line ends or a position is asked for, since most of them are short.

    Attributes:
        add: append a run of source text; its white space will be folded.
        lead: what the line holds so far where that is no more than a LEAD_NUMBER or LEAD_HEADING, so that a
            nested block stays on it; else None. Reset by the next run.
    """

    __slots__ = ("_bars", "_in_cell", "_lead", "_parts", "_position", "_runs", "_separator", "add")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._runs: list[str] = []
        self._separator = ""
        self._bars = 0
        self._in_cell = False
        self._position = 0
        self._lead: str | None = None
        self.add = self._runs.append

    @property
    def position(self) -> int:
        """Characters so far, without a separator that is still pending.

        A mark taken before a run may therefore point at the separator: `first_character` moves it to the run.
        """
        if self._runs:
            self._collapse()
        return self._position

    def _collapse(self) -> None:
        runs = self._runs
        run = runs[0] if len(runs) == 1 else "".join(runs)
        runs.clear()
        words = run.split()
        if not words:
            if run and self._position and not self._separator:
                self._separator = " "
            return
        separator = self._separator
        if not separator and self._position and run[0].isspace():
            separator = " "
        if self._bars:
            at_line_start = separator == "\n" or not self._position
            separator = (separator if at_line_start else " ") + "| " * self._bars
            self._bars = 0
        piece = separator + " ".join(words)
        self._parts.append(piece)
        self._position += len(piece)
        self._separator = " " if run[-1].isspace() else ""
        self._lead = None

    def start_block(self) -> None:
        """Begin a new line unless the line holds no more than a lead."""
        if self._runs:
            self._collapse()
        if self._lead is None:
            self.break_line()

    def start_number(self) -> None:
        """Begin a designator; it follows another one without a space: `(a)(1)`."""
        if self._runs:
            self._collapse()
        if self._lead == LEAD_NUMBER and self._separator == " ":
            self._separator = ""

    def end_lead(self, lead: str) -> None:
        """End a designator or a heading that its block runs on from."""
        if self._runs:
            self._collapse()
        runs_into = lead == LEAD_HEADING and self._parts[-1:] and self._parts[-1].endswith(DASHES)
        if self._position and not self._separator and not runs_into:
            self._separator = " "
        self._lead = lead

    def space(self) -> None:
        """Put a space before the next run, unless a break is due or nothing precedes."""
        if self._runs:
            self._collapse()
        if self._position and not self._separator:
            self._separator = " "

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Raise the digits of the runs that are added within: they are no part of the number before them."""
        if self._runs:
            self._collapse()
        first = len(self._parts)
        yield
        if self._runs:
            self._collapse()
        self._parts[first:] = [part.translate(RAISED_DIGITS) for part in self._parts[first:]]

    def start_fraction(self) -> None:
        """Part a fraction from the whole number before it: 8 and a half is `8 1/2`, not 81/2."""
        if self.ends_with(_DIGITS):
            self.space()

    def tighten(self) -> None:
        """Take back a pending space: what follows is punctuation whose footnote mark was left out."""
        if self._runs:
            self._collapse()
        if self._separator == " ":
            self._separator = ""

    def break_line(self) -> None:
        """Begin a new line with the next run; within a table cell, only a space."""
        if self._runs:
            self._collapse()
        if self._in_cell:
            self.space()
        elif self._position:
            self._separator = "\n"

    def start_row(self) -> None:
        """Begin a table row: a line of its own."""
        self._in_cell = False
        self.break_line()

    def start_cell(self, *, first: bool) -> None:
        """Begin a cell; cells of a row are separated by ` | `, empty cells at its end leave no trace."""
        if self._runs:
            self._collapse()
        self._in_cell = True
        if not first:
            self._bars += 1

    def end_row(self) -> None:
        """End a table row."""
        if self._runs:
            self._collapse()
        self._in_cell = False
        self._bars = 0
        self.break_line()

    def ends_with(self, endings: tuple[str, ...]) -> bool:
        """Return whether the last run ends with one of these strings."""
        if self._runs:
            self._collapse()
        return bool(self._parts) and self._parts[-1].endswith(endings)

    def text(self) -> str:
        """Return what was collected."""
        if self._runs:
            self._collapse()
        return "".join(self._parts)


def first_character(text: str, position: int) -> int:
    """Return `position` moved over the separator that it may point at."""
    while position < len(text) and text[position] in " \n|":
        position += 1
    return position

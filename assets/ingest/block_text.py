"""Build a text block by block: white space folded, one block a line, positions known on the way."""


class BlockText:
    """Collects runs of source text into lines.

    Attributes:
        position: characters so far, without a separator that is still pending. A mark taken before a run may
            therefore point at the separator: `first_character` moves it to the run.
        after_number: the line holds only designators so far, so that a nested part stays on it: `(a)(1) ...`.
    """

    __slots__ = ("_bars", "_in_cell", "_parts", "_separator", "after_number", "position")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._separator = ""
        self._bars = 0
        self._in_cell = False
        self.position = 0
        self.after_number = False

    def add(self, run: str) -> None:
        """Append a run of source text; its white space is folded."""
        words = run.split()
        if not words:
            self.space()
            return
        if run[0].isspace():
            self.space()
        separator = self._separator
        if self._bars:
            at_line_start = separator == "\n" or not self.position
            separator = (separator if at_line_start else " ") + "| " * self._bars
            self._bars = 0
        piece = separator + " ".join(words)
        self._parts.append(piece)
        self.position += len(piece)
        self._separator = " " if run[-1].isspace() else ""
        self.after_number = False

    def space(self) -> None:
        """Put a space before the next run, unless a break is due or nothing precedes."""
        if self.position and not self._separator:
            self._separator = " "

    def tighten(self) -> None:
        """Take back a pending space: what follows is punctuation whose footnote mark was left out."""
        if self._separator == " ":
            self._separator = ""

    def break_line(self) -> None:
        """Begin a new line with the next run; within a table cell, only a space."""
        if self._in_cell:
            self.space()
        elif self.position:
            self._separator = "\n"

    def start_row(self) -> None:
        """Begin a table row: a line of its own."""
        self._in_cell = False
        self.break_line()

    def start_cell(self, *, first: bool) -> None:
        """Begin a cell; cells of a row are separated by ` | `, empty cells at its end leave no trace."""
        self._in_cell = True
        if not first:
            self._bars += 1

    def end_row(self) -> None:
        """End a table row."""
        self._in_cell = False
        self._bars = 0
        self.break_line()

    def ends_with(self, endings: tuple[str, ...]) -> bool:
        """Return whether the last run ends with one of these strings."""
        return bool(self._parts) and self._parts[-1].endswith(endings)

    def text(self) -> str:
        """Return what was collected."""
        return "".join(self._parts)


def first_character(text: str, position: int) -> int:
    """Return `position` moved over the separator that it may point at."""
    while position < len(text) and text[position] in " \n|":
        position += 1
    return position

"""A text that citations are read from, beside the same text folded for reading."""

import re
from dataclasses import dataclass

from serving.contract.raised_digits import RAISED

SOFT_HYPHEN = "\u00ad"
_DASHES = f"‐‑‒–—―−﹣－{SOFT_HYPHEN}"
ANY_DASH = f"[-{_DASHES}]"
"""Pattern of one dash, for text that is read as it is written."""
_SPACES = "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff"
_WHITE = "\t\n\r\v\f"
_QUOTES = "’‘ʼ`´"
_LAYOUT = re.compile(
    r"</?[a-z][a-z0-9]{0,9}(?: [^<>]{0,200})?/?>"
    r"|\*\*{0,2}|_(?<![0-9a-z_]_)_{0,2}(?=[0-9a-z§])|_(?<=[0-9a-z.)]_)_{0,2}(?![0-9a-z_])"
)
"""Marks of HTML and Markdown, which stand for nothing that is cited: `<i>28 U.S.C.</i> § 1332`.

Each begins with its sign, by which the `re` module passes quickly over text without any.
"""
_MARKS = re.compile(rf" ?(?:{_LAYOUT.pattern})+", re.IGNORECASE)
_SOFT_BREAK = re.compile("\u00ad(?![0-9A-Za-z])|(?<![0-9A-Za-z])\u00ad")
_NOT_PLAIN = re.compile(f"[{_DASHES}{_SPACES}{_QUOTES}{RAISED}]")
_DOUBLE_DASH = re.compile(r"(?<!-)-{2,3}(?!-)")
"""Dash of a typewriter: `§§ 201--219` is the range `§§ 201-219`."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text and its folded form.

    Both have the same length: a position in one is the same position in the other.

    Attributes:
        original: the text as it is written.
        folded: the same in lower case, with plain dashes, spaces and apostrophes, as `fold` returns it.
        enacted: it is the text of a law, where a label that begins a line is that of a part.
    """

    original: str
    folded: str
    enacted: bool = False

    @classmethod
    def of(cls, text: str, *, enacted: bool = False) -> "SourceText":
        """Fold a text."""
        return cls(text, fold(text), enacted)

    def __len__(self) -> int:
        return len(self.original)

    def hyphenated(self, start: int, end: int) -> str:
        """Return characters [start, end) as written, with plain hyphens for dashes of every kind."""
        written = self.original[start:end]
        return written if written.isascii() else fold_dashes(written)

    def behind_blanks(self, position: int) -> int:
        """Return the position behind blanks and commas."""
        while position < len(self.folded) and self.folded[position] in " ,":
            position += 1
        return position

    def behind_layout(self, position: int) -> int:
        """Return the position behind marks of layout: behind the `**` of `§ 107**(a)**`."""
        return skip(_MARKS, self.original, position)

    def breaks_line(self, start: int, end: int) -> bool:
        """Return True where a line ends within characters [start, end)."""
        return "\n" in self.original[start:end]


def fold_dashes(text: str) -> str:
    """Return the text with a plain hyphen for every dash."""
    if not text.isascii() and _NOT_PLAIN.search(text):
        for dash in _DASHES:
            text = text.replace(dash, "-")
    return text


def fold(text: str) -> str:
    """Return text of the same length in lower case, with plain dashes, spaces and apostrophes.

    Marks of layout and of footnotes are blanks. A character stays one character, so that positions stay what
    they are.
    """
    if not text.isprintable():
        for character in _WHITE:
            text = text.replace(character, " ")
    if text.isascii():
        return _without_layout(text.lower())
    if _NOT_PLAIN.search(text):
        text = fold_dashes(_SOFT_BREAK.sub(" ", text))
        for character in _SPACES + RAISED:
            text = text.replace(character, " ")
        for character in _QUOTES:
            text = text.replace(character, "'")
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return _without_layout(lower)


def _without_layout(text: str) -> str:
    """Return the folded text with blanks for marks of layout, and one dash for those of a typewriter."""
    if "<" in text or "*" in text or "_" in text:
        text = _LAYOUT.sub(lambda marks: " " * len(marks.group()), text)
    if "--" in text:
        text = _DOUBLE_DASH.sub(lambda dashes: "-".center(len(dashes.group())), text)
    return text


def skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return where a pattern ends that may stand at a position; the position where it does not."""
    match = pattern.match(text, position)
    return match.end() if match else position

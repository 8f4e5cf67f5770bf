"""A text that citations are read from, beside the same text folded for reading."""

from dataclasses import dataclass

_DASHES = "‐‑‒–—―−﹣－\u00ad"
_SPACES = "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000\ufeff"
_WHITE = "\t\n\r\v\f"
_QUOTES = "’‘ʼ`´"


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text and its folded form.

    Both have the same length: a position in one is the same position in the other.

    Attributes:
        original: the text as it is written.
        folded: the same in lower case, with plain dashes, spaces and apostrophes, as `fold` returns it.
    """

    original: str
    folded: str

    @classmethod
    def of(cls, text: str) -> "SourceText":
        """Fold a text."""
        return cls(text, fold(text))

    def __len__(self) -> int:
        return len(self.original)

    def hyphenated(self, start: int, end: int) -> str:
        """Return characters [start, end) as written, with plain hyphens for dashes of every kind."""
        written = self.original[start:end]
        return written if written.isascii() else fold_dashes(written)

    def breaks_line(self, start: int, end: int) -> bool:
        """Return True where a line ends within characters [start, end)."""
        return "\n" in self.original[start:end]


def fold_dashes(text: str) -> str:
    """Return the text with a plain hyphen for every dash."""
    if not text.isascii():
        for dash in _DASHES:
            text = text.replace(dash, "-")
    return text


def fold(text: str) -> str:
    """Return text of the same length in lower case, with plain dashes, spaces and apostrophes.

    A character stays one character, so that positions stay what they are.
    """
    if not text.isprintable():
        for character in _WHITE:
            text = text.replace(character, " ")
    if text.isascii():
        return text.lower()
    text = fold_dashes(text)
    for character in _SPACES:
        text = text.replace(character, " ")
    for character in _QUOTES:
        text = text.replace(character, "'")
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return lower

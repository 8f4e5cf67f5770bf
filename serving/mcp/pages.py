"""Pages of long provisions: the part of a text that one answer holds, cut at a natural break."""

from typing import NamedTuple

from serving.contract.errors import ValidationError

_TAIL = 0.2
"""Share of a page, at its end, in which a good place to cut is looked for."""


class Page(NamedTuple):
    """Characters [start, end) of a text; `next`: where the next page begins, None after the last."""

    start: int
    end: int
    next: int | None


def require_within(offset: int, length: int) -> None:
    """Check an offset of a caller against the length of the text.

    Raises:
        ValidationError: the text ends before it.
    """
    if offset > length:
        raise ValidationError(
            f"Argument `offset` must be at most {length:,}, where the text ends.", parameter="offset"
        )


def cut_page(text: str, start: int, *, characters: int, most_bytes: int) -> Page:
    """Return the page of a text that begins at a character and ends with a line, sentence or word.

    Args:
        text: the whole.
        start: first character of the page, from 0 to the length of the text.
        characters: on a page.
        most_bytes: most bytes of a page in UTF-8, at least 4.
    """
    end = min(len(text), start + characters)
    while len(text[start:end].encode()) > most_bytes:
        end = start + max(1, (end - start) * 9 // 10)
    if end < len(text):
        end = _good_end(text, start, end)
    return Page(start, end, end if end < len(text) else None)


def _good_end(text: str, start: int, end: int) -> int:
    low = end - int((end - start) * _TAIL)
    for mark in ("\n", ". ", "; ", " "):
        found = text.rfind(mark, low, end)
        if found >= low:
            return max(start + 1, found + len(mark))
    return end

"""Marks in a provision's text that quotations leave out: designators of its parts, and marks of footnotes."""

import re
from collections.abc import Collection, Iterator

from serving.contract.raised_digits import RAISED_DIGITS
from serving.services.quotations.folding import Normalisation, Skip

_HEADS = re.compile(
    r"^(?:(?:\((?:\d{1,4}[A-Za-z]{0,2}|[A-Za-z]{1,5})(?:[-‐‑–][0-9A-Za-z]{1,4})?\) ?){1,6}"
    r"|(?:\d{1,3}|[A-Z]|[ivx]{1,5})\. )",
    re.MULTILINE,
)
"""Designators at the head of a line: `(a)`, `(a)(1)`, `1.`"""


def marks_of(text: str, footnotes: Collection[str]) -> list[Skip]:
    """Return the designators and footnote marks of a text, in their order.

    Args:
        text: of the provision.
        footnotes: numbers of its footnotes.
    """
    found = [Skip(*head.span(), Normalisation.DESIGNATORS) for head in _HEADS.finditer(text)]
    return sorted((*found, *_footnote_marks(text, footnotes)))


def _footnote_marks(text: str, footnotes: Collection[str]) -> Iterator[Skip]:
    """Yield the marks that a source left among the words.

    Such a mark is a footnote's number right behind another number, since no two numbers follow each other
    in prose (`section 1582 of title 10 1 shall apply`), or a raised one behind a blank, a stop or a closing
    mark, where no exponent stands.
    """
    numbers = sorted({number for number in footnotes if number.isdigit()})
    if not numbers:
        return
    # The token before it holds a figure: `10`, `8(c)`, `$3,293`.
    for match in re.finditer(rf" (?:{'|'.join(numbers)})(?=[\s,.;:)]|$)", text):
        before = text[max(0, match.start() - 40) : match.start()].rpartition(" ")[2]
        if any(letter.isdigit() for letter in before) and before[-1:] not in ",;:":
            yield Skip(*match.span(), Normalisation.FOOTNOTE_MARKS)
    raised = "|".join(number.translate(RAISED_DIGITS) for number in numbers)
    for match in re.finditer(rf"(?: |(?<=[,.;:”’]))(?:{raised})(?!\w)", text):
        yield Skip(*match.span(), Normalisation.FOOTNOTE_MARKS)

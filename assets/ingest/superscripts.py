"""Superscripts of a source: exponents and marks of footnotes, whose digits stay raised, and numerators."""

from collections.abc import Callable, Sequence

from lxml import etree

from assets.ingest.block_text import BlockText
from serving.contract.raised_digits import RAISED_DIGITS

_FRACTION_SLASHES = ("\u2044", "\u2215")
_SUBSCRIPTS = ("sub", "SUB")
_LOWERED_FACE = ("E", "52")
"""Name and type of an element of the eCFR that lowers its text."""


def add_superscript(
    out: BlockText, element: etree._Element, inside: Callable[[etree._Element], None]
) -> None:
    """Add a superscript to a text: `10⁷` is not 107, nor is `1 7⁄10` 17⁄10.

    Args:
        out: receives the text.
        element: the superscript.
        inside: adds what stands in the element.
    """
    if is_numerator(element):
        out.start_fraction()
        inside(element)
    else:
        with out.raised():
            inside(element)


def written_superscript(element: etree._Element, words: str, before: Sequence[str]) -> str:
    """Return the words of a superscript as they follow other runs of a heading or note, by the same rule."""
    return written_fraction(words, before) if is_numerator(element) else words.translate(RAISED_DIGITS)


def written_fraction(words: str, before: Sequence[str]) -> str:
    """Return the words of a fraction as they follow other runs: apart from the whole number before it."""
    is_mixed = next(filter(None, reversed(before)), "")[-1:].isdecimal()
    return f" {words}" if is_mixed else words


def is_numerator(element: etree._Element) -> bool:
    """Return whether the superscript is the upper part of a fraction: slash and lower part follow at once.

    Only a subscript is a lower part behind an ordinary slash, which divides units, too: `10⁶/ml`.
    """
    tail = element.tail or ""
    if tail.startswith(_FRACTION_SLASHES):
        return True
    following = element.getnext()
    return tail == "/" and following is not None and _is_lowered(following)


def _is_lowered(element: etree._Element) -> bool:
    name = str(element.tag).rpartition("}")[2]
    return name in _SUBSCRIPTS or (name, element.get("T")) == _LOWERED_FACE

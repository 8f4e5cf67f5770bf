"""Superscripts of a source: exponents and marks of footnotes, whose digits stay raised, and numerators."""

from collections.abc import Callable

from lxml import etree

from assets.ingest.block_text import BlockText

_SLASHES = ("\u2044", "\u2215", "/")


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


def is_numerator(element: etree._Element) -> bool:
    """Return whether the superscript is the upper part of a fraction: a slash follows at once."""
    return (element.tail or "").startswith(_SLASHES)

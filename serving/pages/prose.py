"""Texts of programs as HTML: their paragraphs, and the code between their backticks."""

import re

from markupsafe import Markup

_CODE = re.compile(r"`([^`]+)`")
_PARAGRAPHS = re.compile(r"\n{2,}")


def line(text: str) -> Markup:
    """Return a text as HTML within a line or a paragraph."""
    pieces = _CODE.split(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else Markup.escape(piece)
        for place, piece in enumerate(pieces)
    )


def paragraphs(text: str) -> Markup:
    """Return a text as HTML paragraphs."""
    return Markup("").join(Markup("<p>{}</p>").format(line(part)) for part in _PARAGRAPHS.split(text) if part)

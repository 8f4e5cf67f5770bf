"""Values of headers: always printable ASCII, even where a client chose the text."""

from urllib.parse import quote

_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def header_value(text: str) -> str:
    """Return a text as a header can carry it: characters that are not printable ASCII are percent-encoded."""
    if text.isascii() and text.isprintable():
        return text
    return quote(text, safe=_PRINTABLE, errors="replace")

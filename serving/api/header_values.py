"""Values of headers: printable ASCII, whoever chose them."""

from urllib.parse import quote

_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def header_value(text: str) -> str:
    """Return a text as a header carries it: what is not printable ASCII is percent-encoded."""
    if text.isascii() and text.isprintable():
        return text
    return quote(text, safe=_PRINTABLE, errors="replace")

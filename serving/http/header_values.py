"""What goes into a header: printable ASCII, whoever chose it."""

from urllib.parse import quote

import falcon.asgi

_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def header_value(text: str) -> str:
    """Return a text as a header carries it: what is not printable ASCII is percent-encoded."""
    if text.isascii() and text.isprintable():
        return text
    return quote(text, safe=_PRINTABLE, errors="replace")


class Response(falcon.asgi.Response):
    """An answer whose headers take any text, a client's too."""

    __slots__ = ()

    def set_header(self, name: str, value: str) -> None:
        """Set a header, in place of the one before."""
        super().set_header(name, header_value(value))

"""Responses of falcon whose headers accept any text."""

import falcon.asgi

from serving.api.header_values import header_value


class Response(falcon.asgi.Response):
    """A response whose headers accept any text, also text from a client."""

    __slots__ = ()

    def set_header(self, name: str, value: str) -> None:
        """Set a header, replacing its earlier value."""
        super().set_header(name, header_value(value))

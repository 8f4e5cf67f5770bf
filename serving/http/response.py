"""Answers of falcon's whose headers take any text."""

import falcon.asgi

from serving.api.header_values import header_value


class Response(falcon.asgi.Response):
    """An answer whose headers take any text, a client's too."""

    __slots__ = ()

    def set_header(self, name: str, value: str) -> None:
        """Set a header, in place of the one before."""
        super().set_header(name, header_value(value))

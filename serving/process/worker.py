"""The gunicorn worker: uvicorn's, with our protocol and the regular checks of connections."""

import asyncio
from functools import partial
from typing import Any

from uvicorn_worker import UvicornWorker

from serving.process.protocol.connections import Connections, Limits
from serving.process.protocol.plain_protocol import Protocol
from serving.settings.settings import Settings


class Worker(UvicornWorker):  # type: ignore[misc]  # the package has no types
    """Runs the application on uvloop."""

    # A WebSocket is asked for in vain: the request is answered as any other.
    CONFIG_KWARGS = {"loop": "uvloop", "ws": "none", "server_header": False}  # noqa: RUF012 (its own kind)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = Connections(Limits.from_settings(Settings.from_env()))
        self.config.http = partial(Protocol, connections=self._connections)

    async def _serve(self) -> None:
        watching = asyncio.create_task(self._connections.watch())
        try:
            await super()._serve()
        finally:
            watching.cancel()

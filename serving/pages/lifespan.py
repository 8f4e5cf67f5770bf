"""Start of a worker for its pages: their templates are compiled once it serves."""

import asyncio
from collections.abc import Mapping
from typing import Any

from serving.pages.rendering import compile_templates


class TemplatesLifespan:
    """Compiles the templates beside the first requests, which need not wait for it.

    A page that is asked for meanwhile compiles its own. Added after what opens the snapshot.
    """

    def __init__(self) -> None:
        self._compiling: asyncio.Task[None] | None = None

    async def process_startup(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Begin to compile."""
        del scope, event
        self._compiling = asyncio.create_task(asyncio.to_thread(compile_templates))

    async def process_shutdown(self, scope: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """Wait until it is done, which takes half a second at most."""
        del scope, event
        if self._compiling is not None:
            await self._compiling

"""Control over reading from a connection of which bytes wait unparsed."""

import asyncio

from uvicorn.protocols.http.flow_control import FlowControl


class ReadingControl(FlowControl):
    """Pauses and resumes reading. While bytes wait unparsed, only their holder can resume it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self._is_held = False

    def hold(self) -> None:
        """Pause reading until `release`."""
        self._is_held = True
        self.pause_reading()

    def release(self) -> None:
        """Resume reading, if it was held."""
        if self._is_held:
            self._is_held = False
            self.resume_reading()

    def resume_reading(self) -> None:
        """Resume reading unless it is held."""
        if not self._is_held:
            super().resume_reading()

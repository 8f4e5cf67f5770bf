"""Structured logs: one JSON object a line on standard error."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from serving.metering.keys import redacted

_STANDARD = frozenset(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {
    "message",
    "asctime",
    "taskName",
    "color_message",  # uvicorn's event again, with codes for a terminal
}


class JsonFormatter(logging.Formatter):
    """Writes a record as one line: time, level, logger, event, and the fields given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. An API key that a caller put in the wrong place, such as a path, is shortened."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line.update((key, value) for key, value in record.__dict__.items() if key not in _STANDARD)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return redacted(json.dumps(line, ensure_ascii=False, default=str))


def logging_config(level: str) -> dict[str, Any]:
    """Return the configuration of `logging.config.dictConfig`: all loggers, gunicorn's too, as JSON lines.

    The access logs of gunicorn and uvicorn are off: `serving.access` has a record of each request.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": sys.stderr}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            name: {"level": level.upper(), "handlers": ["stderr"], "propagate": False}
            for name in ("serving", "gunicorn.error", "uvicorn.error")
        }
        # Uvicorn logs requests with their queries wherever this has a handler; ours are logged without.
        | {"gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False}},
    }

"""Hooks of Schemathesis: each request carries the next of the keys at hand, and its outcome is noted.

Loaded by Schemathesis in its own process; it reads what the tests wrote into its environment.
"""

import os
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from uuid import UUID

import schemathesis

KEYS, OUTCOMES = "DESCRIBED_KEYS", "DESCRIBED_OUTCOMES"
_keys = cycle(os.environ.get(KEYS, "none").split())


@schemathesis.auth(refresh_interval=None)
class NextKey:
    """Authenticates a request."""

    def get(self, case, context):
        del case, context
        return next(_keys)

    def set(self, case, data, context):
        del context
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Change what is valid by the schema and still refused: rules that no schema tells.

    A snapshot is asked for by its id or by a day that was, and a link to a provision that an answer does not name
    (`null`) leads to one that is not there.
    """
    del context, kwargs
    if not case.meta.generation.mode.is_positive:
        return
    query, path = case.query or {}, case.path_parameters or {}
    if "snapshot" in query or str(query.get("date", "")) > datetime.now(UTC).date().isoformat():
        query.pop("date", None)
    if "id" in path and path["id"] in (None, "None"):
        path["id"] = str(UUID(int=0))


@schemathesis.hook
def after_call(context, case, response):
    """Note which operation answered with which status."""
    del context
    with Path(os.environ[OUTCOMES]).open("a", encoding="utf-8") as lines:
        lines.write(f"{case.operation.label}\t{response.status_code}\n")

"""Hooks of Schemathesis: each request carries the next of the keys at hand, and its outcome is noted.

Loaded by Schemathesis in its own process; it reads what the tests wrote into its environment.
"""

import os
from itertools import cycle
from pathlib import Path

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
def after_call(context, case, response):
    """Note which operation answered with which status."""
    del context
    with Path(os.environ[OUTCOMES]).open("a", encoding="utf-8") as lines:
        lines.write(f"{case.operation.label}\t{response.status_code}\n")

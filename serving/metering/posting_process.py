"""The process that posts, which is told the database in a line of its input.

It ends with its input, which is its parent's pipe, so that it never outlives the one who needs it.
"""

import gc
import json
import select
import sys
from io import RawIOBase
from time import monotonic

from serving.metering.database import sqlite_path
from serving.metering.poster import Tables, post
from serving.metering.postgres_posting import PostgresTables
from serving.metering.sqlite_posting import SqliteTables

PAUSE_SECONDS = 0.05
"""Seconds between looks at what waits."""
GARBAGE = 200_000
"""New objects after which circles among them are looked for."""
IDLE_SECONDS = 60.0
"""Seconds without anything to do after which it ends."""


def main(told: RawIOBase) -> int:
    """Post until the input ends, or nothing was to be done for a while; 0, unless it failed."""
    # Rows of thousands are made and dropped, none of them in a circle.
    gc.set_threshold(GARBAGE)
    asked = json.loads(told.readline())
    path = sqlite_path(asked["url"])
    tables: Tables = (
        PostgresTables(asked["url"], patience=asked["patience"]) if path is None else SqliteTables(path)
    )
    try:
        if not tables.try_alone():
            return 0
        worked = monotonic()
        while monotonic() - worked < IDLE_SECONDS:
            if post(tables):
                worked = monotonic()
            if select.select([told], [], [], PAUSE_SECONDS)[0]:
                break
    finally:
        tables.close()
    return 0


if __name__ == "__main__":
    # Unbuffered: nothing is read ahead that would be hidden from `select`.
    sys.exit(main(open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)))  # noqa: SIM115 (it ends with the process)

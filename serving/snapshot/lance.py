"""LanceDB's tables for threads that wait: its coroutines run on one event loop, on a thread of its own.

LanceDB is imported by who opens a table: it takes longer to import than most commands to run, which open
none.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import uvloop

_Result = TypeVar("_Result")


def begin(coroutine: Coroutine[Any, Any, _Result]) -> Future[_Result]:
    """Begin a coroutine of LanceDB's beside the thread that asks for it."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop())


def run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine of LanceDB's, and return or raise its result."""
    return begin(coroutine).result()


async def open_table(folder: Path, name: str) -> Any:
    """Return a table. Its interface without coroutines adds a millisecond to each search."""
    import lancedb  # noqa: PLC0415 - as said above

    return await (await lancedb.connect_async(str(folder))).open_table(name)


async def nearest(query: Any, most: int) -> pa.Table:
    """Return what a vector query with that limit finds.

    LanceDB's own `to_arrow` asks for the schema of the table first, goes on reading when it has all, and
    copies: a third of the time of a search.
    """
    stream = await query._inner.execute()  # the public call does what is said above
    batches: list[pa.RecordBatch] = []
    found = 0
    while found < most:
        try:
            batches.append(await anext(stream))
        except StopAsyncIteration:
            break
        found += batches[-1].num_rows
    return pa.Table.from_batches(batches, schema=stream.schema)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this process, which waits for LanceDB's threads."""
    # A search wakes it three times: each costs less than with the loop of the standard library.
    loop = uvloop.new_event_loop()
    threading.Thread(target=loop.run_forever, name="lancedb-loop", daemon=True).start()
    return loop

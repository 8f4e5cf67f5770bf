"""Tables of LanceDB for threads that wait, by its engine alone.

Its package in Python is left out. It imports two thousand classes for its cloud, in more than a second and
70 MB, and starts a thread as it is imported. Each search takes half as long again with it: it asks for the
schema before a query, goes on reading when it has all, and copies. What is called here is what it calls.
"""

import asyncio
import sys
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import uvloop

ENGINE = "lancedb._lancedb"

_Result = TypeVar("_Result")
_loading = threading.Lock()


class LanceTable:
    """One open table. Every method may be called from any thread.

    Args:
        folder: folder of the database.
        name: name of the table in it.

    Raises:
        OSError, ValueError, RuntimeError: there is none that can be read.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._table = _begin(_open(folder, name)).result()

    def indexed(self) -> dict[str, str]:
        """Return the columns that have an index, each with its kind."""
        found = _begin(_indexes(self._table)).result()
        return {column: index.index_type for index in found for column in index.columns}

    def read(self, columns: Sequence[str]) -> pa.Table:
        """Return columns of all rows, with the ids that rows have in the index."""
        query = self._table.query()
        query.select_columns(list(columns))
        query.with_row_id()
        return _begin(_found(query)).result()

    def take(self, offsets: np.ndarray, columns: Sequence[str]) -> pa.Table:
        """Return columns of the rows at distinct places, in any order."""
        query = self._table.take_offsets(offsets.tolist())
        query.select_columns(list(columns))
        return _begin(_found(query)).result()

    def nearest(
        self, vector: np.ndarray, *, column: str, limit: int, where: str | None, probes: int | None, ef: int
    ) -> pa.Table:
        """Return the rows nearest to a vector by cosine, their ids and distances.

        Args:
            vector: the vector, as the column holds them.
            column: column of the vectors.
            limit: most rows.
            where: condition on the columns of the table.
            probes: graphs or lists that are searched; None where the column has no index.
            ef: candidates that the search of a graph keeps; short codes have none.
        """
        query = self._table.query().nearest_to(pa.array(vector))
        query.column(column)
        query.distance_type("cosine")
        # A row's id is at hand; its columns would be read from the table, which takes as long as the search.
        # Lance logs a warning for each query that leaves its distance out.
        query.select_columns(["_distance"])
        query.with_row_id()
        if probes is not None:
            query.nprobes(probes)
            query.ef(ef)
        if where is not None:
            query.where(where)
        query.limit(limit)
        return _begin(_found(query, limit)).result()


async def _open(folder: Path, name: str) -> Any:
    # A folder, and nothing of what the cloud asks for.
    connection = await _engine().connect(str(folder), None, None, None, None, None, None, None, None)
    return await connection.open_table(name)


async def _indexes(table: Any) -> Any:
    return await table.list_indices()


async def _found(query: Any, most: int | None = None) -> pa.Table:
    """Return what a query finds, as soon as it has as many rows as it may."""
    stream = await query.execute()
    batches: list[pa.RecordBatch] = []
    while most is None or sum(batch.num_rows for batch in batches) < most:
        try:
            batches.append(await anext(stream))
        except StopAsyncIteration:
            break
    return pa.Table.from_batches(batches, schema=stream.schema)


def _begin(coroutine: Coroutine[Any, Any, _Result]) -> Future[_Result]:
    """Begin a coroutine on the loop that waits for the engine's threads."""
    return asyncio.run_coroutine_threadsafe(coroutine, _loop())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    # A search wakes it twice: each costs less than with the loop of the standard library.
    loop = uvloop.new_event_loop()
    threading.Thread(target=loop.run_forever, name="lance-loop", daemon=True).start()
    return loop


def _engine() -> ModuleType:
    """Return the engine, which is loaded without the package around it unless that is loaded already.

    Raises:
        ImportError: it is not installed.
    """
    with _loading:
        loaded = sys.modules.get(ENGINE)
        if loaded is not None:
            return loaded
        package = find_spec(ENGINE.partition(".")[0])
        locations = package.submodule_search_locations if package else None
        found = PathFinder.find_spec(ENGINE, locations)
        if found is None or found.loader is None:
            raise ImportError(f"{ENGINE} is not installed", name=ENGINE)
        module = module_from_spec(found)
        found.loader.exec_module(module)
        sys.modules[ENGINE] = module  # for who imports the package later
        return module


def load_engine() -> None:
    """Load the engine now; it starts no thread before a table is opened."""
    _engine()

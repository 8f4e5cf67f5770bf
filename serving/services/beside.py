"""Blocking work beside the thread that asks for it, which does not leave before that work has ended."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Beside:
    """Threads for one part of a longer call. What they are given must not ask for such a thread again.

    Args:
        name: prefix of the threads' names.
        threads: most threads; they start with the first calls.
    """

    def __init__(self, name: str, *, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    @contextmanager
    def begin(
        self,
        call: Callable[_Arguments, _Result],
        /,
        *args: _Arguments.args,
        **kwargs: _Arguments.kwargs,
    ) -> Iterator[Future[_Result]]:
        """Begin a call. When the context is left it has ended, or is dropped where it was not begun."""
        future = self._threads.submit(call, *args, **kwargs)
        try:
            yield future
        finally:
            if not future.cancel():
                wait((future,))

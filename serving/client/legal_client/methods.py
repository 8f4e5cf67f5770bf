"""Calls of the API as methods of both clients: described once, answered at once or awaited."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar, overload

from legal_client import calls
from legal_client.calls import Call

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Sender(ABC):
    """Sends calls and returns their results."""

    @abstractmethod
    def send(self, call: Call[Result]) -> Result:
        """Make a call of `legal_client.calls`."""


class AsyncSender(ABC):
    """Sends calls and returns awaitables of their results."""

    @abstractmethod
    async def send(self, call: Call[Result]) -> Result:
        """Make a call of `legal_client.calls`."""


class Method(Generic[Parameters, Result]):
    """A call as a method: on a `Sender` it returns the result, on an `AsyncSender` an awaitable of it.

    Args:
        describe: makes the call of the method's arguments; its docstring is the method's.
    """

    def __init__(self, describe: Callable[Parameters, Call[Result]]) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, client: None, owner: type[Any]) -> "Method[Parameters, Result]": ...
    @overload
    def __get__(self, client: Sender, owner: type[Any]) -> Callable[Parameters, Result]: ...
    @overload
    def __get__(self, client: AsyncSender, owner: type[Any]) -> Callable[Parameters, Awaitable[Result]]: ...
    def __get__(self, client: Sender | AsyncSender | None, owner: type[Any]) -> Any:
        if client is None:
            return self

        @wraps(self._describe)
        def send(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result | Awaitable[Result]:
            return client.send(self._describe(*args, **kwargs))

        return send


class Methods:
    """The methods that make one call each."""

    search = Method(calls.search)
    node = Method(calls.node)
    cite = Method(calls.cite)
    cited_by = Method(calls.cited_by)
    history = Method(calls.history)
    changes = Method(calls.changes)
    check_text = Method(calls.check_text)
    verify_quote = Method(calls.verify_quote)
    code_bodies = Method(calls.code_bodies)
    browse = Method(calls.browse)
    gis = Method(calls.gis)
    gis_at = Method(calls.gis_at)
    coverage = Method(calls.coverage)
    snapshots = Method(calls.snapshots)
    downloads = Method(calls.downloads)
    log_checkpoint = Method(calls.log_checkpoint)
    log_tile = Method(calls.log_tile)
    corrections = Method(calls.corrections)
    watches = Method(calls.watches)
    watch = Method(calls.watch)
    add_watch = Method(calls.add_watch)
    remove_watch = Method(calls.remove_watch)
    test_watch = Method(calls.test_watch)
    renew_watch = Method(calls.renew_watch)
    replay_watch = Method(calls.replay_watch)
    me = Method(calls.me)
    order = Method(calls.order)
    compare = Method(calls.compare)
    prices = Method(calls.prices)

"""Caches of what users type: bounded in entries, and in how long a text is remembered at all."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_Text = TypeVar("_Text", str, bytes)
_Result = TypeVar("_Result")


def remember(
    *, entries: int, longest: int
) -> Callable[[Callable[[_Text], _Result]], Callable[[_Text], _Result]]:
    """Have a function of one text remember its newest results.

    Args:
        entries: results that are remembered.
        longest: characters or bytes of a text that is remembered; of a longer one it is worked out each time,
            so that nobody fills the memory by asking for long ones.
    """

    def decorate(function: Callable[[_Text], _Result]) -> Callable[[_Text], _Result]:
        remembered = lru_cache(entries)(function)

        @wraps(function)
        def call(text: _Text) -> _Result:
            return remembered(text) if len(text) <= longest else function(text)

        return call

    return decorate

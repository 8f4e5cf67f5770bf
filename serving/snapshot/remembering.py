"""Caches for texts that users type, limited in entries and in the length of a text."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_Text = TypeVar("_Text", str, bytes)
_Result = TypeVar("_Result")


def remember(
    *, entries: int, longest: int
) -> Callable[[Callable[[_Text], _Result]], Callable[[_Text], _Result]]:
    """Return a decorator that makes a function of one text remember its newest results.

    Args:
        entries: results that are remembered.
        longest: characters or bytes of a text that is remembered; the result for a longer one is computed
            each time, so that nobody can fill the memory with long texts.
    """

    def decorate(function: Callable[[_Text], _Result]) -> Callable[[_Text], _Result]:
        remembered = lru_cache(entries)(function)

        @wraps(function)
        def call(text: _Text) -> _Result:
            return remembered(text) if len(text) <= longest else function(text)

        return call

    return decorate

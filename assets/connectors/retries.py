"""Retries: exponential back-off with jitter, and no sooner than the publisher asks."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type
from tenacity.wait import wait_exponential_jitter

from assets.connectors.errors import FetchError, PassingError

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """Bounds on waiting, in seconds.

    Attributes:
        attempts: at one request that brings nothing new.
        longest: the longest wait of the back-off.
        most: the longest wait that a publisher may ask for; beyond it the fetch is given up.
    """

    attempts: int = 5
    first: float = 1.0
    longest: float = 60.0
    jitter: float = 1.0
    most: float = 600.0


def retrying(
    ask: Callable[[], Answer],
    patience: Patience,
    *,
    sleep: Callable[[float], None] = time.sleep,
    held: Callable[[], int] = lambda: 0,
) -> Answer:
    """Return what `ask` returns, asking again after errors that pass.

    Args:
        ask: called until it raises no `PassingError`.
        patience: bounds on attempts and waiting.
        sleep: waits for so many seconds.
        held: returns the bytes that are there; an attempt that brought some is not counted.

    Raises:
        FetchError: the last error, once the attempts are used up or the publisher asks for too long a wait.
    """
    backoff = wait_exponential_jitter(patience.first, patience.longest, jitter=patience.jitter)
    most, fruitless = held(), 0

    def wait(state: RetryCallState) -> float:
        asked = _error(state).retry_after
        if asked is not None and asked > patience.most:
            raise FetchError(f"{_error(state).message} It asks to wait {asked:,.0f} s: try again then.")
        return max(backoff(state), asked or 0.0)

    def stop(_: RetryCallState) -> bool:
        nonlocal most, fruitless
        fruitless = 1 if held() > most else fruitless + 1
        most = max(most, held())
        return fruitless >= patience.attempts

    return Retrying(
        retry=retry_if_exception_type(PassingError), stop=stop, wait=wait, sleep=sleep, reraise=True
    )(ask)


def retry_after(value: str | None, *, now: datetime | None = None) -> float | None:
    """Return the seconds of a header `Retry-After`, in either of its forms; None where it says nothing."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max((then - (now or datetime.now(UTC))).total_seconds(), 0.0)


def _error(state: RetryCallState) -> PassingError:
    error = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(error, PassingError)  # noqa: S101 - `retry_if_exception_type` lets no other through
    return error

"""How the work that a text makes grows with its length.

A bound in seconds would fail on a slow machine, and where it is traced which lines ran; two lengths in one test do not.
"""

import time
from collections.abc import Callable

TIMES_OF_LENGTH = 8
ALLOWED = 3
"""How much faster than the length the work may grow: eight times that where it is quadratic."""
UNMEASURED_SECONDS = 0.005
"""What takes less is taken for this: less cannot be measured."""


def grows_with_length(read: Callable[[str], object], text: Callable[[int], str], longest: int) -> bool:
    """Say whether reading `text(length)` takes processor time in proportion to the length, up to the `longest`."""
    short, long = text(longest // TIMES_OF_LENGTH), text(longest)
    least = max(_seconds(read, short), UNMEASURED_SECONDS)
    return _seconds(read, long) < ALLOWED * TIMES_OF_LENGTH * least


def _seconds(read: Callable[[str], object], text: str) -> float:
    """Return the processor time of the fastest of three readings."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        read(text)
        taken.append(time.process_time() - began)
    return min(taken)

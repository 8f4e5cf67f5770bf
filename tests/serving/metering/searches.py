"""Searches that take their time and are counted; `slow` makes them so in the process that imports it."""

from pathlib import Path

SECONDS = 0.2
COUNTED = "TEST_SEARCHES"
"""Variable that names the file with one line for each search that began."""


def held_by(counted: Path) -> Path:
    """The file beside the count: while it is there, no search ends."""
    return counted.with_name("held")

"""Searches that take their time and are counted; `slow` makes them so in the process that imports it."""

SECONDS = 0.2
COUNTED = "TEST_SEARCHES"
"""Variable that names the file with one line for each search that began."""

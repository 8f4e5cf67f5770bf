"""Interface of an engine under measurement: built once, opened in each process, connected to by each client."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.benchmarks.peers.corpus import Corpus

PASSAGES = 100
"""Passages that each arm of a peer fetches, and most provisions that are asked for."""


class Asked(NamedTuple):
    """A query as a client sends it.

    Attributes:
        jurisdiction: short code that the search is narrowed to; None for all.
        scope: short codes of it and of what lies within it; empty for all.
    """

    text: str
    jurisdiction: str | None
    scope: tuple[str, ...]


Search = Callable[[Asked, int], list[str]]
"""Returns the ids of at most so many provisions, best first. One client calls it, from one thread."""
Connect = Callable[[], Search]
"""Connects one client."""


class NotInstalledError(Exception):
    """An engine is missing here; the message says how to install it."""


class Engine(Protocol):
    """An engine. It holds nothing but names of files and servers, so that it can be sent to another process."""

    @property
    def name(self) -> str:
        """Name in tables."""

    def build(self, corpus: Corpus) -> None:
        """Load the passages and index them."""

    def open(self) -> Connect:
        """Open what the clients of a process share, the encoder included."""

    def bytes_on_disk(self) -> int:
        """Return the size of what was built."""

    def servers(self) -> list[int]:
        """Return the ids of processes that serve it beside those of its clients."""


def distinct(nodes: Iterable[str], limit: int) -> list[str]:
    """Return the provisions of passages in the order of each one's best passage."""
    return list(dict.fromkeys(nodes))[:limit]


def size_of(*paths: Path) -> int:
    """Return the bytes of files, and of all files in folders."""
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*"))]
    return sum(file.stat().st_size for file in files if file.is_file())

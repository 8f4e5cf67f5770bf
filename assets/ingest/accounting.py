"""The account of a source file: where every character of it went. Oracles keep it; readers do not.

An oracle is a module under `assets/ingest/oracles` that walks a file with plain lxml and its own rules and
gives each run of text a fate. What it calls operative must be what the reader's provisions hold.
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Fate(StrEnum):
    """What became of a run of characters."""

    OPERATIVE = "operative"
    NOTE = "note"
    CREDIT = "credit"
    HEADING = "heading"
    NUMBER = "number"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Account:
    """The account of one file. Counts are of characters that are not white space.

    Attributes:
        operative: the operative characters in document order, squeezed by `squeeze`.
        counts: per fate; DISCARDED is split by reason in `discarded`.
        discarded: per reason, such as `table of contents`.
    """

    file: str
    operative: str
    counts: Counter[Fate]
    discarded: Counter[str]


def squeeze(text: str) -> str:
    """Return `text` without white space and without `|`, which the readers put between table cells."""
    return "".join(text.split()).replace("|", "")

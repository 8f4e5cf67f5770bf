"""Acts as the notes and credits of a source name them: the law of each, and provisions as its sections."""

from collections.abc import Collection, Iterator
from typing import NamedTuple, Protocol


class NamedAct(NamedTuple):
    """An act, the law that enacted it, and the citation at which a code begins to hold it; None: not said."""

    name: str
    law: str
    citation: str | None


class ActReader(Protocol):
    """A module under `assets/ingest/formats`: how the editors of a format's sources write of acts."""

    def acts_in_note(self, note: str, citation: str) -> Iterator[NamedAct]:
        """Yield the acts of which a note on the provision of that citation says what enacted them."""
        ...

    def credited_sections(self, credit: str, laws: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield those of the laws that a source credit names, each with the number of its section."""
        ...

"""Search for a quotation that is absent from its provision: in the neighbours, then in the whole code body.

The keyword index only proposes provisions; a quotation stands in one if its own words do, one by one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from serving.services.citations.provisions import ProvisionFinder
from serving.services.citations.resolution import Provision
from serving.services.quotations.occurrences import Occurrence
from serving.services.quotations.provision_text import ProvisionTexts
from serving.services.quotations.readings import OPTIONAL_HYPHEN, readings
from serving.services.quotations.segments import Segment, segments
from serving.services.quotations.word_classes import is_too_short
from serving.snapshot.store import Snapshot

MAX_FOUND = 3
"""Most provisions that are named."""
_MAX_PROPOSED = 12
"""Most provisions of the index whose text is read."""
_WORDS = 24
"""Words of a quotation that the index is asked for."""

Find = Callable[[int, str], Occurrence | None]
"""Finds a quotation in the text of the provision in a row, if it stands there unaltered."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A provision that holds the words of a quotation, and its own words for the quoted ones.

    Attributes:
        part: label of the part of it that holds them, where another is cited; "" for the whole of it.
    """

    provision: Provision
    excerpt: str
    part: str = ""

    @property
    def citation(self) -> str:
        """The citation of the provision, or of the part."""
        return f"{self.provision.citation}{self.part}"


class ElsewhereFinder:
    """Finds where else in a code body the words of a quotation stand."""

    def __init__(
        self, snapshot: Snapshot, finder: ProvisionFinder, texts: ProvisionTexts, find: Find
    ) -> None:
        self._snapshot = snapshot
        self._finder = finder
        self._texts = texts
        self._find = find

    def find(self, quote: str, near: Sequence[Provision], *, searched: bool = True) -> tuple[Elsewhere, ...]:
        """Return the provisions that hold a quotation, those beside the cited ones first.

        Args:
            quote: the quotation.
            near: the cited provisions, or those where the cited one would be.
            searched: the quotation is known to be absent from them.
        """
        if not near or is_too_short(quote):
            return ()
        known = {one.row for one in near} if searched else set()
        found: list[Elsewhere] = []
        for row in self._proposed(quote, near):
            if row in known or not self._texts.of(row).source:
                continue
            known.add(row)
            there = self._find(row, quote)
            if there is not None:
                source = self._texts.of(row).source
                excerpt = source[there.spans[0][0] : there.spans[-1][1]]
                found.append(Elsewhere(self._finder.of_row(row), excerpt))
                if len(found) == MAX_FOUND:
                    break
        return tuple(found)

    def proposed(self, quote: str, near: Provision, *, most: int = _MAX_PROPOSED) -> list[int]:
        """Return the rows of provisions of a code body that may hold a quotation, by the index."""
        words = _longest_words(quote)
        if not words:
            return []
        body = self._snapshot.nodes.code_body(near.row)
        return self._snapshot.keyword.with_phrase(words, code_body=body.id, limit=most)

    def _proposed(self, quote: str, near: Sequence[Provision]) -> Iterator[int]:
        yield from self._neighbours(near[0])
        yield from self.proposed(quote, near[0])

    def _neighbours(self, provision: Provision) -> Iterator[int]:
        answer = self._texts.of(provision.row).answer
        for node in (answer["previousId"], answer["nextId"]):
            row = None if node is None else self._snapshot.nodes.find(UUID(node))
            if row is not None:
                yield row


def _longest_words(quote: str) -> str:
    """Return the longest stretch of words that stands in a quotation without dots and brackets."""
    *_, last = readings(quote, lambda _: None)
    parts = [part for part in segments(last.text.replace(OPTIONAL_HYPHEN, "")) if not any(part.joins)]
    longest = max(parts, key=_length, default=None)
    return "" if longest is None else " ".join(longest.written.split()[:_WORDS])


def _length(part: Segment) -> int:
    return len(part.written)

"""Write the terms of each provision in their order, from which ranking reckons the worth of words."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from serving.contract import indexes
from serving.contract.layout import TERM_BOUNDS, TERM_SEQUENCES, TERM_VOCABULARY
from serving.snapshot.terms import CITATION_END, END, GAP, HEADING_END, LENGTH, START


class TermWriter:
    """Collects the terms of provisions, as the keyword index holds them.

    Args:
        provisions: number of all provisions.
    """

    def __init__(self, provisions: int) -> None:
        self._analyzer = indexes.legal_analyzer()
        self._numbers: dict[str, int] = {}
        self._parts: list[np.ndarray] = []
        self._bounds = np.zeros((provisions, LENGTH + 1), np.int64)
        self._size = 0

    def add(self, row: int, heading: str, citations: Sequence[str], rest: Iterable[str]) -> None:
        """Add a provision.

        Args:
            row: its row in `nodes.arrow`.
            heading: likewise its heading.
            citations: its citation, and another way to write it, if there is one.
            rest: other values of the keyword index's field of everything, in their order.
        """
        bounds, terms = self._bounds[row], list[int]()
        bounds[START] = self._size
        self._append(heading, terms)
        bounds[HEADING_END] = self._size + len(terms)
        for value in citations:
            self._append(value, terms)
        bounds[CITATION_END] = self._size + len(terms)
        for value in rest:
            self._append(value, terms)
        self._size += len(terms)
        bounds[END] = self._size
        part = np.array(terms, np.uint32)
        bounds[LENGTH] = np.count_nonzero(part != GAP)
        self._parts.append(part)

    def _append(self, value: str, terms: list[int]) -> None:
        if value:
            numbers = self._numbers
            found = self._analyzer.analyze(indexes.joined_words(value))
            terms += [numbers.setdefault(term, len(numbers) + 1) for term in found]
            terms.append(GAP)

    def write(self, folder: Path) -> None:
        """Write the three files into a folder, with the terms numbered in the order of the alphabet."""
        vocabulary = sorted(self._numbers)
        renumbered = np.zeros(len(vocabulary) + 1, np.uint32)
        renumbered[[self._numbers[term] for term in vocabulary]] = np.arange(1, len(vocabulary) + 1)
        sequences = np.lib.format.open_memmap(
            folder / TERM_SEQUENCES, mode="w+", dtype=np.uint32, shape=(self._size,)
        )
        first = 0
        for part in self._parts:
            sequences[first : first + len(part)] = renumbered[part]
            first += len(part)
        sequences.flush()
        np.save(folder / TERM_BOUNDS, self._bounds)
        batch = pa.record_batch({"term": pa.array(vocabulary, pa.string())})
        with (
            pa.OSFile(str(folder / TERM_VOCABULARY), "wb") as sink,
            pa.ipc.new_file(sink, batch.schema) as to,
        ):
            to.write_batch(batch)

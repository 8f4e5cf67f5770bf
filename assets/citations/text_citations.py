"""Read the citations in the texts of provisions, in as many processes as the volume pays for."""

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import NamedTuple

from assets.citations.implicit_title import ReadCitation
from assets.citations.kept_readings import KeptReadings, ReadingsWriter, key_of, pack, unpack
from assets.registry import Citing
from serving.contract.citations import Citation, CitingContext, parse, parse_within
from serving.contract.citations.citation import UNREAD
from serving.contract.citations.grammar import Grammar

IN_PROCESS = 2_000_000
"""Characters that are read here before processes are started, which costs more than it saves for fewer."""

_BATCH = 200
_AHEAD = 4
"""Batches that wait for each process: enough to keep it busy, few enough to hold in memory."""


class Passage(NamedTuple):
    """The text of a provision, where it stands, and the scheme of its code."""

    text: str
    context: CitingContext | None
    scheme: str


def read_citations(
    passages: Iterable[Passage],
    citing: Citing,
    *,
    kept: KeptReadings | None = None,
    writer: ReadingsWriter | None = None,
) -> Iterator[list[ReadCitation]]:
    """Yield the citations of each passage, in order.

    Args:
        passages: to read.
        citing: how law is cited.
        kept: readings of an earlier build that hold for it.
        writer: takes the readings.
    """
    batches = _batches(passages, kept or KeptReadings({}))
    processes, characters, grammar = os.cpu_count() or 1, 0, citing.grammar()
    for batch in batches:
        characters += sum(len(passage.text) for passage in batch.unread)
        if characters > IN_PROCESS and processes > 1:
            yield from _read_beside(chain((batch,), batches), citing, processes, writer)
            return
        yield from batch.readings([_read(passage, grammar) for passage in batch.unread], writer)


def _read_beside(
    batches: Iterator["_Batch"], citing: Citing, processes: int, writer: ReadingsWriter | None
) -> Iterator[list[ReadCitation]]:
    """Yield what `read_citations` does, read in processes."""
    # Spawned: forking a process that runs threads of Arrow may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _start, (citing,)) as pool:

        def started(count: int) -> list[tuple[_Batch, Future[list[list[ReadCitation]]]]]:
            return [(batch, pool.submit(_read_batch, batch.unread)) for batch in islice(batches, count)]

        waiting = started(processes * _AHEAD)
        while waiting:
            batch, reading = waiting.pop(0)
            done = reading.result()
            waiting += started(1)
            yield from batch.readings(done, writer)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Passages with their keys, and the kept readings of some of them."""

    passages: list[Passage]
    keys: list[bytes]
    packed: list[bytes | None]

    @property
    def unread(self) -> list[Passage]:
        """Those that are to be read."""
        return [passage for passage, packed in zip(self.passages, self.packed, strict=True) if packed is None]

    def readings(
        self, made: list[list[ReadCitation]], writer: ReadingsWriter | None
    ) -> Iterator[list[ReadCitation]]:
        """Yield the readings of all, of which some were `made` now."""
        new = iter(made)
        for key, packed in zip(self.keys, self.packed, strict=True):
            reading = next(new) if packed is None else unpack(packed)
            if writer is not None:
                writer.write(key, pack(reading) if packed is None else packed)
            yield reading


def _batches(passages: Iterable[Passage], kept: KeptReadings) -> Iterator[_Batch]:
    iterator = iter(passages)
    while batch := list(islice(iterator, _BATCH)):
        keys = [key_of(*passage) for passage in batch]
        packed = [kept.packed(key, passage.text) for key, passage in zip(keys, batch, strict=True)]
        yield _Batch(batch, keys, packed)


_grammar: Grammar | None = None


def _start(citing: Citing) -> None:
    global _grammar  # noqa: PLW0603 - one compiled grammar a process
    _grammar = citing.grammar()


def _read_batch(passages: Sequence[Passage]) -> list[list[ReadCitation]]:
    if _grammar is None:
        raise RuntimeError("The process was not started by `read_citations`.")
    return [_read(passage, _grammar) for passage in passages]


def _read(passage: Passage, grammar: Grammar) -> list[ReadCitation]:
    scheme = passage.scheme
    if passage.context is None:
        read = _understood(parse(passage.text, grammar, within=scheme), scheme)
        return [ReadCitation(citation, False) for citation in read]
    read = _understood(parse_within(passage.text, grammar, passage.context), scheme)
    if not passage.context.implicit_title:
        return [ReadCitation(citation, False) for citation in read]
    # A reading without the title tells which citations lean on it alone.
    exact = parse_within(passage.text, grammar, replace(passage.context, implicit_title=False))
    spans = {(citation.start, citation.end) for citation in exact}
    return [ReadCitation(citation, (citation.start, citation.end) not in spans) for citation in read]


def _understood(read: Sequence[Citation], scheme: str) -> list[Citation]:
    """Return citations without those that are not understood, but for those of another code than the text's.

    That another code is named is understood, and it contradicts markup that leads to this one.
    """
    return [citation for citation in read if citation.kind != UNREAD or citation.code not in (None, scheme)]

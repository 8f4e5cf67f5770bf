"""Read the citations in the texts of provisions, in as many processes as the volume pays for."""

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from assets.citations.implicit_title import ReadCitation
from assets.registry import Citing
from serving.contract.citations import Citation, CitingContext, parse, parse_within
from serving.contract.citations.citation import UNREAD
from serving.contract.citations.grammar import Grammar

IN_PROCESS = 2_000_000
"""Characters up to which starting processes costs more than it saves."""

_BATCH = 200
_AHEAD = 4
"""Batches that wait for each process: enough to keep it busy, few enough to hold in memory."""


class Passage(NamedTuple):
    """The text of a provision, where it stands, and the scheme of its code."""

    text: str
    context: CitingContext | None
    scheme: str


def read_citations(
    passages: Iterable[Passage], citing: Citing, *, characters: int
) -> Iterator[list[ReadCitation]]:
    """Yield the citations of each passage, in order.

    Args:
        passages: to read.
        citing: how law is cited.
        characters: of all passages, as far as it is known.
    """
    processes = os.cpu_count() or 1
    if characters <= IN_PROCESS or processes == 1:
        grammar = citing.grammar()
        for passage in passages:
            yield _read(passage, grammar)
        return
    batches = _batches(passages)
    # Spawned: forking a process that runs threads of Arrow may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _start, (citing,)) as pool:
        waiting = [pool.submit(_read_batch, batch) for batch in islice(batches, processes * _AHEAD)]
        while waiting:
            done = waiting.pop(0).result()
            waiting += [pool.submit(_read_batch, batch) for batch in islice(batches, 1)]
            yield from done


def _batches(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    iterator = iter(passages)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


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

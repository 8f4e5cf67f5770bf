"""Build the response store: the ready answers of node and browse, and the tables that search reads."""

import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import orjson

from assets.citations.references import FoundReferences
from assets.compression import ReadyBody
from assets.release.answers import HEAVY, AnswerWriter
from assets.release.digests import DigestWriter
from assets.release.kept_bodies import RULES, KeptBodies
from assets.release.related import related_provisions
from assets.release.spool import Spool
from assets.release.tables import BodyColumns, write_browse, write_chunks, write_nodes
from assets.selection.hierarchy import Hierarchy, build_hierarchy
from assets.selection.selection import Selection
from assets.selection.sidecar import require_inputs, write_sidecar
from assets.stage_record import record_made
from assets.versions import digest_of
from serving.contract.answers import BrowseBody, NodeBody
from serving.contract.layout import BROWSE, CHUNKS, CITATIONS, DIGESTS, NODES

_THREADS = 2
_AT_ONCE = 64
"""Answers that a thread makes ready at once: one that is kept takes less time than to hand it over."""


def build_response_store(
    selection: Selection,
    destination: Path,
    *,
    references: Path,
    before: Path | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, int]:
    """Write the tables of nodes, their digests, chunks and lists into the empty folder `destination`.

    Args:
        selection: what the snapshot is built from.
        destination: takes the tables and, while it runs, as much again in temporary files.
        references: folder of the citation index, built from the same selection.
        before: folder of an earlier build; answers that are the same keep what was made of them. None: none.
        progress: called with the number of nodes done since the last call.

    Returns:
        Rows by table, and the references that lead to a node of the selection.
    """
    hierarchy = build_hierarchy(selection)
    require_inputs(references, selection.inputs)
    found = FoundReferences.load(references, len(selection))
    citations = found.citing_counts()
    related = related_provisions(selection, references / CITATIONS)
    writer = AnswerWriter(selection, hierarchy, found, citations, related)
    spools = destination / ".spool"
    for name in ("nodes", "browse"):
        (spools / name).mkdir(parents=True)
    try:
        with ThreadPoolExecutor(_THREADS) as pool:
            kept = KeptBodies(before, NODES)
            digests = DigestWriter(len(selection), before, kept.rows)
            texts, bodies = _node_answers(selection, writer, spools / "nodes", pool, kept, digests, progress)
            digests.write(destination / DIGESTS, selection.numbering.positions)
            write_nodes(destination / NODES, selection, texts=texts, bodies=bodies)
            kept = KeptBodies(before, BROWSE)
            parents, lists = _browse_answers(selection, hierarchy, writer, spools / "browse", pool, kept)
            write_browse(destination / BROWSE, parents, lists)
        write_chunks(destination / CHUNKS, selection)
    finally:
        shutil.rmtree(spools)
    counts = {
        "nodes": len(selection),
        "chunks": selection.chunks.num_rows,
        "browse": len(parents),
        "citing": sum(citations),
    }
    write_sidecar(destination, selection.inputs, used=("provisions", "chunks", "citing"), counts=counts)
    record_made(destination, inputs=digest_of(selection.inputs), rules=RULES)
    return counts


def _node_answers(
    selection: Selection,
    writer: AnswerWriter,
    folder: Path,
    pool: ThreadPoolExecutor,
    kept: KeptBodies,
    digests: DigestWriter,
    progress: Callable[[int], None],
) -> tuple[Spool, BodyColumns]:
    texts, bodies = Spool(folder / "text"), BodyColumns(folder)
    of_position = selection.body_of_positions().tolist()
    for first, batch in selection.batches(HEAVY):
        rows = batch.to_pylist()
        answers = [
            writer.node(position, of_position[position], row) for position, row in enumerate(rows, first)
        ]
        ready = _made_ready(answers, kept, pool)
        for position, (answer, body) in enumerate(zip(answers, ready, strict=True), first):
            texts.append(answer["text"].encode())
            bodies.append(body)
            digests.add(position, answer, body.etag)
        progress(len(rows))
    return texts, bodies


def _browse_answers(
    selection: Selection,
    hierarchy: Hierarchy,
    writer: AnswerWriter,
    folder: Path,
    pool: ThreadPoolExecutor,
    kept: KeptBodies,
) -> tuple[list[tuple[uuid.UUID, int]], BodyColumns]:
    bodies = BodyColumns(folder)
    ids = selection.provisions.column("node_id").to_pylist()
    parents: list[tuple[uuid.UUID, int]] = []
    answers: list[BrowseBody] = []
    for index, body in enumerate(selection.bodies):
        span = range(body.first, body.first + body.count)
        top = [position for position in span if hierarchy.parents[position] < 0]
        parents.append((uuid.UUID(body.id), index))
        answers.append(writer.children(index, None, top))
        for position in span:
            if hierarchy.children[position]:
                parents.append((uuid.UUID(ids[position]), index))
                answers.append(writer.children(index, position, hierarchy.children[position]))
    for ready in _made_ready(answers, kept, pool):
        bodies.append(ready)
    return parents, bodies


def _made_ready(
    answers: Sequence[NodeBody] | Sequence[BrowseBody], kept: KeptBodies, pool: ThreadPoolExecutor
) -> Iterator[ReadyBody]:
    """Yield answers as they will be sent, in their order."""

    def some(first: int) -> list[ReadyBody]:
        return [kept.make_ready(orjson.dumps(answer)) for answer in answers[first : first + _AT_ONCE]]

    return chain.from_iterable(pool.map(some, range(0, len(answers), _AT_ONCE)))

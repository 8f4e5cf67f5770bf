"""Measure how much of the truth the vector index finds: its answers against every vector compared."""

from collections.abc import Iterator, Sequence

import numpy as np

from assets.findings import Finding, Severity, Verdict
from assets.search.codes import in_unit_length
from assets.selection.selection import Selection
from serving.snapshot.filters import Filters
from serving.snapshot.vector import VectorIndex

_DEPTH = 100
_COMPARED = 20
"""Queries where every vector is compared: nothing is missed but by a mistake that each of them would show."""
_AT_ONCE = 16
"""Queries that are compared with all vectors together: these are read from memory once for all of them."""
_CHUNKS_OF_NEAREST = 16 * _DEPTH
"""Chunks in which the nearest provisions are looked for first, before all are set in order."""


def known_item_recall(
    index: VectorIndex, selection: Selection, *, sample: int = 200, seed: int = 0, floor: float = 0.95
) -> Verdict:
    """Search chunks of the snapshot by their own vectors, a little disturbed, as questions about them are.

    Args:
        index: open, of the same selection.
        selection: whose embeddings are the truth.
        sample: queries of an index that proposes.
        seed: of the sample and of the disturbance.
        floor: of each measure; below it the verdict has an error.

    Returns:
        Measures `recall` (share of the true nearest 100 provisions that were found), `recall_at_10` and
        `known_item`: of the queries whose own provision is truly among the nearest 10 although they were
        disturbed, the share for which it was found there. Some provisions are too alike to be told apart.
    """
    numbering = selection.numbering
    vectors = in_unit_length(np.concatenate([np.load(entry.embeddings) for entry in selection.bodies]))
    vectors = vectors[numbering.chunk_positions]
    random = np.random.default_rng(seed)
    queries = sample if index.indexed else min(sample, _COMPARED)
    chosen = random.choice(len(vectors), min(queries, len(vectors)), replace=False)
    shares: list[tuple[float, float]] = []
    known: list[bool] = []
    disturbance = 0.3 / vectors.shape[1] ** 0.5
    noise = random.normal(0, disturbance, (len(chosen), vectors.shape[1]))
    disturbed = in_unit_length(vectors[chosen] + noise)
    for chunk, query, similarity in zip(
        chosen.tolist(), disturbed, _similarities(disturbed, vectors), strict=True
    ):
        true = _nearest_nodes(similarity, numbering.chunk_nodes)
        found = [hit.node_row for hit in index.search(query, filters=Filters(statuses=()), limit=_DEPTH)]
        shares.append((_share(found, true), _share(found[:10], true[:10])))
        own = int(numbering.chunk_nodes[chunk])
        if own in true[:10]:
            known.append(own in found[:10])
    if not shares:
        return Verdict(0, [Finding("nothing_to_search", "vectors", "There is no chunk to search for.")])
    deep, shallow = (float(np.mean(column)) for column in zip(*shares, strict=True))
    measured = {"recall": deep, "recall_at_10": shallow, "known_item": float(np.mean(known or [True]))}
    findings = [
        Finding("recall_low", "vectors", f"{name} is {value:.3f}, below {floor}.", Severity.ERROR)
        for name, value in measured.items()
        if value < floor
    ]
    return Verdict(len(shares), findings, {**measured})


def _similarities(queries: np.ndarray, vectors: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for each query its similarity to every vector."""
    for start in range(0, len(queries), _AT_ONCE):
        yield from queries[start : start + _AT_ONCE] @ vectors.T


def _nearest_nodes(similarity: np.ndarray, nodes: np.ndarray) -> list[int]:
    """Return the nearest provisions, nearest first, each once."""
    if len(similarity) > _CHUNKS_OF_NEAREST:
        floor = np.partition(similarity, -_CHUNKS_OF_NEAREST)[-_CHUNKS_OF_NEAREST]
        near = np.flatnonzero(similarity >= floor)  # all that are as near as the last, so that none is chosen
        if len(np.unique(nodes[near])) >= _DEPTH:
            similarity, nodes = similarity[near], nodes[near]
    order = nodes[np.argsort(-similarity, kind="stable")]
    _, first = np.unique(order, return_index=True)
    return [int(node) for node in order[np.sort(first)[:_DEPTH]]]


def _share(found: Sequence[int], true: Sequence[int]) -> float:
    return len(set(found) & set(true)) / len(true)

"""Checks of the search stage: both indexes, opened by the server's own readers."""

import numpy as np

from assets.checking import artefact_check
from assets.findings import Verdict
from assets.registry import load_registry
from assets.search.assets import keyword_index, vector_index
from assets.search.counts import counts_match
from assets.search.recall import known_item_recall
from assets.selection.selection import Selection, load_selection
from assets.selection.sidecar import built_from
from assets.workspace import Workspace
from serving.contract.layout import KEYWORD, VECTORS
from serving.encoder.config import load_config
from serving.snapshot.keyword import KeywordIndex
from serving.snapshot.vector import VectorIndex
from serving.snapshot.vector_opening import open_vectors


def keyword_index_is_complete(workspace: Workspace) -> Verdict:
    """Count its documents."""
    selection = _selection(workspace, "keyword_index")
    index = KeywordIndex(workspace.artefact("keyword_index") / KEYWORD)
    return counts_match("keyword_index", found=len(index), expected=len(selection), what="provisions")


def vector_index_is_complete(workspace: Workspace) -> Verdict:
    """Count its vectors."""
    selection = _selection(workspace, "vector_index")
    expected = selection.chunks.num_rows
    return counts_match(
        "vector_index", found=len(_vectors(workspace, selection)), expected=expected, what="chunks"
    )


def vector_index_recalls_known_items(workspace: Workspace) -> Verdict:
    """Search chunks by vectors near their own and compare with every vector."""
    selection = _selection(workspace, "vector_index")
    return known_item_recall(_vectors(workspace, selection), selection)


def _selection(workspace: Workspace, artefact: str) -> Selection:
    bodies = built_from(workspace.artefact(artefact))
    return load_selection(workspace, load_registry(workspace.registry), bodies)


def _vectors(workspace: Workspace, selection: Selection) -> VectorIndex:
    return open_vectors(
        workspace.artefact("vector_index") / VECTORS,
        selection.numbering.chunk_nodes,
        jurisdictions=selection.jurisdictions,
        dimension=load_config(workspace.encoder).dimension,
        # These searches have no filters.
        passing=lambda _: np.ones(len(selection), bool),
    )


CHECKS = [
    artefact_check(
        keyword_index,
        keyword_index_is_complete,
        description="The keyword index holds every provision of the selected code bodies.",
    ),
    artefact_check(
        vector_index,
        vector_index_is_complete,
        description="The vector index holds every chunk of the selected code bodies.",
    ),
    artefact_check(
        vector_index,
        vector_index_recalls_known_items,
        description="The vector index finds what a comparison with every vector finds.",
    ),
]

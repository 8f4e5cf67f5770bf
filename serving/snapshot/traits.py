"""Traits of provisions that a ranking weighs whatever the query, such as length, kind and citations."""

from typing import NamedTuple

import numpy as np

from serving.snapshot.edges import EdgeTable
from serving.snapshot.nodes import NodeTable

KINDS: dict[str, frozenset[str]] = {
    "is_definition": frozenset(("definitions",)),
    "is_boilerplate": frozenset(
        ("applicability", "construction", "effective_date", "preemption", "severability", "short_title")
    ),
    "is_statement": frozenset(("findings", "purpose")),
    "is_administrative": frozenset(("appropriations", "establishment", "reports", "rulemaking")),
}
"""Tags of kinds of provisions that people seldom ask for, or ask for by name, by their field of `Traits`."""
_WORD_BYTES = 8.0
"""Bytes of a word of a heading, its space included."""


class Traits(NamedTuple):
    """Columns of traits, one value a provision.

    Attributes:
        is_section: it is a section, not a container nor a rule.
        heading_words: about how many words its heading has, and one.
        cited: logarithm of the references that lead to it.
    """

    is_section: np.ndarray
    heading_words: np.ndarray
    cited: np.ndarray
    is_definition: np.ndarray
    is_boilerplate: np.ndarray
    is_statement: np.ndarray
    is_administrative: np.ndarray


def read_traits(nodes: NodeTable, edges: EdgeTable) -> Traits:
    """Return the traits of every provision of a snapshot."""
    return Traits(
        nodes.at_level("section").astype(np.float32),
        (1 + nodes.heading_sizes() / _WORD_BYTES).astype(np.float32),
        np.log1p(edges.counts(len(nodes))).astype(np.float32),
        **{field: _flags(nodes, tags) for field, tags in KINDS.items()},
    )


def _flags(nodes: NodeTable, tags: frozenset[str]) -> np.ndarray:
    flags = np.zeros(len(nodes), np.float32)
    for tag in tags:
        flags[nodes.tagged(tag)] = 1.0
    return flags

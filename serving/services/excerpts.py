"""The first lines of a provision: those of its own text, else of the first text below it."""

from dataclasses import dataclass
from uuid import UUID

import orjson

from serving.contract.records import IN_FORCE
from serving.snapshot.store import Snapshot

LENGTH = 600
"""Characters of an excerpt, at most."""
_STEPS = 50
"""Most nodes that are searched for a text: a container of empty containers ends the search."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a provision.

    Attributes:
        text: its first lines; "" where it has no text.
        from_citation: citation of the provision below it whose text this is; None where the text is its own.
        from_heading: heading of that provision, likewise.
        whole: nothing was cut off.
    """

    node_id: str
    citation: str
    heading: str
    status: str
    text: str
    from_citation: str | None
    from_heading: str | None
    whole: bool


def excerpt(snapshot: Snapshot, node: UUID) -> Excerpt | None:
    """Return the first lines of a provision, or None where the snapshot does not hold it."""
    nodes = snapshot.nodes
    row = nodes.find(node)
    if row is None:
        return None
    source = _first_with_text(snapshot, row)
    text = nodes.text(source) if source is not None else ""
    cut = _cut(text)
    below = source is not None and source != row
    return Excerpt(
        node_id=str(node),
        citation=nodes.citation(row),
        heading=nodes.heading(row),
        status=nodes.status(row),
        text=cut,
        from_citation=nodes.citation(source) if below and source is not None else None,
        from_heading=nodes.heading(source) if below and source is not None else None,
        whole=cut == text and not below,
    )


def _first_with_text(snapshot: Snapshot, row: int) -> int | None:
    """Return the first living node with a text, in the order of the law: the node itself or one below it."""
    waiting = [row]
    for _ in range(_STEPS):
        if not waiting:
            return None
        here = waiting.pop()
        if snapshot.nodes.text_bytes(here):
            return here
        waiting += reversed(_living_children(snapshot, here))
    return None


def _living_children(snapshot: Snapshot, row: int) -> list[int]:
    body = snapshot.browse.children(UUID(snapshot.nodes.code_body(row).id), snapshot.nodes.id(row))
    listed = [UUID(child["id"]) for child in orjson.loads(body.plain)["nodes"]]
    rows = [found for node in listed[:_STEPS] if (found := snapshot.nodes.find(node)) is not None]
    return [found for found in rows if snapshot.nodes.status(found) == IN_FORCE]


def _cut(text: str) -> str:
    """Return the text up to the last word that fits."""
    if len(text) <= LENGTH:
        return text
    head = text[: LENGTH + 1]
    blank = max(head.rfind(" "), head.rfind("\n"))
    return head[: blank if blank > LENGTH // 2 else LENGTH].rstrip()

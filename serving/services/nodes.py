"""One provision: its ready answer, and the same as Markdown and as plain text."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from serving.contract.errors import NotFoundError
from serving.contract.records import IN_FORCE
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


@dataclass(frozen=True, slots=True)
class Rendition:
    """A provision as text; `etag` names the answer that it was made from."""

    etag: str
    text: str


def find_node(snapshot: Snapshot, node: UUID) -> int:
    """Return the row of the node with this id.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    row = snapshot.nodes.find(node)
    if row is None:
        raise NotFoundError(
            f"No node has the id {node} in snapshot {snapshot.id}; ids come from search and browse.",
            kind="node",
        )
    return row


def node_body(snapshot: Snapshot, node: UUID) -> StoredBody:
    """Return the ready JSON answer of a node.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    return snapshot.nodes.body(find_node(snapshot, node))


def node_markdown(snapshot: Snapshot, node: UUID) -> Rendition:
    """Return a node as Markdown: citation and heading as title, then where it stands, then its text.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    stored, answer = _answer(snapshot, node)
    title = f"# {answer['citation']}" + (f" — {answer['heading']}" if answer["heading"] else "")
    # Two spaces at a line's end keep the source's lines apart; its paragraphs hold no other markup.
    text = "  \n".join(answer["text"].splitlines())
    return Rendition(stored.etag, _join(title, f"*{_place(answer)}*", text))


def node_plain(snapshot: Snapshot, node: UUID) -> Rendition:
    """Return a node as plain text: its citation first.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    stored, answer = _answer(snapshot, node)
    return Rendition(
        stored.etag, _join(answer["citation"], answer["heading"], _place(answer), answer["text"])
    )


def _answer(snapshot: Snapshot, node: UUID) -> tuple[StoredBody, dict[str, Any]]:
    stored = node_body(snapshot, node)
    answer: dict[str, Any] = orjson.loads(stored.plain)
    return stored, answer


def _place(answer: dict[str, Any]) -> str:
    parts = [answer["codeBody"]["name"], *answer["breadcrumb"]]
    line = " > ".join(part for part in parts if part)
    if answer["status"] != IN_FORCE:
        line += f" ({answer['status'].replace('_', ' ')})"
    if answer["currentThrough"]:
        line += f". Current through {answer['currentThrough']}"
    return line + "."


def _join(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"

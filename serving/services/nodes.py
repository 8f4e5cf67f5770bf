"""One provision: its ready answer, and the same as Markdown and as plain text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.contract.records import IN_FORCE
from serving.services.markdown import escape
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


@dataclass(frozen=True, slots=True)
class Rendition:
    """A provision in UTF-8, made at request; `etag` is the digest of its content."""

    etag: str
    body: bytes


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
    """Return a node as Markdown: citation and heading as title, its place in the law, its text.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    answer = snapshot.nodes.answer(find_node(snapshot, node))
    title = escape(" — ".join(part for part in (answer["citation"], answer["heading"]) if part))
    # Two spaces at a line's end keep the source's lines apart.
    text = "  \n".join(escape(answer["text"]).splitlines())
    return _text(f"# {title}", f"*{escape(_place(answer))}*", text)


def node_plain(snapshot: Snapshot, node: UUID) -> Rendition:
    """Return a node as plain text, which begins with its citation.

    Raises:
        NotFoundError: the snapshot has no such node.
    """
    answer = snapshot.nodes.answer(find_node(snapshot, node))
    return _text(answer["citation"], answer["heading"], _place(answer), answer["text"])


def _place(answer: dict[str, Any]) -> str:
    parts = [answer["codeBody"]["name"], *answer["breadcrumb"]]
    line = " > ".join(part for part in parts if part)
    if answer["status"] != IN_FORCE:
        line += f" ({answer['status'].replace('_', ' ')})"
    current = [f"Current through {answer['currentThrough']}"] if answer["currentThrough"] else []
    return ". ".join([line, *current, *reservations(answer)]) + "."


def reservations(answer: Mapping[str, Any]) -> list[str]:
    """Return what to know of a provision before its text is relied on, one sentence each without its point.

    It is where the source says that the provision has gone, from when until when it applies, that others
    bear its number, and that the text is an earlier one.
    """
    said = []
    if "successor" in answer:
        said.append(f"Its source names a new place for it: {answer['successor']['citation']}")
    days = (("from", answer.get("effectiveStart")), ("until", answer.get("effectiveEnd")))
    stated = [f"{word} {day}" for word, day in days if day is not None]
    if stated:
        said.append(" ".join(["Effective", *stated]))
    if "duplicateOf" in answer:
        others = len(answer["duplicateOf"])
        said.append(
            "Another provision bears this number too"
            if others == 1
            else f"{others} other provisions bear this number too"
        )
    if "staleSince" in answer:
        said.append(f"An earlier text: it could not be updated from the edition of {answer['staleSince']}")
    return said


def rendition(body: bytes) -> Rendition:
    """Return a body made at request with its entity tag."""
    return Rendition(content_etag(body), body)


def _text(*parts: str) -> Rendition:
    return rendition(("\n\n".join(part for part in parts if part) + "\n").encode())

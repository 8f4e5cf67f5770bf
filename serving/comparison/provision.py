"""A provision as it is compared, read from its answer, and the digests by which two are told apart."""

import hashlib
from typing import NamedTuple

import orjson

from serving.comparison.words import fold
from serving.contract.answers import NodeBody
from serving.contract.changes import ChangedSide

LEAST_WORDS = 8
"""Words from which on a text is evidence that two provisions are one: `[Reserved]` is that of many."""


class Digests(NamedTuple):
    """Digests of a provision: `text`, with the status, is 0 where it is too short to be known by."""

    content_hi: int
    content_lo: int
    text: int
    source: int


def digests(answer: NodeBody) -> Digests:
    """Return the digests of a provision."""
    content = orjson.dumps([answer.get(name) for name in _COMPARED] + [container(answer)])
    folded = fold(answer["text"])
    is_evidence = folded.count(" ") + 1 >= LEAST_WORDS
    provenance = answer["provenance"]
    return Digests(
        _number(content, b"hi"),
        _number(content, b"lo"),
        # A copy that is kept as reserved, beside the text in force, is not where that text has moved to.
        (_number(f"{answer['status']}\0{folded}".encode(), b"text") or 1) if is_evidence else 0,
        _number(f"{provenance['file']}\0{provenance['sha256']}".encode(), b"source"),
    )


_COMPARED = (
    *("citation", "num", "heading", "text", "level", "status", "notes", "sourceCredit"),
    *("effectiveStart", "effectiveEnd"),
)


def _number(content: bytes, purpose: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(content, digest_size=8, person=purpose).digest(), "big")


def container(answer: NodeBody) -> str | None:
    """Return the id of what holds a provision; None at the top of a code body."""
    ancestors = answer["ancestors"]
    return ancestors[-1]["id"] if ancestors else None


def differing(before: NodeBody, after: NodeBody) -> list[str]:
    """Return the names of what differs between two states of a provision."""
    pairs = {
        "nodeId": (before["id"], after["id"]),
        "number": ((before["num"], before["citation"]), (after["num"], after["citation"])),
        "place": (container(before), container(after)),
        "effective": (_effective(before), _effective(after)),
        **{name: (before[name], after[name]) for name in _SINGLE},  # type: ignore[literal-required]  # of a NodeBody
    }
    return [name for name, (old, new) in pairs.items() if old != new]


_SINGLE = ("heading", "text", "level", "status", "notes", "sourceCredit")


def _effective(answer: NodeBody) -> tuple[str | None, str | None]:
    return answer.get("effectiveStart"), answer.get("effectiveEnd")


def side(answer: NodeBody) -> ChangedSide:
    """Return a provision as one side of its change."""
    described: ChangedSide = {
        "nodeId": answer["id"],
        "citation": answer["citation"],
        "heading": answer["heading"],
        "level": answer["level"],
        "num": answer["num"],
        "status": answer["status"],
        "breadcrumb": answer["breadcrumb"],
        "textSha256": answer["textSha256"],
        "currentThrough": answer["currentThrough"],
        "currentThroughDate": answer.get("currentThroughDate"),
    }
    if "effectiveStart" in answer:
        described["effectiveStart"] = answer["effectiveStart"]
    if "effectiveEnd" in answer:
        described["effectiveEnd"] = answer["effectiveEnd"]
    return described

"""The answer of the node endpoint for each provision, as values that JSON can hold."""

from dataclasses import dataclass
from typing import Any

from assets.citations.references import FoundReferences, Reference
from assets.errors import BuildError
from assets.release.related import Related, Successor
from assets.selection.hierarchy import Hierarchy
from assets.selection.selection import PinnedFile, SelectedBody, Selection
from serving.contract.answers import BrowseBody, Child, NewPlace, NodeBody, Note, Provenance
from serving.contract.answers import Reference as NodeReference
from serving.contract.currency import current_date

HEAVY = (
    "text",
    "outline",
    "effective_start",
    "effective_end",
    "effective_words",
    "source_credit",
    "notes",
    "file",
    "byte_start",
    "byte_end",
    "source_sha256",
    "text_sha256",
)
"""Columns of provisions that an answer needs beyond those that the selection holds."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Light:
    """Light columns as lists, by position."""

    ids: list[str]
    levels: list[str]
    nums: list[str | None]
    headings: list[str]
    citations: list[str]
    citable: list[bool]
    statuses: list[str]
    tags: list[list[str]]


class AnswerWriter:
    """Makes answers of the node and browse endpoints from a selection, one at a time."""

    def __init__(
        self,
        selection: Selection,
        hierarchy: Hierarchy,
        references: FoundReferences,
        citation_counts: list[int],
        related: Related,
    ) -> None:
        table = selection.provisions
        columns = ("node_id", "level", "num", "heading", "citation", "citable", "status", "tags")
        self._light = _Light(*(table.column(name).to_pylist() for name in columns))
        self._bodies = selection.bodies
        self._hierarchy = hierarchy
        self._references = references
        self._cited = citation_counts
        self._related = related

    def node(self, position: int, body_index: int, heavy: Json) -> NodeBody:
        """Return the answer for the provision at `position`, whose `HEAVY` columns are `heavy`."""
        light, hierarchy = self._light, self._hierarchy
        body = self._bodies[body_index]
        file = _pinned_file(body, heavy)
        ancestors = hierarchy.ancestors(position)
        answer: NodeBody = {
            "id": light.ids[position],
            "citation": light.citations[position],
            "heading": light.headings[position],
            "text": heavy["text"],
            "breadcrumb": [self._label(ancestor) for ancestor in ancestors],
            "ancestors": [
                {
                    "id": light.ids[ancestor],
                    "level": light.levels[ancestor],
                    "num": light.nums[ancestor],
                    "heading": light.headings[ancestor],
                }
                for ancestor in ancestors
            ],
            "jurisdiction": body.body.jurisdiction,
            "codeBody": {"id": body.id, "name": body.body.name},
            "level": light.levels[position],
            "num": light.nums[position],
            "status": light.statuses[position],
            "previousId": self._id(hierarchy.previous[position]),
            "nextId": self._id(hierarchy.following[position]),
            "childCount": len(hierarchy.children[position]),
            "outline": heavy["outline"],
            "references": [self._reference(entry) for entry in self._references.of(position)],
            "citedByCount": self._cited[position],
            "tags": light.tags[position],
            "textSha256": heavy["text_sha256"],
            "sourceCredit": heavy["source_credit"],
            "notes": [_note(entry) for entry in heavy["notes"]],
            "provenance": _provenance(body, file, heavy),
            # Of its own file: a title kept from an earlier build is as old as that build.
            "currentThrough": file.current_through,
            "currentThroughDate": current_date(file.current_through),
        }
        if file.stale_since is not None:
            answer["staleSince"] = file.stale_since
        start, end = heavy["effective_start"], heavy["effective_end"]
        if start is not None:
            answer["effectiveStart"] = start
        if end is not None:
            answer["effectiveEnd"] = end
        if start is not None or end is not None:
            # Tables that an earlier version accepted have days without their words.
            answer["effective"] = {"from": start, "until": end, "words": heavy.get("effective_words")}
        successor = self._related.successors.get(position)
        if successor is not None:
            answer["successor"] = self._new_place(successor)
        duplicates = self._related.duplicates.get(position)
        if duplicates is not None:
            answer["duplicateOf"] = [light.ids[other] for other in duplicates]
        return answer

    def children(self, body_index: int, parent: int | None, positions: list[int]) -> BrowseBody:
        """Return the answer of the browse endpoint for the children at `positions`."""
        return {
            "codeBodyId": self._bodies[body_index].id,
            "parent": None if parent is None else self._light.ids[parent],
            "nodes": [self._entry(position) for position in positions],
        }

    def _entry(self, position: int) -> Child:
        light = self._light
        count = len(self._hierarchy.children[position])
        return {
            "id": light.ids[position],
            "heading": light.headings[position],
            "citation": light.citations[position],
            "level": light.levels[position],
            "num": light.nums[position],
            "status": light.statuses[position],
            "hasChildren": count > 0,
            "childCount": count,
            "citable": light.citable[position],
        }

    def _new_place(self, successor: Successor) -> NewPlace:
        place = successor.position
        return {"citation": successor.citation, "nodeId": None if place is None else self._light.ids[place]}

    def _id(self, position: int) -> str | None:
        return None if position < 0 else self._light.ids[position]

    def _label(self, position: int) -> str:
        """Return `Title 17. Copyrights`."""
        light = self._light
        level = light.levels[position].replace("_", " ")
        number = light.nums[position]
        name = level[:1].upper() + level[1:] + (f" {number}" if number else "")
        heading = light.headings[position]
        return f"{name}. {heading}" if heading else name

    def _reference(self, entry: Reference) -> NodeReference:
        values: NodeReference = {
            "start": entry.start,
            "end": entry.end,
            "citation": entry.citation,
            "nodeId": None if entry.target is None else self._light.ids[entry.target],
            "reason": entry.reason,
        }
        if entry.members:
            values["throughId"] = self._light.ids[entry.members[-1]]
        return values


def _note(entry: Json) -> Note:
    note: Note = {"topic": entry["topic"], "heading": entry["heading"], "text": entry["text"]}
    if entry["offset"] is not None:
        note["offset"] = entry["offset"]
    return note


def _pinned_file(body: SelectedBody, heavy: Json) -> PinnedFile:
    file = body.files.get((heavy["file"], heavy["source_sha256"]))
    if file is None:
        raise BuildError(f"{body.body.key}: {heavy['file']} of a provision is not in files.parquet.")
    return file


def _provenance(body: SelectedBody, file: PinnedFile, heavy: Json) -> Provenance:
    return {
        "publisher": body.body.publisher,
        "sourceUrl": body.body.source_url,
        "file": heavy["file"],
        "sha256": heavy["source_sha256"],
        "byteStart": heavy["byte_start"],
        "byteEnd": heavy["byte_end"],
        "releasePoint": file.release_point,
        "retrievedAt": file.retrieved_at,
        "license": body.body.license,
    }

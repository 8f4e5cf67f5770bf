"""Rows of the published tables, made of what the API answers."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from assets.citations.references import FoundReferences
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import BATCH_ROWS, SelectedBody, Selection
from serving.contract.changes import Change
from serving.contract.layout import NODES
from serving.contract.records import FROM_MARKUP, FROM_TEXT
from serving.snapshot.nodes import NodeTable

Row = dict[str, Any]
_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")
_ORIGINS = {FROM_MARKUP: "markup", FROM_TEXT: "text"}


class ProvisionRows:
    """Rows of provisions, made of their ready answers.

    Args:
        selection: what the answers were built from.
        response_store: folder of the answers.
    """

    def __init__(self, selection: Selection, response_store: Path) -> None:
        self._selection = selection
        self._nodes = NodeTable(response_store / NODES, code_body_entries(selection))

    def of(self, body: SelectedBody) -> Iterator[list[Row]]:
        """Yield the provisions of a code body in their order, some hundreds at a time."""
        rows = self._selection.numbering.rows
        light = self._selection.provisions.select(["identifier", "parent_id", "citable"])
        for first in range(0, body.count, BATCH_ROWS):
            start = body.first + first
            some = light.slice(start, min(BATCH_ROWS, body.count - first)).to_pylist()
            yield [
                self._row(int(rows[position]), body.body.key, position - body.first) | known
                for position, known in enumerate(some, start)
            ]

    def etags(self, body: SelectedBody) -> Iterator[str]:
        """Yield the entity tags of the answers that the rows of a code body are made of."""
        for row in self._selection.numbering.rows[body.first : body.first + body.count].tolist():
            yield self._nodes.etag(row)

    def _row(self, row: int, key: str, ordinal: int) -> Row:
        answer = self._nodes.answer(row)
        source = answer["provenance"]
        successor = answer.get("successor") or {}
        return {
            **{snake_case(name): value for name, value in answer.items()},
            "node_id": answer["id"],
            "code_body": key,
            "ordinal": ordinal,
            "effective_words": (answer.get("effective") or {}).get("words"),
            "successor_citation": successor.get("citation"),
            "successor_id": successor.get("nodeId"),
            "release_point": source["releasePoint"],
            "retrieved_at": source["retrievedAt"],
            "source_file": source["file"],
            "byte_start": source["byteStart"],
            "byte_end": source["byteEnd"],
            "source_sha256": source["sha256"],
        }


class ReferenceRows:
    """Rows of references.

    Args:
        selection: what the references were found in.
        citation_index: folder of the references.
    """

    def __init__(self, selection: Selection, citation_index: Path) -> None:
        self._found = FoundReferences.load(citation_index, len(selection))
        names = ("node_id", "citation")
        self._ids, self._citations = (selection.provisions.column(one).to_pylist() for one in names)

    def of(self, body: SelectedBody) -> Iterator[list[Row]]:
        """Yield the references in a code body's texts in their order, some thousands at a time."""
        for batch in self._found.within(body.first, body.count).to_batches(max_chunksize=BATCH_ROWS * 8):
            yield [self._row(found) for found in batch.to_pylist()]

    def _row(self, found: Mapping[str, Any]) -> Row:
        target, several = found["target"], found["members"]
        return {
            "node_id": self._ids[found["source"]],
            "citation": self._citations[found["source"]],
            "start": found["start"],
            "end": found["end"],
            "cited": found["citation"],
            "target_id": None if target is None else self._ids[target],
            "member_ids": several and [self._ids[one] for one in several],
            "reason": found["reason"],
            "origin": _ORIGINS[found["origin"]],
        }


def change_row(change: Change, code_body: str) -> Row:
    """Return the row of a change; `code_body` is the key of its code body."""
    row: Row = _renamed(change)
    return row | {"code_body": code_body}


@cache
def snake_case(name: str) -> str:
    """Return the name of an API's field as that of a column."""
    return _CAPITAL.sub(r"_\1", name).lower()


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {snake_case(name): _renamed(one) for name, one in value.items()}
    return [_renamed(one) for one in value] if isinstance(value, list) else value

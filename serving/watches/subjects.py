"""The subject of a watch: a provision, a provision with all below it, a code body, or a search."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from serving.contract.changes import Change
from serving.services.requests import SearchRequest
from serving.services.retained_laws import RetainedLaw
from serving.services.search import SearchService
from serving.snapshot.store import Snapshot

NODE, CONTAINER, CODE_BODY, SEARCH = "node", "container", "codeBody", "search"
KINDS = (NODE, CONTAINER, CODE_BODY, SEARCH)
"""Every kind of subject; each is the name of the field that gives its value."""
FIRST = 20
"""Results of a search that a watch of it looks at."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Law that is watched: by an id, or by the words of a search.

    Attributes:
        kind: one of `KINDS`.
        value: the id, or the words.
        jurisdiction: narrows a search; None for all law, and for other kinds.
    """

    kind: str
    value: str
    jurisdiction: str | None = None

    def described(self) -> dict[str, str]:
        """Return the fields by which a request names it, and by which answers and events show it."""
        within = {} if self.jurisdiction is None else {"jurisdiction": self.jurisdiction}
        return {self.kind: self.value, **within}


def written(subject: Subject) -> str:
    """Return a subject as the store keeps it."""
    return orjson.dumps(subject.described()).decode()


def read(text: str) -> Subject:
    """Return the subject that the store keeps."""
    fields: dict[str, Any] = orjson.loads(text)
    kind = next(name for name in KINDS if name in fields)
    return Subject(kind, fields[kind], fields.get("jurisdiction"))


def rows_of(subject: Subject, law: RetainedLaw) -> list[int]:
    """Return the rows of the changes in a snapshot that concern an id, in their order.

    A provision is concerned before and after: one that gets another id is found by both.
    """
    table = law.changes
    if table is None:
        return []
    if subject.kind == CODE_BODY:
        return table.find(code_bodies={subject.value})
    rows = table.find(container=UUID(subject.value))
    return rows if subject.kind == CONTAINER else [row for row in rows if _is_of(table.change(row), subject)]


def rows_found(subject: Subject, law: RetainedLaw, snapshot: Snapshot, service: SearchService) -> list[int]:
    """Return the rows of the changes whose provision a search leads to now, among its first results.

    What the later snapshot does not lead to is not matched: a provision that was removed or repealed.
    """
    table = law.changes
    if table is None:
        return []
    asked = SearchRequest(query=subject.value, jurisdiction=subject.jurisdiction, limit=FIRST)
    found = service.search(snapshot, asked)
    rows = {row for item in found.items for row in table.find(container=UUID(item.node_id))}
    wanted = {item.node_id for item in found.items}
    return [row for row in sorted(rows) if _after(table.change(row)) in wanted]


def _is_of(change: Change, subject: Subject) -> bool:
    sides = (change["before"], change["after"])
    return any(side is not None and side["nodeId"] == subject.value for side in sides)


def _after(change: Change) -> str | None:
    after = change["after"]
    return None if after is None else after["nodeId"]

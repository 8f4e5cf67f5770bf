"""Lists of the provisions below a container or at the top of a code body, a page at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from serving.contract.errors import NotFoundError
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import IN_FORCE
from serving.services.addresses import page_of
from serving.snapshot.store import Snapshot

PER_PAGE = 200
"""Provisions of one page: titles of the United States Code have up to 8,000."""


@dataclass(frozen=True, slots=True)
class Child:
    """One provision of a list; `status` is "" where it is in force."""

    address: str
    citation: str
    heading: str
    status: str


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list, and the numbers of the first and the last of its provisions."""

    number: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Children:
    """The provisions of one page, and all pages where there are several; `total` counts the provisions."""

    shown: tuple[Child, ...]
    total: int
    page: int
    pages: tuple[ListPage, ...]


def children_of(snapshot: Snapshot, body: CodeBodyEntry, row: int | None, page: int) -> Children:
    """Return what stands below a provision, or at the top of a code body.

    Raises:
        NotFoundError: the list has no such page.
    """
    parent = None if row is None else snapshot.nodes.id(row)
    listed = orjson.loads(snapshot.browse.children(UUID(body.id), parent).plain)["nodes"]
    count = -(-len(listed) // PER_PAGE)
    if page > max(1, count):
        raise NotFoundError(f"This list has {count} pages.", kind="path")
    pages = [
        ListPage(number, *(end["num"] or end["citation"] for end in (group[0], group[-1])))
        for number, group in enumerate(_groups(listed), start=1)
    ]
    shown = []
    for child in listed[(page - 1) * PER_PAGE : page * PER_PAGE]:
        found = snapshot.nodes.find(UUID(child["id"]))
        if found is not None:
            status = "" if child["status"] == IN_FORCE else child["status"].replace("_", " ")
            shown.append(Child(page_of(snapshot, found), child["citation"], child["heading"], status))
    return Children(tuple(shown), len(listed), page, tuple(pages) if count > 1 else ())


def _groups(listed: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for first in range(0, len(listed), PER_PAGE):
        yield listed[first : first + PER_PAGE]

"""Sitemaps: the pages of all provisions in force, for search engines (sitemaps.org).

The page of a provision is said to be of the snapshot that last changed the provision, where one that is
retained did: of what was before, nothing is known here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from serving.contract.errors import NotFoundError
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import IN_FORCE
from serving.services.addresses import LAW, page_of, page_of_body
from serving.snapshot.addresses import code_of
from serving.snapshot.store import Snapshot

MOST = 50_000
"""Addresses of one file, as the protocol has it."""
SITEMAPS = "/sitemaps"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The model of a sitemap, or of the index of all.

    Attributes:
        pages: when each page changed, by its path; None where that is not known.
    """

    pages: Mapping[str, str | None]


def sitemap_index(snapshot: Snapshot) -> Sitemap:
    """Return the index: the parts of every code body."""
    parts = [
        f"{SITEMAPS}/{body.jurisdiction}/{code_of(body)}/{number}.xml"
        for index, body in enumerate(snapshot.code_bodies)
        for number in range(1, _parts(len(_living(snapshot, index))) + 1)
    ]
    return Sitemap(dict.fromkeys(parts, snapshot.manifest.created))


def sitemap(snapshot: Snapshot, body: CodeBodyEntry, number: int, changed: Mapping[str, str]) -> Sitemap:
    """Return one part of a code body's pages.

    Args:
        snapshot: the snapshot in service.
        body: one of its code bodies.
        number: number of the part, from 1.
        changed: when provisions last changed, by their ids.

    Raises:
        NotFoundError: it has no such part.
    """
    rows = _living(snapshot, snapshot.code_bodies.index(body))
    if not 1 <= number <= _parts(len(rows)):
        raise NotFoundError(f"{body.name} has {_parts(len(rows))} sitemaps.", kind="path")
    return Sitemap(dict(_pages(snapshot, body, rows, number, changed)))


def _pages(
    snapshot: Snapshot, body: CodeBodyEntry, rows: list[int], number: int, changed: Mapping[str, str]
) -> Iterator[tuple[str, str | None]]:
    # The lists of the jurisdiction and of the code body stand before the provisions.
    above = [LAW, f"{LAW}/{body.jurisdiction}", page_of_body(body)]
    place = (number - 1) * MOST
    for entry in range(place, min(place + MOST, len(above) + len(rows))):
        if entry < len(above):
            yield above[entry], snapshot.manifest.created
        else:
            row = rows[entry - len(above)]
            yield page_of(snapshot, row), changed.get(str(snapshot.nodes.id(row)))


def _parts(provisions: int) -> int:
    return -(-(provisions + 3) // MOST)


def _living(snapshot: Snapshot, index: int) -> list[int]:
    nodes = snapshot.nodes
    rows: list[int] = np.flatnonzero(nodes.code_body_indexes() == index).tolist()
    return [row for row in rows if nodes.status(row) == IN_FORCE]

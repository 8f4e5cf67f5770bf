"""Provisions that a search query cites, which lead its results."""

from collections.abc import Iterator
from uuid import UUID

from serving.services.citations.resolution import Provision, Resolution
from serving.services.citations.resolve import resolve
from serving.snapshot.filters import Filters, scope_of
from serving.snapshot.store import Snapshot

MAX_LEADS = 10
"""Most provisions of a long list that lead; the others rank by their words."""


def leading_rows(snapshot: Snapshot, query: str, filters: Filters) -> tuple[int, ...]:
    """Return the rows of the provisions that a query cites, in its order, if they pass the filters.

    A pin cite counts for its provision, the name of an act for the places where the act is codified, a
    list for each member. Empty where the query is no citation.
    """
    scope = None
    if filters.jurisdiction is not None:
        scope = scope_of(filters.jurisdiction, snapshot.manifest.jurisdictions)
    passing = (
        provision.row
        for provision in _cited(resolve(snapshot, query))
        if (not filters.statuses or provision.status in filters.statuses)
        and (scope is None or provision.jurisdiction in scope)
        and (filters.code_body is None or UUID(provision.code_body) == filters.code_body)
        and filters.level in (None, provision.level)
        and (filters.tag is None or filters.tag in snapshot.nodes.tags(provision.row))
    )
    return tuple(dict.fromkeys(passing))[:MAX_LEADS]


def _cited(resolution: Resolution) -> Iterator[Provision]:
    if resolution.provision is not None:
        yield resolution.provision
    for candidate in resolution.candidates:
        if candidate.provision is not None:
            yield candidate.provision
    for member in resolution.members:
        yield from _cited(member)

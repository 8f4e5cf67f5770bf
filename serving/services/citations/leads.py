"""Provisions that a search query cites or names, which lead its results."""

from collections.abc import Iterator
from uuid import UUID

from serving.services.citations.named_acts import acts_named_in, leading_places
from serving.services.citations.resolution import Provision, Resolution
from serving.services.citations.resolve import resolve
from serving.snapshot.filters import Filters, scope_of
from serving.snapshot.store import Snapshot

MAX_LEADS = 10
"""Most provisions of a long list that lead; the others rank by their words."""


def leading_rows(snapshot: Snapshot, query: str, filters: Filters) -> tuple[int, ...]:
    """Return the rows of the provisions that a query cites or names, if they pass the filters.

    A pin cite counts for its provision, a list for each member, in its order. The name of an act, also among
    other words, counts for the places for which it is known; `section 5 of the X Act` for that section.
    Empty where the query neither cites nor names law.
    """
    scope = None
    if filters.jurisdiction is not None:
        scope = scope_of(filters.jurisdiction, snapshot.manifest.jurisdictions)
    passing = (
        provision.row
        for provision in _leading(snapshot, query)
        if (not filters.statuses or provision.status in filters.statuses)
        and (scope is None or provision.jurisdiction in scope)
        and (filters.code_body is None or UUID(provision.code_body) == filters.code_body)
        and filters.level in (None, provision.level)
        and (filters.tag is None or filters.tag in snapshot.nodes.tags(provision.row))
    )
    return tuple(dict.fromkeys(passing))[:MAX_LEADS]


def _leading(snapshot: Snapshot, query: str) -> Iterator[Provision]:
    """Yield what a query names, where it is but a name; else what it cites; else what it names besides."""
    acts = acts_named_in(snapshot, query)
    whole = any(act.whole for act in acts)
    if whole:
        yield from leading_places(acts)
    cited = list(_cited(resolve(snapshot, query)))
    yield from cited
    if whole or cited:
        return
    for act in acts:
        if act.section is not None:
            yield from _cited(resolve(snapshot, act.section))
    yield from leading_places(acts)


def _cited(resolution: Resolution) -> Iterator[Provision]:
    if resolution.provision is not None:
        yield resolution.provision
    for candidate in resolution.candidates:
        if candidate.provision is not None:
            yield candidate.provision
    for member in resolution.members:
        yield from _cited(member)

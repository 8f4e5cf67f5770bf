"""Checks of what a request names: a jurisdiction, code body, level or tag that a snapshot does not list."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from uuid import UUID

from serving.contract.errors import ValidationError
from serving.contract.manifest import Manifest
from serving.services.jurisdictions import find_jurisdiction
from serving.services.requests import SearchRequest
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot

_MOST_LISTED = 40
"""Values that an error lists whole: levels are fewer, tags of a large snapshot more."""
_BY_FACETS = "The facet `{name}` of a search lists all."


def known_request(snapshot: Snapshot, request: SearchRequest) -> SearchRequest:
    """Return a request with its jurisdiction as a short code, and its filters checked.

    Raises:
        ValidationError: the jurisdiction, code body, level or tag is not one of the snapshot's.
    """
    manifest, jurisdiction = snapshot.manifest, request.jurisdiction
    code = None if jurisdiction is None else find_jurisdiction(manifest, jurisdiction)
    if request.code_body is not None:
        require_code_body(manifest, request.code_body)
    for name, value, values in (
        ("level", request.level, snapshot.nodes.known_levels),
        ("tag", request.tag, snapshot.nodes.known_tags),
    ):
        if value is not None and value not in values:
            near_values = get_close_matches(value, sorted(values), n=3, cutoff=0.5)
            few = len(values) <= _MOST_LISTED
            others = f"There are {', '.join(sorted(values))}." if few else _BY_FACETS.format(name=name)
            raise _unknown(name, value, near_values, others)
    return request if code == jurisdiction else replace(request, jurisdiction=code)


def filters_of(request: SearchRequest) -> Filters:
    """Return the filters of a request."""
    return Filters(
        jurisdiction=request.jurisdiction,
        code_body=request.code_body,
        level=request.level,
        tag=request.tag,
        statuses=request.statuses,
    )


def require_code_body(manifest: Manifest, code_body: UUID) -> None:
    """Raise an error for a code body that a snapshot does not list.

    Raises:
        ValidationError: it does not; the message names the nearest.
    """
    if all(entry.id != str(code_body) for entry in manifest.code_bodies):
        near_ids = get_close_matches(
            str(code_body), [entry.id for entry in manifest.code_bodies], n=3, cutoff=0.5
        )
        known = [f"{entry.id} ({entry.name})" for entry in manifest.code_bodies if entry.id in near_ids]
        raise _unknown("codeBody", str(code_body), known, "Coverage lists all.")


def _unknown(parameter: str, value: str, near: Sequence[str], others: str) -> ValidationError:
    hint = f" Nearest: {', '.join(near)}." if near else ""
    return ValidationError(
        f"Parameter `{parameter}` names {value}, which this snapshot does not list.{hint} {others}",
        parameter=parameter,
    )

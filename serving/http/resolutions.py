"""Resolved citations as the JSON of the API."""

from collections.abc import Sequence
from typing import Any

import orjson

from serving.services.citations.resolution import (
    Candidate,
    LabelledSpan,
    PinCite,
    Provision,
    Resolution,
    Successor,
)


def resolutions_body(resolutions: Sequence[Resolution]) -> bytes:
    """Return the resolve response."""
    return orjson.dumps({"results": [_resolution(resolution) for resolution in resolutions]})


def _resolution(resolution: Resolution) -> dict[str, Any]:
    provision, pin, beside = resolution.provision, resolution.pin, resolution.neighbours
    return {
        "input": resolution.input,
        "outcome": resolution.outcome,
        "citation": resolution.citation,
        "codeName": resolution.code_name,
        "lawKind": resolution.law,
        "nodeId": provision.node_id if provision else None,
        "nodeCitation": provision.citation if provision else None,
        "heading": provision.heading if provision else None,
        "jurisdiction": resolution.jurisdiction,
        "codeBody": provision.code_body if provision else None,
        "level": provision.level if provision else None,
        "status": provision.status if provision else None,
        "pin": pin.label if pin else None,
        "pinFound": pin.found if pin else None,
        "pinReason": pin.reason if pin else None,
        "pinCandidates": [_part(part) for part in pin.candidates] if pin else [],
        "span": _span(pin) if pin else None,
        "reason": resolution.reason,
        "candidates": [_candidate(candidate) for candidate in resolution.candidates],
        "neighbours": (
            {"previous": _beside(beside.previous), "next": _beside(beside.next)} if beside else None
        ),
        "successor": _successor(resolution.successor) if resolution.successor else None,
        "members": [_resolution(member) for member in resolution.members],
        "memberCount": resolution.member_count,
        "offset": resolution.offset,
        "expected": resolution.expected,
    }


def _span(pin: PinCite) -> dict[str, Any]:
    label = pin.label if pin.found else pin.nearest
    return {"start": pin.start, "end": pin.end, "label": label, "uncertain": pin.uncertain}


def _part(part: LabelledSpan) -> dict[str, Any]:
    return {"start": part.start, "end": part.end, "label": part.label, "uncertain": part.uncertain}


def _provision(provision: Provision) -> dict[str, Any]:
    return {
        "nodeId": provision.node_id,
        "citation": provision.citation,
        "heading": provision.heading,
        "jurisdiction": provision.jurisdiction,
        "codeBody": provision.code_body,
        "level": provision.level,
        "status": provision.status,
    }


def _beside(provision: Provision | None) -> dict[str, Any] | None:
    return None if provision is None else _provision(provision)


def _candidate(candidate: Candidate) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(
        ("nodeId", "heading", "jurisdiction", "codeBody", "level", "status")
    )
    known = nothing if candidate.provision is None else _provision(candidate.provision)
    return {**known, "act": candidate.act, "citation": candidate.citation}


def _successor(successor: Successor) -> dict[str, Any]:
    provision = successor.provision
    return {"citation": successor.citation, "nodeId": None if provision is None else provision.node_id}

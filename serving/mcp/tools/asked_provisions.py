"""The provision that an agent asks to read, by a citation: which one, which parts of it, or its notes."""

from dataclasses import dataclass
from uuid import UUID

from serving.contract.errors import CitationNotFoundError
from serving.services.citations.resolution import Outcome, PinCite, Provision, Reason, Resolution
from serving.services.citations.resolve import resolve
from serving.snapshot.store import Snapshot

_SHOWN = 120
"""Characters of a citation that an error repeats."""


@dataclass(frozen=True, slots=True)
class AskedProvision:
    """A provision, the parts of it that are pinned, and whether the notes under it are cited."""

    node_id: UUID
    pins: tuple[PinCite, ...] = ()
    notes: bool = False


def cited_provision(snapshot: Snapshot, citation: str) -> AskedProvision:
    """Return the one provision that a citation leads to; several parts of it may be cited.

    Raises:
        CitationNotFoundError: it leads to none or to several, or a part that it pins does not stand.
    """
    found = resolve(snapshot, citation)
    parts = _parts_of_one(found)
    if parts:
        return parts
    provision, pin = found.provision, found.pin
    if provision is None:
        if found.members:
            why = "it cites several, each of which resolve_citation gives with its nodeId"
        else:
            why = f"{found.outcome}{f' ({found.reason})' if found.reason else ''}"
        raise CitationNotFoundError(
            f"`{citation[:_SHOWN]}` does not lead to one provision: {why}.",
            outcome=found.outcome,
            reason=Reason.SEVERAL_PROVISIONS if found.members else found.reason,
        )
    if pin is not None and found.outcome in (Outcome.PIN_NOT_FOUND, Outcome.AMBIGUOUS):
        raise CitationNotFoundError(
            f"`{citation[:_SHOWN]}`: {_without_part(provision, pin)}",
            outcome=found.outcome,
            reason=found.reason or pin.reason,
        )
    pins = () if pin is None else (pin,)
    return AskedProvision(UUID(provision.node_id), pins, found.reason is Reason.NOTE)


def _parts_of_one(found: Resolution) -> AskedProvision | None:
    """Return what a list of parts of one provision cites: `17 U.S.C. § 504(b) and (c)`; None of other lists.

    A list of which anything is missing, dead or a note is none: its members are told apart by their outcomes.
    """
    members = found.members
    if not members or len(members) < found.member_count:
        return None
    ids = {one.provision.node_id for one in members if one.provision is not None}
    pins = tuple(one.pin for one in members if one.pin is not None and one.reason is None)
    whole = found.outcome is Outcome.FOUND and len(pins) == len(members) and len(ids) == 1
    return AskedProvision(UUID(ids.pop()), pins) if whole else None


def _without_part(provision: Provision, pin: PinCite) -> str:
    """Return what a provision has instead of the one part that is pinned."""
    if pin.candidates:
        places = ", ".join(f"{part.start} to {part.end}" for part in pin.candidates)
        return (
            f"several parts of {provision.citation} are {pin.label}, at characters {places} (several_parts)."
        )
    beside = ", ".join(part.label for part in pin.neighbours) or "no parts there"
    return f"{provision.citation} has no part {pin.label}; it has {beside} (pin_not_found)."

"""The provision that an agent asks to read, by a citation: which one, which parts of it, or its notes."""

from dataclasses import dataclass
from uuid import UUID

from serving.contract.errors import CitationNotFoundError
from serving.services.citations.listed_parts import listed_parts
from serving.services.citations.resolution import Outcome, PinCite, Provision, Reason
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
    parts = listed_parts(found)
    if parts is not None:
        return AskedProvision(UUID(parts.provision.node_id), parts.pins)
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


def _without_part(provision: Provision, pin: PinCite) -> str:
    """Return what a provision has instead of the one part that is pinned."""
    if pin.candidates:
        places = ", ".join(f"{part.start} to {part.end}" for part in pin.candidates)
        return (
            f"several parts of {provision.citation} are {pin.label}, at characters {places} (several_parts)."
        )
    beside = ", ".join(part.label for part in pin.neighbours) or "no parts there"
    return f"{provision.citation} has no part {pin.label}; it has {beside} (pin_not_found)."

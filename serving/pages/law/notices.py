"""Outcomes of citations in words, with what stands beside them: for searches and for wrong addresses."""

from collections.abc import Iterator
from dataclasses import dataclass

from serving.contract.citations import parse
from serving.contract.citations.citation import CONTAINER, RULE, SECTION
from serving.contract.citations.keys import citation_key
from serving.services.addresses import fragment_of, page_of
from serving.services.citations.resolution import Outcome, Provision, Reason, Resolution
from serving.services.citations.resolve import resolve
from serving.snapshot.store import Snapshot

MOST = 10
"""Provisions that a notice lists."""

_OF_PROVISIONS = frozenset({SECTION, RULE, CONTAINER})
_OF_OUTCOME = {
    Outcome.FOUND: "{cited} is a provision that is held here.",
    Outcome.AMBIGUOUS: "{cited} can mean several provisions.",
    Outcome.REPEALED: "{cited} is no longer in force.",
    Outcome.RESERVED: "{cited} is reserved: the number has no text.",
    Outcome.RENUMBERED: "{cited} has moved.",
    Outcome.NOT_IN_CODE: (
        "There is no {cited}: this part of its code is held here in full, and has no such number."
    ),
    Outcome.PIN_NOT_FOUND: "{held} has no {part}.",
    Outcome.OUTSIDE_COVERAGE: "{cited} is law that is not held here.",
    Outcome.UNKNOWN_CODE: "No law is known here by the name {name}.",
    Outcome.ACT_UNMAPPED: "{cited}: the act is known, but not where it stands in a code.",
    Outcome.UNCHECKED: "{cited} is the decision of a court; only statutes and codes are held here.",
}
_OF_REASON: dict[tuple[Outcome, Reason | None], str] = {
    (Outcome.FOUND, Reason.ACT): "{cited} is the name of an act.",
    (Outcome.AMBIGUOUS, Reason.ACT): "{cited} is the name of an act, which stands here.",
    (Outcome.AMBIGUOUS, Reason.ACT_NUMBERING): (
        "{cited} is a number of an act’s own, and no source says for sure where it stands."
    ),
    (Outcome.AMBIGUOUS, Reason.SEVERAL_PARTS): "{held} has several parts {part}.",
    (Outcome.NOT_IN_CODE, Reason.NO_NOTE): "{cited}: this section has no notes.",
    (Outcome.OUTSIDE_COVERAGE, Reason.CODE_INCOMPLETE): (
        "{cited} is not held here. Some of its code is missing, so that it may exist."
    ),
    (Outcome.OUTSIDE_COVERAGE, Reason.EDITION_NOT_HELD): (
        "{cited}: in the edition that is cited this number was another provision's, or none's."
    ),
}


@dataclass(frozen=True, slots=True)
class Lead:
    """A provision to go on with: its address, its citation, its heading, and its place in words."""

    address: str
    citation: str
    heading: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """The reason that a citation leads to no provision, and what to go on with."""

    message: str
    leads: tuple[Lead, ...]


def notice_of(snapshot: Snapshot, resolution: Resolution) -> Notice | None:
    """Return what to say of a resolved citation; None for words that are no citation."""
    message = _message(resolution)
    return None if message is None else Notice(message, tuple(_leads(snapshot, resolution))[:MOST])


def notice_of_words(snapshot: Snapshot, words: str) -> Notice | None:
    """Return what to say of the citations that stand among other words; None where there is none.

    The names of acts are left to the search: who writes one may look for what is written about the act.
    """
    cited = {one.canonical: None for one in parse(words, snapshot.grammar) if one.kind in _OF_PROVISIONS}
    told = [notice for one in list(cited)[:MOST] if (notice := notice_of(snapshot, resolve(snapshot, one)))]
    if len(told) < 2:
        return told[0] if told else None
    leads = dict.fromkeys(lead for notice in told for lead in notice.leads)
    return Notice("These words cite several provisions.", tuple(leads)[:MOST])


def lead_of(snapshot: Snapshot, row: int, place: str = "", fragment: str = "") -> Lead:
    """Return the provision in a row as one to go on with."""
    nodes = snapshot.nodes
    address = page_of(snapshot, row) + (f"#{fragment}" if fragment else "")
    return Lead(address, nodes.citation(row), nodes.heading(row), place)


def _message(found: Resolution) -> str | None:
    if found.outcome is Outcome.UNPARSED:
        return None
    cited = found.citation or found.input
    if found.members:
        return f"{cited} are several provisions."
    told = _OF_REASON.get((found.outcome, found.reason)) or _OF_OUTCOME[found.outcome]
    return told.format(
        cited=cited,
        name=found.code_name or cited,
        held=found.provision.citation if found.provision else cited,
        part=found.pin.label if found.pin else "",
    )


def _leads(snapshot: Snapshot, found: Resolution) -> Iterator[Lead]:
    if found.provision is not None:
        pinned = fragment_of(found.pin.label) if found.pin is not None and found.pin.found else ""
        yield lead_of(snapshot, found.provision.row, fragment=pinned)
        if found.pin is not None and not found.pin.found:
            for part in (*found.pin.candidates, *found.pin.neighbours):
                yield _part(snapshot, found.provision, part.label)
    for place, beside in zip(("before it", "after it"), _beside(snapshot, found), strict=True):
        if beside is not None:
            yield lead_of(snapshot, beside, place)
    for candidate in found.candidates:
        if candidate.provision is not None:
            yield lead_of(snapshot, candidate.provision.row, candidate.act or "")
    for member in found.members:
        yield from _leads(snapshot, member)
    if found.successor is not None and found.successor.provision is not None:
        yield lead_of(snapshot, found.successor.provision.row, "where it went")


def _beside(snapshot: Snapshot, found: Resolution) -> tuple[int | None, int | None]:
    """Return the rows of the provisions before and after a missing number.

    A resolution names them where its code is held in full. Here they are what there is to go on with, and
    are no proof that nothing stands between them.
    """
    if found.neighbours is not None:
        previous, following = found.neighbours.previous, found.neighbours.next
        return previous.row if previous else None, following.row if following else None
    if found.reason is not Reason.CODE_INCOMPLETE or found.citation is None or found.members:
        return None, None
    before, after = snapshot.citations.neighbours(citation_key(found.citation))
    return _only(snapshot, before), _only(snapshot, after)


def _only(snapshot: Snapshot, entries: range) -> int | None:
    return snapshot.citations.node(entries[0]) if entries else None


def _part(snapshot: Snapshot, provision: Provision, label: str) -> Lead:
    address = f"{page_of(snapshot, provision.row)}#{fragment_of(label)}"
    return Lead(address, f"{provision.citation}{label}", "", "a part beside it")

"""Changes of provisions as pages show them."""

import re
from dataclasses import dataclass
from uuid import UUID

from serving.contract.changes import Change, Words
from serving.contract.records import IN_FORCE
from serving.pages.law.notices import Lead
from serving.services.addresses import page_of
from serving.services.history import published_changes
from serving.snapshot.store import Snapshot

NAMES = {
    "added": "New",
    "removed": "Gone",
    "renumbered": "Renumbered",
    "status": "Other status",
    "amended": "Amended",
    "editorial": "Editorial",
    "corrected": "Read otherwise",
}
"""Kinds of changes in words."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One change.

    Attributes:
        lead: the provision as it is now, or as it was.
        was: its citation before, where it was renumbered.
        status: in words, before and after, where it differs.
        fields: what differs, in words.
        more: places of the text that are not shown.
        acts: parts of the source credit that are new.
    """

    kind: str
    lead: Lead
    was: str
    status: tuple[str, str] | None
    fields: tuple[str, ...]
    words: tuple[Words, ...]
    more: int
    acts: tuple[str, ...]
    published_on: str
    known_on: str


def changes_of(snapshot: Snapshot, row: int) -> tuple[ShownChange, ...]:
    """Return the changes that a snapshot brought to a provision; none where nothing was compared."""
    found = published_changes(snapshot, snapshot.nodes.id(row))
    return tuple(shown_change(snapshot, change) for change in found)


def shown_change(snapshot: Snapshot, change: Change) -> ShownChange:
    """Return a change as pages show it."""
    before, after = change["before"], change["after"]
    side = after or before
    status = None
    if before is not None and after is not None and before["status"] != after["status"]:
        status = (_in_words(before["status"]), _in_words(after["status"]))
    if side is None:
        lead = Lead("", change["codeBody"]["name"], "")
    else:
        found = snapshot.nodes.find(UUID(side["nodeId"]))
        place = "" if side["status"] == IN_FORCE or status else _in_words(side["status"])
        address = "" if found is None else page_of(snapshot, found)
        lead = Lead(address, side["citation"], side["heading"], place)
    return ShownChange(
        kind=NAMES[change["kind"]],
        lead=lead,
        was=before["citation"] if before is not None and change["kind"] == "renumbered" else "",
        status=status,
        fields=tuple(_CAMEL.sub(" ", field).lower() for field in change["fields"]),
        words=tuple(change["words"]),
        more=change["wordsLeftOut"],
        acts=tuple(change["creditAdded"]),
        published_on=change["publishedOn"],
        known_on=change["knownOn"],
    )


def _in_words(status: str) -> str:
    return status.replace("_", " ")

"""Changes between two snapshots, as they stand in a snapshot and in answers.

A record says what is known: the day on which this service published the change, and the day on which it had
the publisher's file. It never says from when a change is in force, unless the publisher states it.
"""

from typing import Annotated, NotRequired, TypedDict

from serving.contract.answers import DETAIL, Default, NamedCodeBody
from serving.contract.records import IN_FORCE

ADDED, REMOVED, RENUMBERED = "added", "removed", "renumbered"
STATUS, AMENDED, EDITORIAL, CORRECTED = "status", "amended", "editorial", "corrected"

KINDS = (ADDED, REMOVED, RENUMBERED, STATUS, AMENDED, EDITORIAL, CORRECTED)
"""Every kind of change. A change that is of several is of the first in this order, but for the last one:

- `renumbered`: the text stands under another number, and nowhere else before or after;
- `status`: the status differs, such as repealed in place of in force;
- `amended`: the words of the heading or the text differ;
- `editorial`: they are equal after folding white space, dashes and quotes;
- `corrected`: the publisher's file is the same byte for byte, and this service reads it otherwise.
"""

FIELDS = (
    *("nodeId", "number", "heading", "text", "level", "status", "place", "notes", "sourceCredit"),
    "effective",
)
"""Parts of a provision that may differ."""

CODE_BODY = "code_body"
"""Level of the one record for a code body that is new, or no longer held."""

FIRST_SNAPSHOT, NOT_COMPARED = "first_snapshot", "not_compared"
"""Reasons for which a snapshot has no changes: nothing was in service before it, or it was built by a version
of the pipeline that compared nothing."""


class Words(TypedDict):
    """A place of the text at which words were taken away, put in, or replaced, in characters of each text."""

    beforeStart: Annotated[int, DETAIL]
    beforeEnd: Annotated[int, DETAIL]
    afterStart: Annotated[int, DETAIL]
    afterEnd: Annotated[int, DETAIL]
    removed: Annotated[str, Default("")]
    added: Annotated[str, Default("")]


class ChangedSide(TypedDict):
    """A provision as one of the two snapshots has it."""

    nodeId: str
    citation: str
    heading: str
    level: str
    num: Annotated[str | None, DETAIL]
    status: Annotated[str, Default(IN_FORCE)]
    breadcrumb: Annotated[list[str], DETAIL]
    textSha256: Annotated[str, DETAIL]
    currentThrough: str | None
    currentThroughDate: Annotated[str | None, DETAIL]
    effectiveStart: NotRequired[str]
    effectiveEnd: NotRequired[str]


class Change(TypedDict):
    """One change of a provision, or of a code body as a whole, which has no sides.

    `wordsLeftOut` counts the places beyond the bound; `creditAdded` has the parts of the source credit that
    were not there before; `successor` is what the publisher names as the new place.
    """

    kind: str
    fields: list[str]
    level: str
    jurisdiction: str
    codeBody: NamedCodeBody
    before: ChangedSide | None
    after: ChangedSide | None
    words: list[Words]
    wordsLeftOut: Annotated[int, Default(0)]
    creditAdded: list[str]
    successor: NotRequired[str]
    nodeCount: NotRequired[int]
    publishedOn: str
    knownOn: str


class Edition(TypedDict):
    """A code body as one of the two snapshots has it."""

    currentThrough: str | None
    currentThroughDate: Annotated[str | None, DETAIL]
    releasePoint: str | None
    nodeCount: int


class ComparedBody(TypedDict):
    """A code body of either snapshot, and the number of its changes by kind.

    `staleTitles` are kept by the later snapshot from an earlier edition: nothing is known of them yet.
    """

    id: str
    name: str
    jurisdiction: str
    before: Edition | None
    after: Edition | None
    staleTitles: list[str]
    counts: dict[str, int]


class Stamp(TypedDict):
    """A snapshot that was compared, and the instant at which it was published."""

    id: str
    createdAt: str


Summary = TypedDict(
    "Summary", {"from": Stamp | None, "to": Stamp, "reason": str | None, "codeBodies": list[ComparedBody]}
)
"""`changes.json` of a snapshot: the two snapshots that its changes lie between. `from` is null where there is
none to compare with, and then `reason` says why."""

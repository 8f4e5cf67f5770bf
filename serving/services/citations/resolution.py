"""What becomes of a citation that is resolved: the records between front ends and the resolver."""

from dataclasses import dataclass
from enum import StrEnum

from serving.contract.records import IN_FORCE


class Outcome(StrEnum):
    """What a citation leads to."""

    FOUND = "found"
    AMBIGUOUS = "ambiguous"
    REPEALED = "repealed"
    RESERVED = "reserved"
    RENUMBERED = "renumbered"
    NOT_IN_CODE = "not_in_code"
    OUTSIDE_COVERAGE = "outside_coverage"
    UNPARSED = "unparsed"


OF_STATUS = {
    IN_FORCE: Outcome.FOUND,
    "repealed": Outcome.REPEALED,
    "omitted": Outcome.REPEALED,
    "expired": Outcome.REPEALED,
    "reserved": Outcome.RESERVED,
    "transferred": Outcome.RENUMBERED,
    "renumbered": Outcome.RENUMBERED,
}
"""The outcome of citing the one provision that bears the number, by its status."""


class Reason(StrEnum):
    """Why an outcome is what it is, where that can be several things."""

    SEVERAL_PROVISIONS = "several_provisions"
    """Several provisions bear the number: each is a candidate."""
    SEVERAL_ACTS = "several_acts"
    """The name or abbreviation is that of several acts."""
    ACT = "act"
    """An act is named. Where it is all of one provision or container, that is found; else the places where
    it is known to stand or begin are candidates."""
    ACT_NUMBERING = "act_numbering"
    """A section by an act's own numbering, which no source maps to a code; or a number in an appendix, each
    of whose acts numbers its own sections."""
    CODE_NOT_HELD = "code_not_held"
    """This snapshot does not hold the code, or the set of rules."""
    CODE_INCOMPLETE = "code_incomplete"
    """This snapshot does not hold all of the code, so what it lacks may exist."""
    NOTE = "note"
    """A note under the section is cited, which is not the section; the provision is that section."""
    NO_NOTE = "no_note"
    """A note under a section is cited, and the section has none; it is the candidate."""


class PinReason(StrEnum):
    """Why a pin cite leads to no one part."""

    NOT_IN_OUTLINE = "not_in_outline"
    """The outline has no such label, or an end of the range before its beginning."""
    SEVERAL_PARTS = "several_parts"
    """Several parts bear the label: each is a candidate."""


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision of the snapshot, as results name it; `row` is its row in the tables."""

    row: int
    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    level: str
    status: str


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a provision's text over [start, end); `uncertain`: its label is a guess."""

    label: str
    start: int
    end: int
    uncertain: bool


@dataclass(frozen=True, slots=True)
class PinCite:
    """Where a pin cite leads: characters [start, end) of the provision's text.

    Attributes:
        label: as cited, such as `(a)(1)`, or `(a)(1)-(3)`.
        found: one part alone bears that label. Else the span is that of `nearest`.
        nearest: label of the innermost part above that the outline has; None: the span is the whole text.
        uncertain: the outline says that the label of the part is a guess.
        reason: why it is not found.
        candidates: the parts that bear the label, where those are several.
    """

    label: str
    found: bool
    start: int
    end: int
    nearest: str | None = None
    uncertain: bool = False
    reason: PinReason | None = None
    candidates: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The provisions before and after a number that is missing; None where it would be the first or last."""

    previous: Provision | None
    next: Provision | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an ambiguous citation may mean.

    Attributes:
        act: name of the act, where an act was named.
        citation: where it stands; None where that is not known.
        provision: None where the snapshot does not hold it.
    """

    act: str | None
    citation: str | None
    provision: Provision | None


@dataclass(frozen=True, slots=True)
class Successor:
    """Where the source says that a provision went; `provision`: None where the snapshot holds none there."""

    citation: str
    provision: Provision | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What one citation leads to.

    Attributes:
        input: as it was given.
        citation: what was cited, in canonical form; None where it could not be read.
        jurisdiction: short code; of the provision, or of the code that is cited. None for acts.
        provision: the one that is meant, dead or alive; None where there is none, or not just one.
        members: of a list or range, in its order; a long range gives its first provisions.
        member_count: all members.
        offset: of the first character that does not fit, where it could not be read.
        expected: what would fit there.
    """

    input: str
    outcome: Outcome
    citation: str | None = None
    jurisdiction: str | None = None
    provision: Provision | None = None
    pin: PinCite | None = None
    neighbours: Neighbours | None = None
    candidates: tuple[Candidate, ...] = ()
    successor: Successor | None = None
    members: tuple["Resolution", ...] = ()
    member_count: int = 0
    reason: Reason | None = None
    offset: int | None = None
    expected: str | None = None

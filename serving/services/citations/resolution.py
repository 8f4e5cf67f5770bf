"""Records of resolved citations, as front ends receive them."""

from dataclasses import dataclass
from enum import StrEnum

from serving.contract.records import IN_FORCE


class Outcome(StrEnum):
    """Outcome of resolving a citation."""

    FOUND = "found"
    AMBIGUOUS = "ambiguous"
    REPEALED = "repealed"
    RESERVED = "reserved"
    RENUMBERED = "renumbered"
    NOT_IN_CODE = "not_in_code"
    PIN_NOT_FOUND = "pin_not_found"
    OUTSIDE_COVERAGE = "outside_coverage"
    UNKNOWN_CODE = "unknown_code"
    ACT_UNMAPPED = "act_unmapped"
    UNPARSED = "unparsed"
    UNCHECKED = "unchecked"


OUTCOME_OF_STATUS = {
    IN_FORCE: Outcome.FOUND,
    "repealed": Outcome.REPEALED,
    "omitted": Outcome.REPEALED,
    "expired": Outcome.REPEALED,
    "reserved": Outcome.RESERVED,
    "transferred": Outcome.RENUMBERED,
    "renumbered": Outcome.RENUMBERED,
}
"""Outcome of citing the only provision of a number, by the provision's status."""


class Reason(StrEnum):
    """Reason for an outcome that can have several."""

    SEVERAL_PROVISIONS = "several_provisions"
    """Several provisions bear the number: each is a candidate."""
    SEVERAL_ACTS = "several_acts"
    """The name or abbreviation is that of several acts."""
    ACT = "act"
    """An act is named. It is found where all of it is one provision or container; otherwise the places where
    it is known to stand or begin are candidates."""
    ACT_NUMBERING = "act_numbering"
    """A section in an act's own numbering, which no source maps to a code; or a number in an appendix, where
    each act numbers its own sections."""
    CODE_NOT_HELD = "code_not_held"
    """This snapshot does not hold the code, or the set of rules."""
    EDITION_NOT_HELD = "edition_not_held"
    """An edition is cited from before the code, or the provision, was numbered as it is."""
    FORMER = "former"
    """The text says that it means former law, which is not that of the provision with its number now."""
    CODE_INCOMPLETE = "code_incomplete"
    """This snapshot does not hold all of the code, so the provision may exist."""
    NOTE = "note"
    """A note under a section is cited; the provision is that section."""
    NO_NOTE = "no_note"
    """A note under a section is cited, and the section has none; it is the candidate."""
    SEVERAL_PARTS = "several_parts"
    """Several parts of the provision bear the label that is pinned: each is a candidate of the pin cite."""
    DEAD_PART = "dead_part"
    """The part that is pinned is repealed, reserved or moved; the provision around it is in force."""
    CASE = "case"
    """The decision of a court is cited, which nothing here can check."""


class PinReason(StrEnum):
    """Reason why a pin cite names no single part."""

    NOT_IN_OUTLINE = "not_in_outline"
    """The provision has no part with that label, or an end of the range stands before its beginning."""
    SEVERAL_PARTS = "several_parts"
    """Several parts bear the label: each is a candidate."""


@dataclass(frozen=True, slots=True)
class Provision:
    """A provision of the snapshot, as results name it; `row`: in the table of nodes."""

    row: int
    node_id: str
    citation: str
    heading: str
    jurisdiction: str
    code_body: str
    level: str
    status: str


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """A part of a provision: characters [start, end) of its text; `uncertain`: the label is a guess."""

    label: str
    start: int
    end: int
    uncertain: bool


@dataclass(frozen=True, slots=True)
class LeadIn:
    """The words of a part before the first part in it: characters [start, end) of the provision's text.

    `label` is that of the part; None for the words before all parts.
    """

    label: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PinCite:
    """A pin cite resolved to characters [start, end) of the provision's text.

    Attributes:
        label: label as it is cited, such as `(a)(1)`, or `(a)(1)-(3)`.
        found: one part alone bears that label; if False, the span is that of `nearest`.
        nearest: label of the innermost part above that the provision has; None: the span is the whole text.
        uncertain: the label of the part is a guess.
        reason: reason for `found` being False.
        candidates: parts that bear the label, where those are several.
        neighbours: parts that stand where the missing one would, in their order.
        lead_in: words of the parts above a found one, outermost first, which its own words go on from.
        status: `in_force`, or what the text says of a part that no longer is.
    """

    label: str
    found: bool
    start: int
    end: int
    nearest: str | None = None
    uncertain: bool = False
    reason: PinReason | None = None
    candidates: tuple[LabelledSpan, ...] = ()
    neighbours: tuple[LabelledSpan, ...] = ()
    lead_in: tuple[LeadIn, ...] = ()
    status: str = IN_FORCE


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The provisions before and after a missing number; None where it would be the first or last."""

    previous: Provision | None
    next: Provision | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One meaning of an ambiguous citation.

    Attributes:
        act: name of the act, where an act was named.
        citation: citation of the place where it stands; None where that is not known.
        provision: None where the snapshot does not hold it.
    """

    act: str | None
    citation: str | None
    provision: Provision | None


@dataclass(frozen=True, slots=True)
class Successor:
    """New place of a provision by its source; `provision`: None where the snapshot holds none there."""

    citation: str
    provision: Provision | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """Result of resolving one citation, or a list of them.

    Attributes:
        input: the text as it was given.
        citation: the cited law in canonical form; None where it could not be read.
        code_name: name of an unknown code, as it is written.
        law: kind of the law that is cited, one of `serving.contract.citations.scheme.LAWS`, or `COURT`;
            None where it is not known.
        jurisdiction: short code; of the provision, or of the code that is cited. None for acts.
        provision: the only one that is cited, dead or alive; None where there is none, or several.
        members: members of a list or range, in its order; a long one gives its first members.
        member_count: number of all members.
        offset: first character that does not fit, where the text could not be read.
        expected: description of what would fit there.
        inferred: the law is not named there: it is that of the citation before (`Id. § 5`).
        amended_since: year of the last amendment of the provision, where an edition from before it is cited.
    """

    input: str
    outcome: Outcome
    citation: str | None = None
    code_name: str | None = None
    law: str | None = None
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
    inferred: bool = False
    amended_since: int | None = None

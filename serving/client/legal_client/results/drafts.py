"""Records of checked drafts and quotations."""

from dataclasses import dataclass

from legal_client.results.citations import Candidate, Successor
from legal_client.results.meta import Meta
from legal_client.results.search import Span


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A provision beside the place of one that does not exist."""

    citation: str | None
    heading: str | None


@dataclass(frozen=True, slots=True)
class NeighboursInDraft:
    """Provisions before and after the place of one that does not exist."""

    previous: Neighbour | None
    next: Neighbour | None


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """The outcome for a citation of a draft, with the names of `Resolution`.

    `input` is None where it is `citation` to the letter; `inferred` is None where nothing was.
    """

    outcome: str
    input: str | None
    citation: str | None
    node_id: str | None
    heading: str | None
    reason: str | None
    expected: str | None
    pin_status: str | None
    candidates: tuple[Candidate, ...]
    neighbours: NeighboursInDraft | None
    successor: Successor | None
    inferred: bool | None
    code_name: str | None
    law_kind: str | None
    amended_since: int | None = None


@dataclass(frozen=True, slots=True)
class DraftCitation:
    """A citation of a draft: each way it is written once, with all its places."""

    places: tuple[Span, ...]
    resolution: CheckedCitation


@dataclass(frozen=True, slots=True)
class Omission:
    """Words of the law that dots or brackets stand for; `put`: those of the quotation in their place."""

    text: str
    put: str | None


@dataclass(frozen=True, slots=True)
class DraftQuotation:
    """A quotation beside a citation of a draft; `nearest` is what the law says instead.

    `in_pinned_part` is False where the words stand in another part than is cited. `stands_in` are citations
    of provisions that hold the words, or of the part that does, where what is cited does not.
    """

    place: Span
    citation: str | None
    verdict: str
    warnings: tuple[str, ...]
    passed_over: tuple[Omission, ...]
    steps: tuple[str, ...]
    in_pinned_part: bool | None
    nearest: str | None
    stands_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The citations that one call checked, and the quotations beside them; `next` is `first` for the rest.

    `unverified` has the places of other quotations, and `unverified_more` counts those that it leaves out.
    """

    citations: tuple[DraftCitation, ...]
    quotations: tuple[DraftQuotation, ...]
    unverified: tuple[Span, ...]
    unverified_more: int | None
    checked: int
    total: int
    next: int | None
    meta: Meta


@dataclass(frozen=True, slots=True)
class QuotedText:
    """Characters of a provision's text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class QuotedDifference:
    """Words of the quotation, and those of the law in their place."""

    quote: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class NearestText:
    """The passage of the provision that is most like a quotation."""

    excerpt: QuotedText
    similarity: float
    differences: tuple[QuotedDifference, ...]


@dataclass(frozen=True, slots=True)
class StandsIn:
    """A provision of the same code that holds the quoted words, or the part of the cited one that does."""

    citation: str
    node_id: str


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """The result for one quotation: its `verdict`, and what a reader has to know beside it.

    `error` says why it was not checked; `resolution` what its citation leads to in place of a text.
    """

    verdict: str
    quote: str
    citation: str | None
    node_id: str | None
    status: str | None
    warnings: tuple[str, ...]
    passed_over: tuple[Omission, ...]
    in_pinned_part: bool | None
    found: tuple[QuotedText, ...]
    nearest: NearestText | None
    stands_in: tuple[StandsIn, ...]
    resolution: CheckedCitation | None
    error: str | None


@dataclass(frozen=True, slots=True)
class CheckedQuotations:
    """One result for each quotation, in their order."""

    results: tuple[CheckedQuotation, ...]
    meta: Meta

"""The rows of the tables, as their files hold them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIRST = Path(__file__).parent
SECOND = FIRST / "second"
"""By another author, who saw neither the code nor what it said."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Result that the law bears out for one thing that a text names; the README says what each field means."""

    outcome: tuple[str, ...]
    citation: str | None = None
    pin: str | None = None
    times: int = 1
    same_title: bool = False
    dead: bool = False
    optional: bool = False

    @property
    def is_found(self) -> bool:
        """True where the law has the provision, so that it must not be refused."""
        return "found" in self.outcome and self.citation is not None and not self.dead


@dataclass(frozen=True, slots=True)
class CitationRow:
    """A text with one or more citations."""

    id: str
    kind: str
    text: str
    typed: bool
    holds: bool
    expected: tuple[Expected, ...]
    whole: bool
    has_range: bool
    why: str


@dataclass(frozen=True, slots=True)
class QuotationRow:
    """A quotation and the provision that it is ascribed to; None where no provision that is held."""

    id: str
    kind: str
    citation: str | None
    quote: str
    holds: bool
    expected: tuple[str, ...]
    warnings: frozenset[str]
    stands_in: str | None
    why: str


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A draft: what its citations must come to, and what its quotations must."""

    citations: CitationRow
    quotations: tuple[QuotationRow, ...]
    clean: bool


def citation_rows(folder: Path = FIRST) -> list[CitationRow]:
    """Return the table of citations."""
    return [
        _citations(row, row["expected"], typed=row["where"] == "typed")
        for row in _rows(folder / "citations.jsonl")
    ]


def quotation_rows(folder: Path = FIRST) -> list[QuotationRow]:
    """Return the table of quotations, which may have several files."""
    return [_quotation(row, row) for path in sorted(folder.glob("quotations*.jsonl")) for row in _rows(path)]


def draft_rows(folder: Path = FIRST) -> list[DraftRow]:
    """Return the table of drafts."""
    drafts = []
    for row in _rows(folder / "drafts.jsonl"):
        quotations = [_quotation(row, finding) for finding in row["findings"] if "quote" in finding]
        cited = [finding for finding in row["findings"] if "quote" not in finding]
        drafts.append(DraftRow(_citations(row, cited, typed=False), tuple(quotations), row["clean"]))
    return drafts


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _citations(row: dict[str, Any], expected: list[dict[str, Any]], *, typed: bool) -> CitationRow:
    results = tuple(
        Expected(
            outcome=tuple(one["outcome"]),
            citation=one.get("citation"),
            pin=one.get("pin"),
            times=one.get("times", 1),
            same_title=one.get("same_title", False),
            dead=one.get("dead", False),
            optional=one.get("optional", False),
        )
        for one in expected
    )
    return CitationRow(
        id=row["id"],
        kind=row["kind"],
        text=row["text"],
        typed=typed,
        holds=any(one.is_found for one in results),
        expected=results,
        whole=row.get("whole", False),
        has_range=row.get("range", False),
        why=row["why"],
    )


def _quotation(row: dict[str, Any], quoted: dict[str, Any]) -> QuotationRow:
    return QuotationRow(
        id=row["id"],
        kind=row["kind"],
        citation=quoted.get("citation", quoted.get("of")),
        quote=quoted["quote"],
        holds=quoted["holds"],
        expected=tuple(quoted["expected"]),
        warnings=frozenset(quoted["warnings"]),
        stands_in=quoted.get("standsIn"),
        why=row["why"],
    )

"""The tool `check_text`."""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from serving.api.operations import CHECK_TEXT
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, PublicationDate, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.mcp.tools.resolutions import Resolved, resolved
from serving.services.citations.drafts import (
    MAX_CHECKED,
    MAX_LENGTH,
    CheckedCitation,
    DraftCheck,
    check_draft,
)
from serving.services.citations.resolution import Outcome
from serving.services.quotations.answers import DraftQuotation, draft_quotation
from serving.services.quotations.drafts import (
    MAX_QUOTATIONS,
    DraftQuotations,
    check_quotations,
)
from serving.services.requests import Span
from serving.snapshot.store import Snapshot

_LIMITS = (80, 60, 50, 40, 30, 25)
"""Citations of an answer that is too long with more."""


class CheckText(Schema):
    """Arguments."""

    text: Annotated[
        str, Field(min_length=1, max_length=MAX_LENGTH, description="The draft, up to 200,000 characters.")
    ]
    first: Annotated[
        int,
        Field(ge=0, le=MAX_LENGTH, description="`next` of the answer before."),
        WHOLE,
    ] = 0
    limit: Annotated[
        int, Field(ge=1, le=MAX_CHECKED, description=f"Citations to check, up to {MAX_CHECKED}."), WHOLE
    ] = MAX_CHECKED
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation of the draft: each way it is written once, with all its places."""

    places: tuple[Span, ...]
    resolution: Resolved


@dataclass(frozen=True, slots=True, kw_only=True)
class TextAnswer:
    """The citations checked, in the order of the draft. `next` goes into `first` for the rest.

    Attributes:
        unverified: the other quotations around them, without their marks: none was held against the law.
        unverified_more: how many of these there are besides.
    """

    citations: tuple[Cited, ...]
    quotations: tuple[DraftQuotation, ...]
    unverified: tuple[Span, ...] = ()
    unverified_more: int = 0
    checked: int
    outcomes: dict[str, int]
    total: int
    next: int | None


async def _check(services: ToolContext, metered: MeteredCall, asked: CheckText) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        check, quoted = await services.run(
            metered.caller, lambda: _checked(snapshot, asked.text, first=asked.first, limit=asked.limit)
        )

        def made(limit: int) -> TextAnswer:
            checked = check.checked[:limit]
            following = asked.first + len(checked)
            unverified = [
                Span(one.start, one.end)
                for one in quoted.unverified
                if asked.first <= one.citation < following or not check.total
            ]
            return TextAnswer(
                citations=_grouped(checked),
                quotations=tuple(draft_quotation(one) for one in quoted.checked if one.beside < len(checked)),
                unverified=tuple(unverified[:MAX_QUOTATIONS]),
                unverified_more=max(0, len(unverified) - MAX_QUOTATIONS),
                checked=len(checked),
                outcomes=dict(Counter(str(one.resolution.outcome) for one in checked)),
                total=check.total,
                next=following if following < check.total else None,
            )

        fewer = [limit for limit in _LIMITS if limit < asked.limit]
        content = fitting(made, [asked.limit, *fewer])
    each = CHECK_TEXT.per_citations or 1
    metered.snapshot = snapshot.id
    await metered.settle(times=max(1, -(-content.checked // each)))
    return Answer(content, snapshot.id)


def _checked(snapshot: Snapshot, text: str, *, first: int, limit: int) -> tuple[DraftCheck, DraftQuotations]:
    check = check_draft(snapshot, text, first=first, limit=limit)
    return check, check_quotations(snapshot, text, check)


def _grouped(checked: tuple[CheckedCitation, ...]) -> tuple[Cited, ...]:
    """Return the citations grouped: those written alike that are answered alike are one.

    Of two written alike one may be former, of another edition, or inferred from another law before it.
    """
    groups: dict[object, list[CheckedCitation]] = {}
    for one in checked:
        same = one.resolution if one.resolution.outcome is not Outcome.UNPARSED else (one.start, one.end)
        groups.setdefault(same, []).append(one)
    return tuple(
        Cited(
            tuple(Span(one.start, one.end) for one in group),
            resolved(group[0].resolution, most=2),
        )
        for group in groups.values()
    )


CHECK_TEXT_TOOL = Tool(
    name="check_text",
    aliases=("law.check_text", "law_check_text"),
    title="Check a draft",
    summary="Find every citation in a draft, say what each leads to, and verify the quotations beside them.",
    guidance="Call it on a finished draft. Correct what is not `found`; outcomes are those of "
    "resolve_citation. `inferred`: `Id. § 107` and the like take their law from what stands before; a bare "
    "`§ 107` elsewhere is `unparsed`: write the code out. `quotations` are those beside a citation, judged "
    "as by verify_quotes; call that on those that are `unverified`.",
    arguments=CheckText,
    answer=TextAnswer,
    operation=CHECK_TEXT,
    run=_check,
    quotes_law=True,
)

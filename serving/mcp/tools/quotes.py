"""The tool `verify_quotes`."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from serving.api.faulty import Faulty
from serving.api.operations import VERIFY_QUOTES
from serving.contract.answers import widen
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Citation, NodeId, PublicationDate, SnapshotId
from serving.mcp.schemas import FAULTY, Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.mcp.tools.resolutions import MAX_CITATIONS, Resolved, resolved
from serving.services.quotations.answers import QuoteAnswer, quote_answer
from serving.services.quotations.verification import verify_quotes
from serving.services.quotations.verified_quotes import QuotationOutcome, Quote, VerifiedQuote
from serving.snapshot.store import Snapshot

MAX_QUOTE = 5_000
_EXCERPTS = (1_000, 500, 250, 120)
"""Characters of each excerpt: the largest number that fits is used."""
_QUOTE = 80
"""Characters of a quotation that cannot be checked which its result repeats."""


class QuoteToVerify(Schema):
    """A quotation, and where it is said to stand."""

    quote: Annotated[str, Field(min_length=1, max_length=MAX_QUOTE)]
    citation: Citation | None = None
    node_id: NodeId | None = None


class VerifyQuotes(Schema):
    """Arguments."""

    quotes: Annotated[
        list[Annotated[QuoteToVerify, FAULTY]],
        Field(
            min_length=1,
            max_length=MAX_CITATIONS,
            description="1 to 25, each with the `citation` or `nodeId` that it is said to be from.",
        ),
    ]
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(QuoteAnswer):
    """The result for one quotation.

    Attributes:
        resolution: of a citation that leads to no text.
        error: what is wrong with the quotation as it was given; it was not checked.
    """

    resolution: Resolved | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class QuotesAnswer:
    """One result for each quotation, in their order."""

    results: tuple[Checked, ...]


async def _verify(services: ToolContext, metered: MeteredCall, asked: VerifyQuotes) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        quotes = [_quote(snapshot, one, f"quotes[{index}]") for index, one in enumerate(asked.quotes)]
        sound = [one for one in quotes if isinstance(one, Quote)]
        if not sound:
            faults = [one.error for one in quotes if isinstance(one, Checked)]
            raise ValidationError(str(faults[0]), parameter="quotes")
        verified = await services.run(metered.caller, lambda: verify_quotes(snapshot, sound))

        def made(most: int) -> QuotesAnswer:
            checked = iter(verified)
            return QuotesAnswer(
                tuple(
                    one if isinstance(one, Checked) else _checked(next(checked), most=most) for one in quotes
                )
            )

        content = fitting(made, _EXCERPTS)
    return Answer(content, snapshot.id)


def _quote(snapshot: Snapshot, asked: QuoteToVerify | Faulty, name: str) -> Quote | Checked:
    """Return a quotation to verify, or the result of one that cannot be; `name` is the argument's."""
    if isinstance(asked, Faulty):
        return _unchecked(asked.shown, asked.problem)
    if (asked.node_id is None) == (asked.citation is None):
        return _unchecked(asked.quote, f"Argument `{name}` must have either `citation` or `nodeId`.")
    if asked.node_id is not None and snapshot.nodes.find(asked.node_id) is None:
        return _unchecked(
            asked.quote,
            f"Argument `{name}.nodeId` must be the id of a provision; find ids, do not make them up.",
        )
    return Quote(asked.quote, asked.citation, asked.node_id)


def _unchecked(quote: str, error: str) -> Checked:
    return Checked(verdict=QuotationOutcome.NOT_CHECKED, quote=quote[:_QUOTE], error=error)


def _checked(one: VerifiedQuote, *, most: int) -> Checked:
    is_explained = one.resolution is not None and one.outcome is QuotationOutcome.NOT_CHECKED
    resolution = resolved(one.resolution, most=3) if is_explained and one.resolution else None
    return widen(quote_answer(one, most=most), Checked, resolution=resolution)


VERIFY_QUOTES_TOOL = Tool(
    name="verify_quotes",
    aliases=("law.verify_quotes", "law_verify_quotes"),
    title="Verify quotations",
    summary="Check that provisions say, word for word, what is quoted from them.",
    guidance="Call it on every quotation before you hand over a text. `exact`: to the letter. `normalised`: "
    "but for typing and marked omissions in `steps`. `altered`: brackets or dots change what it says; see "
    "`passedOver`. `absent`: correct it from `nearest`, cite what `standsIn` names, or take it out. "
    "If `inPinnedPart` is false, `standsIn` has the right pin. "
    "`not_checked`: see `resolution` or `error`; where many sections are cited (`et seq.`, a long range), "
    "cite the one that is quoted. Read the `warnings` and `context` of every result: an exact quotation may "
    "begin after a `not` or end before an `unless`.",
    arguments=VerifyQuotes,
    answer=QuotesAnswer,
    operation=VERIFY_QUOTES,
    run=_verify,
    quotes_law=True,
)

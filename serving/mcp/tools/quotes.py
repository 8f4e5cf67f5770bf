"""The tool `verify_quotes`."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from serving.api.operations import VERIFY_QUOTES
from serving.contract.answers import widen
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Citation, NodeId, SnapshotId
from serving.mcp.links import link_to
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.mcp.tools.resolutions import MAX_CITATIONS, Resolved, resolved
from serving.services.quotations.answers import QuoteAnswer, quote_answer
from serving.services.quotations.verification import QuotationOutcome, Quote, VerifiedQuote, verify_quotes

MAX_QUOTE = 5_000
_EXCERPTS = (1_000, 500, 250, 120)
"""Characters of each excerpt: the largest number that fits is used."""


class QuoteToVerify(Schema):
    """A quotation, and where it is said to stand."""

    quote: Annotated[
        str, Field(min_length=1, max_length=MAX_QUOTE, description="The words as they are quoted.")
    ]
    citation: Citation | None = None
    node_id: NodeId | None = None


class VerifyQuotes(Schema):
    """Arguments."""

    quotes: Annotated[
        list[QuoteToVerify],
        Field(
            min_length=1,
            max_length=MAX_CITATIONS,
            description="1 to 25 quotations, each with the `citation` or the `nodeId` that it is said to be "
            "from.",
        ),
    ]
    snapshot: SnapshotId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(QuoteAnswer):
    """The result for one quotation, with the resolution of a citation that leads to no text."""

    resolution: Resolved | None = None


@dataclass(frozen=True, slots=True)
class QuotesAnswer:
    """One result for each quotation, in their order."""

    results: tuple[Checked, ...]


async def _verify(services: ToolContext, metered: MeteredCall, asked: VerifyQuotes) -> Answer:
    quotes = [_quote(one, place) for place, one in enumerate(asked.quotes)]
    with await services.lease(asked.snapshot) as snapshot:
        verified = await services.run(metered.caller, lambda: verify_quotes(snapshot, quotes))
        content = fitting(
            lambda most: QuotesAnswer(tuple(_checked(one, most=most) for one in verified)),
            _EXCERPTS,
        )
    links = {
        one.provision.node_id: link_to(
            one.provision.node_id, one.provision.citation, one.provision.heading, snapshot=asked.snapshot
        )
        for one in verified
        if one.provision is not None
    }
    return Answer(content, snapshot.id, list(links.values()))


def _quote(asked: QuoteToVerify, place: int) -> Quote:
    if (asked.node_id is None) == (asked.citation is None):
        raise ValidationError(
            f"Argument `quotes[{place}]` needs either `citation` or `nodeId`.", parameter=f"quotes[{place}]"
        )
    return Quote(asked.quote, asked.citation, asked.node_id)


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
    "but for the differences of typing and marked omissions in `steps`. `altered`: brackets or dots change "
    "what it says; see `passedOver`. `absent`: correct it from `nearest`, cite what `standsIn` names, or "
    "take it out. `not_checked`: the citation leads to no text; see `resolution`. Read `warnings` of every "
    "result with its `context`: even an exact quotation misleads if it begins after a `not` or ends before "
    "an `unless`.",
    arguments=VerifyQuotes,
    answer=QuotesAnswer,
    operation=VERIFY_QUOTES,
    run=_verify,
    quotes_law=True,
)

"""The tool `verify_quotes`."""

from typing import Annotated

from pydantic import Field

from serving.api.operations import VERIFY_QUOTES
from serving.contract.errors import ValidationError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Citation, NodeId, SnapshotId
from serving.mcp.links import link_to
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.mcp.tools.resolutions import MAX_CITATIONS, Resolved, resolved
from serving.mcp.untrusted import NOTICE, shown
from serving.services.quotations.folding import Normalisation
from serving.services.quotations.verification import Quote, QuoteVerdict, VerifiedQuote, verify_quotes

MAX_QUOTE = 5_000
_EXCERPTS = (1_000, 500, 250, 120)
"""Characters of each excerpt: the largest number that fits is used."""
_DIFFERENCE = 120


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


class Excerpt(Schema):
    """Characters [start, end) of the provision's text; `cut`: only the beginning is given."""

    start: int
    end: int
    text: str
    cut: bool | None = None


class Differs(Schema):
    """A difference between them: what the quotation says there, and what the text says."""

    quote: str
    text: str


class NearestText(Schema):
    """The passage of the provision that is most like the quotation. `similarity`: 1 for the same words."""

    excerpt: Excerpt
    similarity: float
    differences: list[Differs]


class Checked(Schema):
    """The result for one quotation; `steps` are the differences of typing that were passed over."""

    verdict: QuoteVerdict
    quote: str
    citation: str | None = None
    node_id: str | None = None
    steps: list[Normalisation] | None = None
    found: list[Excerpt] | None = None
    occurrences: int | None = None
    in_pinned_part: bool | None = None
    nearest: NearestText | None = None
    status: str | None = None
    resolution: Resolved | None = None


class QuotesAnswer(Schema):
    """One result for each quotation, in their order."""

    notice: str = NOTICE
    results: list[Checked]
    snapshot: str


async def _verify(services: ToolContext, metered: MeteredCall, asked: VerifyQuotes) -> Answer:
    quotes = [_quote(one, place) for place, one in enumerate(asked.quotes)]
    with await services.lease(asked.snapshot) as snapshot:
        verified = await services.run(metered.caller, lambda: verify_quotes(snapshot, quotes))
        content = fitting(
            lambda most: QuotesAnswer(
                results=[_checked(one, most=most) for one in verified], snapshot=snapshot.id
            ),
            _EXCERPTS,
        )
    links = {
        one.provision.node_id: link_to(
            one.provision.node_id, one.provision.citation, one.provision.heading, snapshot=asked.snapshot
        )
        for one in verified
        if one.provision is not None
    }
    return Answer(content, list(links.values()))


def _quote(asked: QuoteToVerify, place: int) -> Quote:
    if (asked.node_id is None) == (asked.citation is None):
        raise ValidationError(
            f"Argument `quotes[{place}]` needs either `citation` or `nodeId`.", parameter=f"quotes[{place}]"
        )
    return Quote(asked.quote, asked.citation, asked.node_id)


def _checked(one: VerifiedQuote, *, most: int) -> Checked:
    found, near, provision = one.found, one.nearest, one.provision
    spans = found.spans if found else [(near.start, near.end)] if near else []
    excerpts = [
        _excerpt(start, end, text, most // max(1, len(spans)))
        for (start, end), text in zip(spans, one.excerpts, strict=True)
    ]
    return Checked(
        verdict=one.verdict,
        quote=one.quote.quote if len(one.quote.quote) <= 80 else one.quote.quote[:79] + "…",
        citation=provision.citation if provision else None,
        node_id=provision.node_id if provision else None,
        steps=list(found.steps) if found and found.steps else None,
        found=excerpts if found else None,
        occurrences=found.places if found else None,
        in_pinned_part=one.in_pin,
        nearest=NearestText(
            excerpt=excerpts[0],
            similarity=near.similarity,
            differences=[
                Differs(quote=difference.quote[:_DIFFERENCE], text=shown(difference.text)[:_DIFFERENCE])
                for difference in near.differences
            ],
        )
        if near
        else None,
        status=provision.status if provision else None,
        resolution=resolved(one.resolution, most=3)
        if one.resolution is not None and one.verdict is QuoteVerdict.NOT_CHECKED
        else None,
    )


def _excerpt(start: int, end: int, text: str, most: int) -> Excerpt:
    return Excerpt(start=start, end=end, text=shown(text[:most]), cut=True if len(text) > most else None)


VERIFY_QUOTES_TOOL = Tool(
    name="verify_quotes",
    aliases=("law.verify_quotes", "law_verify_quotes"),
    title="Verify quotations",
    summary="Check that provisions say, word for word, what is quoted from them.",
    guidance="Call it on every quotation before you hand over a text. `exact`: to the letter. `normalised`: "
    "but for the differences in `steps`, which are white space, quotation marks, dashes, characters, "
    "brackets, ellipses, outer marks, final punctuation and case. `absent`: correct it from `nearest`, or "
    "take it out. `not_checked`: the citation leads to no text; see `resolution`.",
    arguments=VerifyQuotes,
    answer=QuotesAnswer,
    operation=VERIFY_QUOTES,
    run=_verify,
)

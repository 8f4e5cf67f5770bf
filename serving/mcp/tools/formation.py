"""The tools for forming a company: requirements, codes of businesses, the way to the page, its order."""

import re
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from serving.accounts.answers import OrderAnswer, order_answer
from serving.api.operations import HANDOFF, NAICS, ORDER_STATUS, REQUIREMENTS
from serving.contract.errors import NotFoundError
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import WHOLE, Id, OrderToken, PublicationDate, SnapshotId
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services import formation, naics

_SIX_DIGITS = re.compile(r"[0-9]{6}")


def _folded(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _six_digits(value: str) -> str:
    if not _SIX_DIGITS.fullmatch(value):
        raise ValueError("must be a NAICS code of six digits, which formation_lookup_naics finds")
    return value


_State = Annotated[
    str, Field(min_length=2, max_length=40, description="A state or D.C., by postal code or name.")
]
_Entity = Annotated[Literal["llc", "nonprofit"], BeforeValidator(_folded)]


class Requirements(Schema):
    """Arguments."""

    state: _State
    entity_type: _Entity = "llc"
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


class LookupNaics(Schema):
    """Arguments."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=naics.MAX_QUERY,
            description="What the business does in a few plain words, or a code of 2 to 6 digits.",
        ),
    ]
    limit: Annotated[
        int, Field(ge=1, le=naics.MAX_MATCHES, description=f"Codes, up to {naics.MAX_MATCHES}."), WHOLE
    ] = 5
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


class Handoff(Schema):
    """Arguments."""

    state: _State
    entity_type: _Entity = "llc"
    entity_name: Annotated[str | None, Field(min_length=1, max_length=formation.MAX_NAME)] = None
    naics: Annotated[str, AfterValidator(_six_digits), Field(description="Six digits.")] | None = None
    snapshot: SnapshotId | None = None
    date: PublicationDate | None = None


async def _requirements(services: ToolContext, metered: MeteredCall, asked: Requirements) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        found = await services.run(
            metered.caller, lambda: formation.requirements(snapshot, asked.state, asked.entity_type)
        )
    return Answer(found, snapshot.id)


async def _naics(services: ToolContext, metered: MeteredCall, asked: LookupNaics) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        found = await services.run(metered.caller, lambda: naics.named_code(snapshot, asked.query))
        metered.snapshot = snapshot.id
        await metered.settle()  # as a search is: the meaning of words takes long to find
        if found is None:
            found = await services.run(
                metered.caller, lambda: naics.lookup_naics(snapshot, asked.query, limit=asked.limit)
            )
        result = found
        content = fitting(
            lambda most: replace(result, matches=result.matches[:most]),
            (naics.MAX_MATCHES, 15, 10, 5),
        )
    return Answer(content, snapshot.id)


async def _handoff(services: ToolContext, metered: MeteredCall, asked: Handoff) -> Answer:
    with await services.lease(asked.snapshot, asked.date) as snapshot:
        made = await services.run(
            metered.caller,
            lambda: formation.handoff(
                snapshot,
                services.public_url,
                state=asked.state,
                entity_type=asked.entity_type,
                entity_name=asked.entity_name,
                naics=asked.naics,
            ),
        )
    return Answer(made)


class AskOrder(Schema):
    """Arguments."""

    order_id: Id
    token: OrderToken


async def _order(services: ToolContext, metered: MeteredCall, asked: AskOrder) -> Answer:
    del metered
    orders = services.billing.orders
    order = await services.billing.run(lambda: orders.find(str(asked.order_id), asked.token))
    if order is None:
        raise NotFoundError(
            "No order has this id and this token; both were given out when the order was created.",
            kind="order",
        )
    return Answer(order_answer(order))


FORMATION_REQUIREMENTS = Tool(
    name="formation_requirements",
    aliases=("formation.requirements",),
    title="See what forming takes",
    summary="Say what a state asks for to form an LLC or a nonprofit: document, law, name, agent, "
    "publication, fees.",
    guidance="Each fact has a status: `reported` was seen in the named source, `unverified` or `unknown` was "
    "not. Tell the user which, and read the act itself where it is held.",
    arguments=Requirements,
    answer=formation.Requirements,
    operation=REQUIREMENTS,
    run=_requirements,
)
FORMATION_LOOKUP_NAICS = Tool(
    name="formation_lookup_naics",
    aliases=("formation.lookup_naics",),
    title="Look up a NAICS code",
    summary="Find the NAICS 2022 code of a business by plain words, or say what a code means.",
    guidance="Show the user the first few titles and let them choose. `matched` is what came nearest to the "
    "words.",
    arguments=LookupNaics,
    answer=naics.NaicsResult,
    operation=NAICS,
    run=_naics,
)
FORMATION_HANDOFF = Tool(
    name="formation_handoff",
    aliases=("formation.handoff",),
    title="Hand over to the formation page",
    summary="Make the link at which a person goes on to form an LLC or a nonprofit, filled in as far as is "
    "known.",
    guidance="Give the user `url` and the price; they decide there. This tool orders nothing and pays "
    "nothing. Tell them `nameHint`, if there is one.",
    arguments=Handoff,
    answer=formation.Handoff,
    operation=HANDOFF,
    run=_handoff,
)
ORDER_STATUS_TOOL = Tool(
    name="order_status",
    aliases=("formation.order_status",),
    title="See how far an order is",
    summary="Say which stage the order of a formation has reached, and when it reached each.",
    guidance="It needs the order's id and its tracking token: ask the user for both.",
    arguments=AskOrder,
    answer=OrderAnswer,
    operation=ORDER_STATUS,
    run=_order,
)

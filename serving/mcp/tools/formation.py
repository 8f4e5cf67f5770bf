"""The tools `formation_requirements`, `formation_lookup_naics` and `formation_handoff`."""

from typing import Annotated, Literal

from pydantic import Field

from serving.api.operations import HANDOFF, NAICS, REQUIREMENTS
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import SnapshotId
from serving.mcp.links import link_to
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool, fitting
from serving.mcp.tool_context import ToolContext
from serving.services import formation, naics

_State = Annotated[
    str, Field(min_length=2, max_length=40, description="A state or D.C., by postal code or name.")
]
_Entity = Annotated[Literal["llc", "nonprofit"], Field(description="What is to be formed.")]


class PriceItem(Schema):
    """A part of a price in cents; none where it is not known. `status` says how far it is."""

    item: str
    what: str | None = None
    cents: int | None = None
    status: str
    source: str | None = None
    date: str | None = None


class Price(Schema):
    """A list price. `totalCents` adds up what is known; `complete` is false where items are `missing`."""

    office: str
    office_url: str
    items: list[PriceItem]
    total_cents: int
    total_status: str
    complete: bool
    missing: list[str]
    expedite: PriceItem
    report: PriceItem
    registered_agent_renewal: PriceItem


class Act(Schema):
    """The law that a requirement rests on; `nodeId` where it is held here."""

    citation: str
    status: str
    outcome: str
    node_id: str | None = None


class LlcRequirements(Schema):
    """The requirements for forming an LLC. The law may allow more designators than are listed."""

    document: str
    act: Act
    name_act: Act
    designators: list[str]
    designators_status: str
    agent: str
    management_statement: str
    management_status: str
    publication: bool
    publication_status: str


class Requirements(Schema):
    """Arguments."""

    state: _State
    entity_type: _Entity = "llc"
    snapshot: SnapshotId | None = None


class RequirementsAnswer(Schema):
    """The requirements and costs of forming an entity in a state, as known on `date`."""

    state: str
    state_name: str
    entity_type: str
    llc: LlcRequirements | None = None
    price: Price
    date: str
    snapshot: str


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
    limit: Annotated[int, Field(ge=1, le=naics.MAX_MATCHES, description="Codes in the answer.")] = 5
    snapshot: SnapshotId | None = None


class Code(Schema):
    """A code of the classification."""

    code: str
    title: str
    level: str


class NaicsMatch(Schema):
    """A code that fits; `hierarchy` from its sector down, `children` right below it."""

    code: str
    title: str
    level: str
    hierarchy: list[Code]
    children: list[Code] | None = None
    score: float
    matched: str | None = None
    ways: list[str]


class NaicsAnswer(Schema):
    """Codes, the best first; `date` is that of the classification."""

    query: str
    date: str
    matches: list[NaicsMatch]
    snapshot: str


class Handoff(Schema):
    """Arguments."""

    state: _State
    entity_type: _Entity = "llc"
    entity_name: Annotated[
        str | None, Field(min_length=1, max_length=formation.MAX_NAME, description="Name that is wanted.")
    ] = None
    naics: Annotated[str | None, Field(pattern=r"^[0-9]{6}$", description="NAICS code of six digits.")] = None
    snapshot: SnapshotId | None = None


class HandoffAnswer(Schema):
    """The link for the person who forms. Nothing is ordered, and nothing paid, by calling this tool."""

    url: str
    state: str
    state_name: str
    entity_type: str
    entity_name: str | None = None
    naics: Code | None = None
    price: Price
    name_hint: str | None = None


async def _requirements(services: ToolContext, metered: MeteredCall, asked: Requirements) -> Answer:
    with await services.lease(asked.snapshot) as snapshot:
        found = await services.run(
            metered.caller, lambda: formation.requirements(snapshot, asked.state, asked.entity_type)
        )
        content = RequirementsAnswer(
            state=found.state,
            state_name=found.state_name,
            entity_type=found.entity_type,
            llc=None if found.llc is None else _llc(found.llc),
            price=_price(found.price),
            date=found.date,
            snapshot=snapshot.id,
        )
    acts = () if found.llc is None else (found.llc.act.provision, found.llc.name_act.provision)
    links = {
        one.node_id: link_to(one.node_id, one.citation, one.heading, snapshot=asked.snapshot)
        for one in acts
        if one is not None
    }
    return Answer(content, list(links.values()))


async def _naics(services: ToolContext, metered: MeteredCall, asked: LookupNaics) -> Answer:
    await metered.settle()  # as a search is: the meaning of the words has to be found first
    with await services.lease(asked.snapshot) as snapshot:
        found = await services.run(
            metered.caller, lambda: naics.lookup_naics(snapshot, asked.query, limit=asked.limit)
        )
        content = fitting(
            lambda most: NaicsAnswer(
                query=found.query,
                date=found.date,
                matches=[_match(one) for one in found.matches[:most]],
                snapshot=snapshot.id,
            ),
            (naics.MAX_MATCHES, 15, 10, 5),
        )
    return Answer(content)


async def _handoff(services: ToolContext, metered: MeteredCall, asked: Handoff) -> Answer:
    with await services.lease(asked.snapshot) as snapshot:
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
    return Answer(
        HandoffAnswer(
            url=made.url,
            state=made.state,
            state_name=made.state_name,
            entity_type=made.entity_type,
            entity_name=made.entity_name,
            naics=None if made.naics is None else _code(made.naics),
            price=_price(made.price),
            name_hint=made.name_hint,
        )
    )


def _llc(found: formation.LlcRequirements) -> LlcRequirements:
    return LlcRequirements(
        document=found.document,
        act=_act(found.act),
        name_act=_act(found.name_act),
        designators=list(found.designators),
        designators_status=found.designators_status,
        agent=found.agent,
        management_statement=found.management_statement,
        management_status=found.management_status,
        publication=found.publication,
        publication_status=found.publication_status,
    )


def _act(found: formation.ActCitation) -> Act:
    node_id = found.provision.node_id if found.provision is not None else None
    return Act(citation=found.citation, status=found.status, outcome=found.outcome, node_id=node_id)


def _price(found: formation.Price) -> Price:
    return Price(
        office=found.office,
        office_url=found.office_url,
        items=[_item(one) for one in found.items],
        total_cents=found.total_cents,
        total_status=found.total_status,
        complete=found.complete,
        missing=list(found.missing),
        expedite=_item(found.expedite),
        report=_item(found.report),
        registered_agent_renewal=_item(found.registered_agent_renewal),
    )


def _item(found: formation.PriceItem) -> PriceItem:
    return PriceItem(
        item=found.item,
        what=found.what,
        cents=found.cents,
        status=found.status,
        source=found.source,
        date=found.date,
    )


def _match(found: naics.NaicsMatch) -> NaicsMatch:
    return NaicsMatch(
        code=found.code,
        title=found.title,
        level=found.level,
        hierarchy=[_code(one) for one in found.hierarchy],
        children=[_code(one) for one in found.children] or None,
        score=found.score,
        matched=found.matched,
        ways=list(found.ways),
    )


def _code(found: naics.NaicsCode) -> Code:
    return Code(code=found.code, title=found.title, level=found.level)


FORMATION_REQUIREMENTS = Tool(
    name="formation_requirements",
    aliases=("formation.requirements",),
    title="See what forming takes",
    summary="Say what a state asks for to form an LLC or a nonprofit: document, law, name, agent, "
    "publication, fees.",
    guidance="Each fact has a status: `reported` was seen in the named source, `unverified` or `unknown` was "
    "not. Tell the user which, and read the act itself where it is held.",
    arguments=Requirements,
    answer=RequirementsAnswer,
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
    answer=NaicsAnswer,
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
    answer=HandoffAnswer,
    operation=HANDOFF,
    run=_handoff,
)

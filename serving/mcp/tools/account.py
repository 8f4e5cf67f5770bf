"""`account_status`."""

from serving.accounts.accounts import Statement
from serving.api.operations import ME
from serving.mcp.charging import MeteredCall
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool
from serving.mcp.tool_context import ToolContext
from serving.metering.clock import rfc3339
from serving.metering.gate import Caller
from serving.metering.tiers import PACKS, TIERS


class Nothing(Schema):
    """No arguments."""


class RateLimit(Schema):
    """What the tier allows each key."""

    requests_per_minute: int
    requests_per_day: int


class Allotment(Schema):
    """The month's free credits."""

    limit: int
    remaining: int
    renews_at: str


class Pack(Schema):
    """A credit pack that can be bought."""

    pack: str
    price_cents: int
    credits: int


class Entry(Schema):
    """A movement of credits; both parts are signed."""

    at: str
    kind: str
    endpoint: str | None = None
    allotment: int
    wallet: int
    balance_after: int
    request_id: str | None = None


class AccountAnswer(Schema):
    """The account after this call; `ledger` has its newest entries first."""

    tier: str
    credits_remaining: int
    research_allotment: Allotment
    wallet: int
    rate_limit: RateLimit
    key_prefix: str
    scopes: list[str]
    upgrade_options: list[Pack]
    upgrade_url: str
    ledger: list[Entry]


async def _status(services: ToolContext, metered: MeteredCall, asked: Nothing) -> Answer:
    del asked
    await metered.settle()
    caller = metered.caller.identity
    statement = await services.billing.run(lambda: services.billing.accounts.statement(caller.account_id))
    return Answer(_answer(statement, caller, services.public_url))


def _answer(statement: Statement, caller: Caller, public_url: str) -> AccountAnswer:
    account, tier = statement.account, TIERS[statement.account.tier]
    return AccountAnswer(
        tier=account.tier,
        credits_remaining=account.allotment + account.wallet,
        research_allotment=Allotment(
            limit=account.allotment_limit,
            remaining=account.allotment,
            renews_at=rfc3339(account.renews_at),
        ),
        wallet=account.wallet,
        rate_limit=RateLimit(requests_per_minute=tier.per_minute, requests_per_day=tier.per_day),
        key_prefix=caller.prefix,
        scopes=list(caller.scopes),
        upgrade_options=[
            Pack(pack=pack.name, price_cents=pack.price_cents, credits=pack.credits)
            for pack in PACKS.values()
        ],
        upgrade_url=f"{public_url}/settings#packs",
        ledger=[
            Entry(
                at=rfc3339(entry.at),
                kind=entry.kind,
                endpoint=entry.endpoint,
                allotment=entry.allotment,
                wallet=entry.wallet,
                balance_after=entry.balance_after,
                request_id=entry.request_id,
            )
            for entry in statement.entries
        ],
    )


ACCOUNT_STATUS = Tool(
    name="account_status",
    aliases=("account.status",),
    title="See credits and limits",
    summary="Say how many credits are left, what the key may do, its limits and the newest charges.",
    guidance="Call it before long work. Every answer of every tool tells in `_meta` what it cost and what is "
    "left.",
    arguments=Nothing,
    answer=AccountAnswer,
    operation=ME,
    run=_status,
)

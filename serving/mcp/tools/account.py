"""The tool `account_status`."""

from dataclasses import dataclass

from serving.accounts.answers import AccountAnswer, account_answer
from serving.api.operations import ME
from serving.contract.answers import widen
from serving.mcp.charging import MeteredCall
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool
from serving.mcp.tool_context import ToolContext


class Nothing(Schema):
    """No arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountStatus(AccountAnswer):
    """The account after this call, and the page on which credits are bought."""

    upgrade_url: str


async def _status(services: ToolContext, metered: MeteredCall, asked: Nothing) -> Answer:
    del asked
    await metered.settle()
    caller = metered.caller.identity
    statement = await services.billing.run(lambda: services.billing.accounts.statement(caller.account_id))
    account = account_answer(statement, caller)
    return Answer(widen(account, AccountStatus, upgrade_url=f"{services.public_url}/settings#packs"))


ACCOUNT_STATUS = Tool(
    name="account_status",
    aliases=("account.status",),
    title="See credits and limits",
    summary="Say how many credits are left, what the key may do, its limits and the newest charges.",
    guidance="Call it before long work. Every answer of every tool tells in `_meta` what it cost and what is "
    "left.",
    arguments=Nothing,
    answer=AccountStatus,
    operation=ME,
    run=_status,
)

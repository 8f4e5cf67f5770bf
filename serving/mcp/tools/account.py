"""The tool `account_status`."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from serving.accounts.answers import AccountAnswer, account_answer
from serving.api.operations import ME
from serving.contract.answers import widen
from serving.mcp.charging import MeteredCall
from serving.mcp.fields import Boolean
from serving.mcp.schemas import Schema
from serving.mcp.tool import Answer, Tool
from serving.mcp.tool_context import ToolContext


class AskAccount(Schema):
    """Arguments."""

    ledger: Annotated[Boolean, Field(description="Give the newest charges and the packs on offer.")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountStatus(AccountAnswer):
    """The account after this call, and the page on which credits are bought."""

    upgrade_url: str


async def _status(services: ToolContext, metered: MeteredCall, asked: AskAccount) -> Answer:
    await metered.settle()
    caller = metered.caller.identity
    statement = await services.billing.run(lambda: services.billing.accounts.statement(caller.account_id))
    account = account_answer(statement, caller)
    status = widen(account, AccountStatus, upgrade_url=f"{services.public_url}/settings#packs")
    return Answer(status, with_details=asked.ledger)


ACCOUNT_STATUS = Tool(
    name="account_status",
    aliases=("account.status",),
    title="See credits and limits",
    summary="Say how many credits are left, what the key may do and its limits.",
    guidance="Call it before long work; every answer says in `credits` what it cost and what is left.",
    arguments=AskAccount,
    answer=AccountStatus,
    operation=ME,
    run=_status,
)

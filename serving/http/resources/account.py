"""`/api/v1/me`: the caller's credits, limits and newest ledger entries."""

import falcon
import falcon.asgi

from serving.accounts.answers import account_answer
from serving.accounts.billing import Billing
from serving.api import operations, parameters
from serving.api.rendering import ANSWERS
from serving.http.charging import Meter
from serving.responses.bodies import send_unkept
from serving.responses.negotiation import accepted_type


class AccountResource:
    """The account of the key that asks."""

    def __init__(self, meter: Meter, billing: Billing) -> None:
        self._meter = meter
        self._billing = billing

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the account as it is after this call."""
        async with self._meter.charging(req, resp, operations.ME) as charging:
            parameters.parse(req.params, parameters.NONE, req.query_string)
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            await charging.settle()
            caller = charging.caller
            statement = await self._billing.run(lambda: self._billing.accounts.statement(caller.account_id))
            send_unkept(req, resp, ANSWERS.json(account_answer(statement, caller)))

"""`/api/v1/formation/status/{orderId}`: the progress of a formation order."""

import falcon
import falcon.asgi

from serving.accounts.answers import order_answer
from serving.accounts.billing import Billing
from serving.api import operations, parameters
from serving.api.rendering import ANSWERS
from serving.contract.errors import NotFoundError
from serving.http.charging import Meter
from serving.responses.bodies import send_unkept
from serving.responses.negotiation import accepted_type


class OrderStatusResource:
    """One order, open to anyone who has its tracking token."""

    def __init__(self, meter: Meter, billing: Billing) -> None:
        self._meter = meter
        self._billing = billing

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, order_id: str) -> None:
        """Answer with the order's stages; a wrong token is answered as if the order did not exist."""
        async with self._meter.charging(req, resp, operations.ORDER_STATUS):
            values = parameters.parse(req.params, parameters.ORDER, req.query_string)
            wanted = str(parameters.parse_id(order_id, "orderId"))
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            order = await self._billing.run(lambda: self._billing.orders.find(wanted, values["token"]))
            if order is None:
                raise NotFoundError(
                    "No order has this id and this token; both were given out when the order was created.",
                    kind="order",
                )
            send_unkept(req, resp, ANSWERS.json(order_answer(order)))

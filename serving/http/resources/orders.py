"""`/api/v1/formation/status/{orderId}`: how far a formation order has come."""

import falcon
import falcon.asgi

from serving.accounts.billing import Billing
from serving.api import operations, parameters
from serving.contract.errors import NotFoundError
from serving.http.charging import Meter
from serving.http.representations import order_body
from serving.responses.bodies import send_account
from serving.responses.negotiation import accepted_type


class OrderStatusResource:
    """One order, for whoever holds its tracking token."""

    def __init__(self, meter: Meter, billing: Billing) -> None:
        self._meter = meter
        self._billing = billing

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, order_id: str) -> None:
        """Answer with the order's stages. A wrong token is answered as an order that does not exist."""
        async with self._meter.charging(req, resp, operations.ORDER_STATUS):
            values = parameters.parse(req.params, parameters.ORDER)
            wanted = str(parameters.parse_id(order_id, "orderId"))
            accepted_type(req.get_header("Accept"), (falcon.MEDIA_JSON,))
            order = await self._billing.run(lambda: self._billing.orders.find(wanted, values["token"]))
            if order is None:
                raise NotFoundError(
                    "No order has this id and this token; both were given out when the order was created.",
                    kind="order",
                )
            send_account(resp, order_body(order))

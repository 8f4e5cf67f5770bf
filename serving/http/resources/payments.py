"""`POST /payments/stripe/webhook`: Stripe's reports about payments."""

from typing import TYPE_CHECKING

import falcon
import falcon.asgi

from serving.concurrency.pool import BoundedPool
from serving.http.request_bodies import read_whole
from serving.payments.errors import BadEventError

if TYPE_CHECKING:
    from serving.payments.payments import Payments

WEBHOOK_PATH = "/payments/stripe/webhook"
MAX_BODY = 256 * 1024
"""Greatest size of a body in bytes; an event has a few thousand."""


class StripeWebhookResource:
    """Receives signed events. The signature is checked before anything is done or a thread is used."""

    def __init__(self, payments: "Payments", pool: BoundedPool) -> None:
        self._payments = payments
        self._pool = pool

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer 200 once an event has been handled, or if it does not concern credits."""
        body = await read_whole(req, most=MAX_BODY)
        if body is None:
            raise BadEventError(f"The body is larger than {MAX_BODY:,} bytes; no event of Stripe's is.")
        report = self._payments.read(body, req.get_header("Stripe-Signature"))
        if report is not None:
            await self._pool.run(lambda: self._payments.apply(report))
        resp.set_header("Cache-Control", "no-store")
        resp.media = {"received": True}


def add_payments(
    app: "falcon.asgi.App[falcon.asgi.Request, falcon.asgi.Response]",
    payments: "Payments | None",
    pool: BoundedPool,
) -> None:
    """Add the route of the webhook; without Stripe's settings the path does not exist (404)."""
    if payments is not None:
        app.add_route(WEBHOOK_PATH, StripeWebhookResource(payments, pool))

"""`POST /payments/stripe/webhook`: what Stripe reports of payments."""

import falcon
import falcon.asgi

from serving.concurrency.pool import BoundedPool
from serving.payments.errors import BadEventError
from serving.payments.payments import Payments

WEBHOOK_PATH = "/payments/stripe/webhook"
MAX_BODY = 256 * 1024
"""Bytes of a body; an event has a few thousand."""


class StripeWebhookResource:
    """Takes signed events. Who sent one is judged before anything is done or any thread is taken."""

    def __init__(self, payments: Payments, pool: BoundedPool) -> None:
        self._payments = payments
        self._pool = pool

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer 200 once an event is settled, or concerns no credits."""
        body = await _read_body(req)
        report = self._payments.read(body, req.get_header("Stripe-Signature"))
        if report is not None:
            await self._pool.run(lambda: self._payments.apply(report))
        resp.set_header("Cache-Control", "no-store")
        resp.media = {"received": True}


def add_payments(
    app: "falcon.asgi.App[falcon.asgi.Request, falcon.asgi.Response]",
    payments: Payments | None,
    pool: BoundedPool,
) -> None:
    """Route the webhook; where Stripe is not configured there is none, and its path is 404."""
    if payments is not None:
        app.add_route(WEBHOOK_PATH, StripeWebhookResource(payments, pool))


async def _read_body(req: falcon.asgi.Request) -> bytes:
    """Give the whole body.

    Raises:
        BadEventError: it is larger than any event.
    """
    body = bytearray()
    if (req.content_length or 0) <= MAX_BODY:
        async for chunk in req.stream:
            body += chunk
            if len(body) > MAX_BODY:
                break
        else:
            return bytes(body)
    raise BadEventError(f"The body is larger than {MAX_BODY:,} bytes; no event of Stripe's is.")

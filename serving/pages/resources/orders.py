"""Orders of an account: packs and formations in one list, receipts of packs, stages of formations."""

import falcon.asgi

from serving.pages.orders import OrdersPage, tracked
from serving.pages.site import Site, require_own
from serving.pages.visitors import visitor_of


class OrdersResource:
    """Lists the orders of the account that is signed in."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with all orders."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        page = await self._site.pools.accounts.run(
            lambda: self._read(account.account_id), client=visitor.network
        )
        self._site.show(resp, visitor, "orders.html", page, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    def _read(self, account_id: int) -> OrdersPage:
        billing = self._site.billing
        orders = [tracked(order) for order in billing.orders.list(account_id)]
        return OrdersPage(billing.credits.list_purchases(account_id), orders)


class OrderResource:
    """Shows one formation with its stages; the account's holder needs no tracking token."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, order_id: str) -> None:
        """Answer with the order."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        orders = await self._site.pools.accounts.run(
            lambda: self._site.billing.orders.list(account.account_id), client=visitor.network
        )
        order = require_own(next((order for order in orders if order.order_id == order_id), None), "order")
        self._site.show(resp, visitor, "tracking.html", tracked(order), account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, order_id: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, order_id)


class ReceiptResource:
    """Shows the receipt of one pack, for printing."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, payment_id: str) -> None:
        """Answer with the receipt."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        found = await self._site.pools.accounts.run(
            lambda: self._site.billing.credits.find_purchase(payment_id), client=visitor.network
        )
        is_own = found is not None and found.account_id == account.account_id
        purchase = require_own(found if is_own else None, "purchase")
        self._site.show(resp, visitor, "receipt.html", purchase, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, payment_id: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, payment_id)

"""Purchases of packs of credits, and the return from the payment."""

from dataclasses import dataclass

import falcon.asgi

from serving.metering.tiers import find_pack
from serving.pages.dashboard import EntryRow, entry_rows
from serving.pages.site import HOME, Site
from serving.pages.visitors import visitor_of


@dataclass(frozen=True, slots=True)
class Bought:
    """The page after a payment: the balance and the newest purchase, which may be an earlier one."""

    balance: int
    is_canceled: bool
    newest: EntryRow | None


class BuyResource:
    """Redirects to the payment of a pack."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, pack: str) -> None:
        """Redirect to the payment, or explain how the operator grants credits if no payments are taken."""
        visitor, account, _ = await self._site.account_submission(req, lambda _: f"{HOME}#packs")
        payments = self._site.payments
        wanted = find_pack(pack)
        if payments is None:
            self._site.show(resp, visitor, "no_payments.html", wanted, account=account)
            return
        back = f"{self._site.public_url}/settings/bought"
        address = await self._site.pools.checkouts.run(
            lambda: payments.checkout_url(account, wanted, return_url=back), client=visitor.network
        )
        self._site.go(resp, address)


class BoughtResource:
    """The page to which the payment returns."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the balance; credits come with Stripe's report of the payment, not with this visit."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        rows = entry_rows(
            await self._site.pools.accounts.run(
                lambda: self._site.billing.customers.ledger_page(account.account_id, before=None, limit=20),
                client=visitor.network,
            )
        )
        newest = next((row for row in rows if row.entry.kind == "purchase"), None)
        canceled = req.get_param("payment") == "canceled"
        page = Bought(account.allotment + account.wallet, canceled, newest)
        self._site.show(resp, visitor, "bought.html", page, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

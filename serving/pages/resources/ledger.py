"""The ledger, page by page."""

from dataclasses import dataclass

import falcon.asgi

from serving.pages.dashboard import EntryRow, entry_rows
from serving.pages.row_numbers import row_number
from serving.pages.site import Site
from serving.pages.visitors import visitor_of

PAGE = 50


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """Some entries, newest first. `older` is the value of `before` for the next page; None at the end."""

    rows: tuple[EntryRow, ...]
    is_newest: bool
    older: int | None


class LedgerResource:
    """The ledger of the account that is signed in."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the newest entries, or those numbered below `before`."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        before = row_number(req.get_param("before"), "before")
        # One more than is shown tells whether any follow.
        entries = await self._site.pools.accounts.run(
            lambda: self._site.billing.customers.ledger_page(
                account.account_id, before=before, limit=PAGE + 1
            ),
            client=visitor.network,
        )
        shown = entries[:PAGE]
        older = shown[-1].entry_no if len(entries) > PAGE else None
        page = LedgerPage(entry_rows(shown), before is None, older)
        self._site.show(resp, visitor, "ledger.html", page, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

"""The request log of an account: a page of its newest requests, and all of them as a CSV file."""

from collections.abc import AsyncIterator, Mapping
from functools import partial

import falcon.asgi

from serving.accounts.request_history import NEWEST, Place, RequestsPage, Wanted
from serving.metering.records import Account, Key
from serving.pages.requests import (
    STATUSES,
    Choice,
    RequestRow,
    RequestsView,
    first_line,
    lines,
    place,
)
from serving.pages.site import Site
from serving.pages.visitors import Visitor, visitor_of

PAGE = 50
ROWS_AT_ONCE = 1_000
"""Rows of the file that are read at once."""
_HERE = "/settings/requests"


class RequestsResource:
    """Shows the requests of the account that is signed in."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the newest requests that are wanted, or those before a place."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        choice, before = Choice.of(req), place(req.get_param("before"))
        wanted = choice.wanted
        page = await self._site.pools.accounts.run(
            lambda: self._read(account, choice, wanted, before), client=visitor.network
        )
        self._site.show(resp, visitor, "requests.html", page, account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    def _read(self, account: Account, choice: Choice, wanted: Wanted, before: Place) -> RequestsView:
        billing = self._site.billing
        found = billing.request_history.page(account.account_id, wanted, before=before, limit=PAGE)
        keys = _keys(self._site, account)
        return RequestsView(
            rows=[RequestRow(request, keys.get(request.key_id)) for request in found.requests],
            keys=list(keys.values()),
            statuses=STATUSES,
            choice=choice,
            is_newest=before == NEWEST,
            older=None if found.older is None else choice.address(_HERE, found.older),
            file=choice.address(f"{_HERE}.csv"),
            days=billing.request_history.days,
        )


class RequestsFileResource:
    """Sends the requests of the account that is signed in as a file, piece by piece."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with all requests that are wanted, newest first."""
        visitor, account, wanted = await self._begin(req, resp)
        keys = await self._site.pools.accounts.run(lambda: _keys(self._site, account), client=visitor.network)
        resp.stream = self._pieces(visitor, account, wanted, keys)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self._begin(req, resp)

    async def _begin(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response
    ) -> tuple[Visitor, Account, Wanted]:
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        wanted = Choice.of(req).wanted
        resp.content_type = "text/csv; charset=utf-8"
        resp.downloadable_as = "requests.csv"
        return visitor, account, wanted

    async def _pieces(
        self, visitor: Visitor, account: Account, wanted: Wanted, keys: Mapping[int, Key]
    ) -> AsyncIterator[bytes]:
        yield first_line()
        before = NEWEST
        while True:
            read = partial(self._page, account, wanted, before)
            found = await self._site.pools.accounts.run(read, client=visitor.network)
            yield lines(found.requests, keys)
            if found.older is None:
                return
            before = found.older

    def _page(self, account: Account, wanted: Wanted, before: Place) -> RequestsPage:
        history = self._site.billing.request_history
        return history.page(account.account_id, wanted, before=before, limit=ROWS_AT_ONCE)


def _keys(site: Site, account: Account) -> Mapping[int, Key]:
    """Return the keys of an account, ended ones and those of agents included, by id."""
    return {key.key_id: key for key in site.billing.accounts.list_keys(account.account_id)}

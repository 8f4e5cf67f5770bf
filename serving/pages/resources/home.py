"""The settings page: the dashboard if the visitor is signed in, else the forms to sign in and the prices."""

from dataclasses import dataclass

import falcon.asgi

from serving.metering.records import Account
from serving.pages.dashboard import Dashboard, read_dashboard
from serving.pages.frames import Problem
from serving.pages.key_form import KeyForm
from serving.pages.resources.entrance import known_next, show_entrance
from serving.pages.site import Site
from serving.pages.visitors import Visitor, visitor_of


@dataclass(frozen=True, slots=True)
class DashboardPage:
    """The dashboard with its form for a new key, which `once_token` allows to be used once.

    `mails` says whether the service can mail a link that confirms the address.
    """

    dashboard: Dashboard
    form: KeyForm
    once_token: str
    mails: bool


class HomeResource:
    """The settings page."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the page."""
        visitor = visitor_of(req)
        account = await self._site.account_of(visitor)
        done = req.get_param("done")
        next_page = known_next(req.get_param("next"))
        if account is None:
            show_entrance(self._site, resp, visitor, next_page=next_page, done=done)
        elif next_page is not None:
            self._site.go(resp, next_page)
        else:
            form = KeyForm.in_address(req)
            await show_dashboard(self._site, resp, visitor, account, form=form, done=done)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)


async def show_dashboard(
    site: Site,
    resp: falcon.asgi.Response,
    visitor: Visitor,
    account: Account,
    *,
    form: KeyForm | None = None,
    problem: Problem | None = None,
    done: str | None = None,
    status: int = 200,
) -> None:
    """Answer with the dashboard, and with the form and the reason if the form was refused."""
    sells = site.payments is not None
    dashboard = await site.pools.accounts.run(
        lambda: read_dashboard(site.billing, account, sells=sells), client=visitor.network
    )
    site.show(
        resp,
        visitor,
        "dashboard.html",
        DashboardPage(
            dashboard, form or KeyForm(), visitor.once_token(dashboard.once_state), site.mailer is not None
        ),
        account=account,
        problems=() if problem is None else (problem,),
        done=done,
        status=status,
    )

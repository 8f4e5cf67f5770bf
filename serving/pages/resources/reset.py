"""A forgotten password: a mailed link where mail is configured, the operator's command where it is not."""

import asyncio
import logging
from typing import Literal

import falcon.asgi

from serving.concurrency import BoundedPool
from serving.contract.errors import LawError, SignInRefusedError, ValidationError
from serving.pages.frames import Problem
from serving.pages.mail import Mailer
from serving.pages.site import HOME, Site, problem_of
from serving.pages.visitors import visitor_of

_log = logging.getLogger(__name__)

_MAIL = """\
Somebody, probably you, asked to set a new password for this account of the Legal Research API.

Set it here, within the hour:

{link}

If it was not you, do nothing: your password stays as it is.
"""


class ResetResource:
    """Asks for a link, which is mailed in `mails`."""

    def __init__(self, site: Site, mails: BoundedPool) -> None:
        self._site = site
        self._mails = mails
        # The event loop keeps no strong reference to a task.
        self._sending: set[asyncio.Task[None]] = set()

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Show the form, or who to turn to."""
        self._show(req, resp, "ask" if self._site.mailer else "operator")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Mail a link to the account's address. The answer is the same, and as fast, where there is none."""
        visitor, form = await self._site.submission(req)
        mailer, email = self._site.mailer, form.one("email").strip()
        if mailer is None:
            self._show(req, resp, "operator")
            return
        try:
            reset = await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.begin_reset(email, address=visitor.address),
                client=visitor.network,
            )
        except ValidationError as error:
            self._show(req, resp, "ask", problem_of(error, {"email": "reset-email"}))
            return
        if reset is not None:
            link = f"{self._site.public_url}/settings/reset/{reset.token}"
            task = asyncio.create_task(self._send(mailer, reset.email, link))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        self._show(req, resp, "sent")

    async def _send(self, mailer: Mailer, email: str, link: str) -> None:
        """Send the link beside the answer, which must not take longer for an address that has an account."""
        text = _MAIL.format(link=link)
        try:
            await self._mails.run(lambda: mailer.send(email, subject="Set a new password", text=text))
        except (OSError, LawError) as error:
            # The kind alone: what the server said may name the address.
            _log.error("reset_mail_not_sent", extra={"problem": type(error).__name__})

    def _show(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        state: Literal["ask", "sent", "operator"],
        problem: Problem | None = None,
    ) -> None:
        problems, status = ((), 200) if problem is None else ((problem,), 422)
        self._site.show(resp, visitor_of(req), "reset.html", state, problems=problems, status=status)


class NewPasswordResource:
    """Where the link leads. The address holds the token: nothing here repeats or logs it."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Show the form. The token is looked at when it is sent: no preview of the link uses it up."""
        del token
        self._site.show(resp, visitor_of(req), "new_password.html")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, token)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Set the password; all sessions of the account end."""
        visitor, form = await self._site.submission(req)
        chosen = form.one("password")
        try:
            await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.finish_reset(token, chosen), client=visitor.network
            )
        except (SignInRefusedError, ValidationError) as error:
            problem = problem_of(error, {"password": "new-password"})
            self._site.show(resp, visitor, "new_password.html", problems=(problem,), status=422)
            return
        self._site.cookies.end_session(resp)
        self._site.go(resp, f"{HOME}?done=reset")

"""Asking for a mailed link: the form, the mail beside the answer, and who to turn to where none is sent."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import falcon.asgi

from serving.accounts.mailed_links import MailedLink
from serving.concurrency.pool import BoundedPool
from serving.contract.errors import LawError, TooManyAttemptsError, ValidationError
from serving.pages.frames import Problem
from serving.pages.mail import Mailer
from serving.pages.site import Site, problem_of
from serving.pages.visitors import visitor_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LinkOffer:
    """A kind of link that can be asked for.

    Attributes:
        path: of the page that asks; that of the link is below it.
        template: of the page, for its states `ask`, `sent` and `operator`.
        field: id of the form's element for the address.
        subject: of the mail.
        text: of the mail, with `{link}`.
        event: that the log has where the mail was not sent.
        make: makes the link of an e-mail address, asked for from a network address.
    """

    path: str
    template: str
    field: str
    subject: str
    text: str
    event: str
    make: Callable[[str, str], MailedLink | None]


class LinkResource:
    """Asks for a link, which is mailed in `mails`."""

    def __init__(self, site: Site, mails: BoundedPool, offer: LinkOffer) -> None:
        self._site = site
        self._mails = mails
        self._offer = offer
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
            made = await self._site.pools.sign_ins.run(
                lambda: self._offer.make(email, visitor.address), client=visitor.network
            )
        except ValidationError as error:
            self._show(req, resp, "ask", problem_of(error, {"email": self._offer.field}), status=422)
            return
        except TooManyAttemptsError as error:
            # Strangers may have asked before the owner, whose mail then holds what is asked for.
            problem = Problem(f"{error.message} The last link that was mailed within the hour is still good.")
            resp.set_header("Retry-After", str(error.retry_after_seconds))
            self._show(req, resp, "ask", problem, status=429)
            return
        if made is not None:
            link = f"{self._site.public_url}{self._offer.path}/{made.token}"
            task = asyncio.create_task(self._send(mailer, made.email, link))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        self._show(req, resp, "sent")

    async def _send(self, mailer: Mailer, email: str, link: str) -> None:
        """Send the link beside the answer, which must not take longer for an address that has an account."""
        subject, text = self._offer.subject, self._offer.text.format(link=link)
        try:
            await self._mails.run(lambda: mailer.send(email, subject=subject, text=text))
        except (OSError, LawError) as error:
            # The kind alone: what the server said may name the address.
            _log.error(self._offer.event, extra={"problem": type(error).__name__})

    def _show(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        state: Literal["ask", "sent", "operator"],
        problem: Problem | None = None,
        *,
        status: int = 200,
    ) -> None:
        problems = () if problem is None else (problem,)
        self._site.show(resp, visitor_of(req), self._offer.template, state, problems=problems, status=status)

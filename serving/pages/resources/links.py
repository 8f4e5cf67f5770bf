"""Mailed links: the mails, the form by which who is not signed in asks for one, and the page of a link."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

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
class LinkText:
    """The mail of a kind of link.

    Attributes:
        path: path below which the link's path lies.
        subject: subject of the mail.
        text: text of the mail, with `{link}`.
        event: name in the log if the mail could not be sent.
    """

    path: str
    subject: str
    text: str
    event: str


@dataclass(frozen=True, slots=True)
class LinkOffer:
    """A kind of link that can be requested by who is not signed in.

    Attributes:
        mail: the mail; the page with the form is at its path.
        template: template of the page, for its states `ask`, `sent` and `operator`.
        field: id of the form's element for the address.
        make: makes the link of an e-mail address, asked for from a network address.
    """

    mail: LinkText
    template: str
    field: str
    make: Callable[[str, str], MailedLink | None]


class LinkMails:
    """Mails links, by way of a pool, apart from the answers.

    Args:
        mailer: sends the mail; None where the service sends none.
        pool: bounds the mails that are sent or wait.
        public_url: address of the service.
    """

    def __init__(self, mailer: Mailer | None, pool: BoundedPool, *, public_url: str) -> None:
        self._mailer = mailer
        self._pool = pool
        self._public_url = public_url
        # The event loop keeps no strong reference to a task.
        self._sending: set[asyncio.Task[None]] = set()

    def send(self, mail: LinkText, made: MailedLink) -> None:
        """Begin to mail a link. The answer does not wait: it must be as fast where nothing is mailed."""
        if self._mailer is None:
            return
        task = asyncio.create_task(self._send(self._mailer, mail, made))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, mailer: Mailer, mail: LinkText, made: MailedLink) -> None:
        text = mail.text.format(link=f"{self._public_url}{mail.path}/{made.token}")
        try:
            await self._pool.run(lambda: mailer.send(made.email, subject=mail.subject, text=text))
        except (OSError, LawError) as error:
            # The kind alone: what the server said may name the address.
            _log.error(mail.event, extra={"problem": type(error).__name__})


class OpenedLinkResource:
    """A page that a mailed link opens. The address holds the token: nothing here repeats or logs it.

    Attributes:
        template: template of the page, whose form is sent to the same address.
    """

    template: ClassVar[str]

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Answer with the form. The token is checked only when sent: no preview of the link uses it up."""
        del token
        self._site.show(resp, visitor_of(req), self.template)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp, token)


class LinkResource:
    """Offers a link and mails it."""

    def __init__(self, site: Site, mails: LinkMails, offer: LinkOffer) -> None:
        self._site = site
        self._mails = mails
        self._offer = offer

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the form, or with whom to turn to."""
        self._show(req, resp, "ask" if self._site.mailer else "operator")

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Mail a link to the account's address. The answer is the same, and as fast, if there is none."""
        visitor, form = await self._site.submission(req)
        email = form.one("email").strip()
        if self._site.mailer is None:
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
            self._mails.send(self._offer.mail, made)
        self._show(req, resp, "sent")

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

"""Common work of the pages: recognise visitors, check submissions, send answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import falcon
import falcon.asgi

from serving.accounts.billing import Billing
from serving.accounts.customers import SignedIn
from serving.contract.errors import LawError, NotFoundError, ValidationError
from serving.metering.records import Account
from serving.pages import form_tokens
from serving.pages.forms import Form, SubmissionRefusedError, read_form
from serving.pages.frames import NOTICES, Frame, Problem
from serving.pages.mail import Mailer
from serving.pages.pools import PagePools
from serving.pages.rendering import Renderer
from serving.pages.visitors import Cookies, Visitor, visitor_of

if TYPE_CHECKING:
    from serving.payments.payments import Payments

HOME = "/settings"

_Found = TypeVar("_Found")


class SignInNeededError(LawError):
    """The page belongs to an account, and the visitor is not signed in.

    Attributes:
        next_page: page to go on with after signing in; None where it is the page that was asked for.
    """

    code = "sign_in_needed"

    def __init__(self, message: str, *, next_page: str | None = None) -> None:
        super().__init__(message)
        self.next_page = next_page


@dataclass(frozen=True, slots=True)
class Site:
    """The settings page as its resources use it. Blocking calls run in the pool of their kind."""

    billing: Billing
    pools: PagePools
    payments: "Payments | None"
    mailer: Mailer | None
    cookies: Cookies
    renderer: Renderer
    public_url: str

    async def account_of(self, visitor: Visitor) -> Account | None:
        """Return the account that a visitor is signed in to; None if there is none."""
        token = visitor.session
        if token is None:
            return None
        return await self.pools.accounts.run(lambda: self._account(token), client=visitor.network)

    async def require_account(self, visitor: Visitor, *, next_page: str | None = None) -> Account:
        """Return the account that a visitor is signed in to.

        Raises:
            SignInNeededError: the visitor is not signed in, or not any more; it leads on to `next_page`.
        """
        account = await self.account_of(visitor)
        if account is None:
            ended = "Your session has ended. " if visitor.session else ""
            raise SignInNeededError(f"{ended}Sign in to go on.", next_page=next_page)
        return account

    def _account(self, token: str) -> Account | None:
        session = self.billing.sessions.find(token)
        return None if session is None else self.billing.accounts.get(session.account_id)

    async def submission(
        self, req: falcon.asgi.Request, *, texts: Sequence[str] = ()
    ) -> tuple[Visitor, Form]:
        """Read a form that was submitted from a page of ours; `texts` are its fields of several lines.

        Raises:
            SubmissionRefusedError: it comes from elsewhere or from a page that is out of date, or is no form.
            ValidationError: it is malformed.
        """
        visitor, form = await self._received(req, texts)
        _require_token(visitor, form)
        return visitor, form

    async def account_submission(
        self, req: falcon.asgi.Request, back: Callable[[Form], str]
    ) -> tuple[Visitor, Account, Form]:
        """Read a form of a page for which people sign in, and the account that it is sent for.

        Args:
            req: the request.
            back: returns the address of the form's page with what was typed, to come back to.

        Raises:
            SignInNeededError: the visitor is not signed in, or not any more; nothing was done.
            SubmissionRefusedError: as `submission`.
            ValidationError: it is malformed.
        """
        visitor, form = await self._received(req)
        # Tokens are tied to the session: a browser that dropped its cookie has none that is still good.
        if visitor.session is not None:
            _require_token(visitor, form)
        account = await self.require_account(visitor, next_page=back(form))
        return visitor, account, form

    async def _received(self, req: falcon.asgi.Request, texts: Sequence[str] = ()) -> tuple[Visitor, Form]:
        """Read a form that no other site sent."""
        visitor = visitor_of(req)
        from_us = form_tokens.is_from_us(
            fetch_site=req.get_header("Sec-Fetch-Site"),
            origin=req.get_header("Origin"),
            host=req.netloc,
            public_url=self.public_url,
        )
        if not from_us:
            raise SubmissionRefusedError(
                "This form was sent from another site, so nothing was done.", status=403
            )
        form = await read_form(req, texts=texts)
        if visitor.is_new:
            raise SubmissionRefusedError(
                "Your browser sent no cookie with this form, so nothing was done. Allow cookies for this site"
                + (", and open it over HTTPS." if self.cookies.secure and req.scheme == "http" else "."),
                status=403,
            )
        return visitor, form

    def enter(self, resp: falcon.asgi.Response, visitor: Visitor, signed_in: SignedIn) -> None:
        """Set the cookies of a browser that has just signed in."""
        self.cookies.start_session(resp, signed_in.session.token)
        self.cookies.know_device(resp, visitor, signed_in.device.token)

    def show(
        self,
        resp: falcon.asgi.Response,
        visitor: Visitor,
        template: str,
        page: object = None,
        *,
        account: Account | None = None,
        problems: Sequence[Problem] = (),
        done: str | None = None,
        status: int = 200,
    ) -> None:
        """Answer with a page."""
        frame = Frame(account, visitor.form_token, problems, NOTICES.get(done or ""))
        self.cookies.remember(resp, visitor)
        resp.status = status
        resp.content_type = falcon.MEDIA_HTML
        resp.data = self.renderer.render(template, frame=frame, page=page).encode()

    @staticmethod
    def go(resp: falcon.asgi.Response, address: str) -> None:
        """Answer with a redirect after which the browser reads another page."""
        resp.status = falcon.HTTP_303
        resp.set_header("Location", address)


def _require_token(visitor: Visitor, form: Form) -> None:
    if not form_tokens.is_token(form.one(form_tokens.FIELD), visitor.form_secret, visitor.session):
        raise SubmissionRefusedError(
            "This page was out of date, so nothing was done. Open the settings again and repeat it.",
            status=403,
        )


def require_own(found: _Found | None, what: str, *, kind: str | None = None) -> _Found:
    """Return what was found among the things of an account.

    Raises:
        NotFoundError: nothing was, whether it is another account's or nobody's.
    """
    if found is None:
        raise NotFoundError(f"The account has no such {what}.", kind=kind or what)
    return found


def problem_of(error: LawError, fields: dict[str, str]) -> Problem:
    """Return an error as a problem of the form, beside its parameter's field or else the default field."""
    parameter = error.parameter if isinstance(error, ValidationError) else None
    return Problem(error.message, fields.get(parameter or ""))

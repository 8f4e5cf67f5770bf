"""Signing up, signing in and signing out."""

import re
from dataclasses import dataclass

import falcon.asgi

from serving.contract.errors import LawError, SignInRefusedError, TooManyAttemptsError, ValidationError
from serving.pages.dashboard import Prices, prices
from serving.pages.frames import Problem
from serving.pages.site import HOME, Site, problem_of
from serving.pages.visitors import Visitor
from serving.services.formation import START

LONGEST_NEXT = 4096
_OURS = re.compile(rf"(?:{HOME}(?=[?#])|{HOME}(?:/[A-Za-z0-9_-]+)+|{START})(?:[?#].*)?")
"""Addresses of pages for which people sign in: no other host and no step up fits."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """The page for visitors who are not signed in: two forms, with the addresses typed so far, and prices.

    Attributes:
        next: page to show after signing in, if not the settings.
        can_unlock: whether to offer a link that lets the browser sign in now.
    """

    prices: Prices
    sign_in_email: str = ""
    sign_up_email: str = ""
    notice: str | None = None
    next: str | None = None
    can_unlock: bool = False


def show_entrance(
    site: Site,
    resp: falcon.asgi.Response,
    visitor: Visitor,
    *,
    sign_in_email: str = "",
    sign_up_email: str = "",
    notice: str | None = None,
    next_page: str | None = None,
    done: str | None = None,
    problem: Problem | None = None,
    can_unlock: bool = False,
    status: int = 200,
) -> None:
    """Answer with the page for visitors who are not signed in."""
    page = Entrance(
        prices(sells=site.payments is not None), sign_in_email, sign_up_email, notice, next_page, can_unlock
    )
    problems = () if problem is None else (problem,)
    site.show(resp, visitor, "entrance.html", page, problems=problems, done=done, status=status)


class SignUpResource:
    """Opens an account."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Open an account and sign in to it."""
        visitor, form = await self._site.submission(req)
        email, password = form.one("email").strip(), form.one("password")
        next_page = known_next(form.one("next"))
        try:
            signed_in = await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.sign_up(
                    email,
                    password,
                    address=visitor.address,
                    session=visitor.session,
                    devices=visitor.devices,
                ),
                client=visitor.network,
            )
        except (ValidationError, TooManyAttemptsError) as error:
            problem = problem_of(error, {"email": "sign-up-email", "password": "sign-up-password"})
            status = _status(resp, error)
            show_entrance(
                self._site,
                resp,
                visitor,
                sign_up_email=email,
                next_page=next_page,
                problem=problem,
                status=status,
            )
            return
        self._site.enter(resp, visitor, signed_in)
        self._site.go(resp, next_page or f"{HOME}?done=welcome")


class SignInResource:
    """Signs in to an account."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Sign in."""
        visitor, form = await self._site.submission(req)
        email, password = form.one("email").strip(), form.one("password")
        next_page = known_next(form.one("next"))
        try:
            signed_in = await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.sign_in(
                    email,
                    password,
                    address=visitor.address,
                    session=visitor.session,
                    devices=visitor.devices,
                ),
                client=visitor.network,
            )
        except (SignInRefusedError, ValidationError, TooManyAttemptsError) as error:
            # Which of the two is wrong is not said; the password is what to type again.
            problem = problem_of(error, {"email": "sign-in-email", "": "sign-in-password"})
            status = _status(resp, error)
            show_entrance(
                self._site,
                resp,
                visitor,
                sign_in_email=email,
                next_page=next_page,
                problem=problem,
                can_unlock=status == 429 and self._site.mailer is not None,
                status=status,
            )
            return
        self._site.enter(resp, visitor, signed_in)
        self._site.go(resp, next_page or HOME)


class SignOutResource:
    """Ends the session."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Sign out."""
        visitor, _ = await self._site.submission(req)
        token = visitor.session
        if token is not None:
            await self._site.pools.accounts.run(
                lambda: self._site.billing.sessions.end(token), client=visitor.network
            )
        self._site.cookies.end_session(resp)
        self._site.go(resp, f"{HOME}?done=signed-out")


def known_next(address: str | None) -> str | None:
    """Return the page to go on to if it is one of ours that asks visitors to sign in; else None."""
    if address is None or len(address) > LONGEST_NEXT or not address.isprintable():
        return None
    return address if _OURS.fullmatch(address) else None


def _status(resp: falcon.asgi.Response, error: LawError) -> int:
    if isinstance(error, TooManyAttemptsError):
        resp.set_header("Retry-After", str(error.retry_after_seconds))
        return 429
    return 401 if isinstance(error, SignInRefusedError) else 422

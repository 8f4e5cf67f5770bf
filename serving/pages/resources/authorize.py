"""Consent: an agent asks to use an account, and its holder allows it some scopes or refuses."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import falcon.asgi

from serving.authorization.redirect_uris import destination, policy_source
from serving.authorization.server import AuthorizationServer, ConsentRequest, RequestRefusedError
from serving.contract.errors import ValidationError
from serving.metering.records import Account
from serving.pages.form_targets import allow_form_target
from serving.pages.forms import MAX_FIELDS, Form
from serving.pages.frames import Problem
from serving.pages.resources.entrance import LONGEST_NEXT, show_entrance
from serving.pages.site import Site
from serving.pages.visitors import Visitor, visitor_of

PARAMETERS = frozenset(
    {
        *("response_type", "client_id", "redirect_uri", "scope", "state", "resource"),
        *("code_challenge", "code_challenge_method"),
    }
)
"""Parameters of a request for consent, which its form sends on as they came."""
_UNREADABLE = "The address of this page is longer than it may be, or cannot be read."
Fields = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ConsentPage:
    """The page that asks an account holder, with the request's parameters and the scopes that are ticked."""

    asked: ConsentRequest
    fields: Fields
    chosen: tuple[str, ...]

    @property
    def destination(self) -> str | None:
        """Host to which the answer goes; None if it stays on the holder's machine."""
        return destination(self.asked.redirect_uri)


@dataclass(frozen=True, slots=True)
class RefusalPage:
    """The page of a request that no account holder is asked about."""

    error: RequestRefusedError

    @property
    def destination(self) -> str | None:
        """Host to which the link back leads; None for an app on the holder's machine, or without a link."""
        return None if self.error.return_to is None else destination(self.error.return_to)


class AuthorizeResource:
    """The authorization endpoint."""

    def __init__(self, site: Site, server: AuthorizationServer) -> None:
        self._site = site
        self._server = server

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer with the question, or first with the forms to sign in."""
        visitor = visitor_of(req)
        try:
            fields = _fields(req.query_string)
            asked = await self._consider(visitor, fields)
        except RequestRefusedError as error:
            self._site.show(resp, visitor, "consent_refused.html", RefusalPage(error), status=400)
            return
        account = await self._site.account_of(visitor)
        if account is None:
            notice = f"Sign in or open an account to connect “{asked.client.name}”."
            address = f"{req.path}?{req.query_string}"
            show_entrance(self._site, resp, visitor, notice=notice, next_page=address, status=401)
            return
        self._ask(req, resp, visitor, account, ConsentPage(asked, fields, asked.scopes))

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Send the browser back to the agent, with a code or with the refusal."""
        visitor, account, form = await self._site.account_submission(
            req, lambda form: f"{req.path}?{urlencode(_asked_in(form))}"
        )
        fields = _asked_in(form)
        try:
            asked = await self._consider(visitor, fields)
        except RequestRefusedError as error:
            page = RefusalPage(error)
            self._site.show(resp, visitor, "consent_refused.html", page, account=account, status=400)
            return
        chosen = tuple(scope for scope in asked.scopes if scope in form.many("scopes"))
        try:
            address = await self._decide(visitor, account, asked, chosen, form.one("decision"))
        except ValidationError as error:
            problem = Problem(error.message, "consent-scopes")
            self._ask(req, resp, visitor, account, ConsentPage(asked, fields, chosen), problem)
            return
        allow_form_target(req, policy_source(asked.redirect_uri))
        self._site.go(resp, address)

    async def _consider(self, visitor: Visitor, fields: Fields) -> ConsentRequest:
        return await self._site.pools.accounts.run(
            lambda: self._server.consider(fields), client=visitor.network
        )

    async def _decide(
        self,
        visitor: Visitor,
        account: Account,
        asked: ConsentRequest,
        chosen: tuple[str, ...],
        decision: str,
    ) -> str:
        if decision != "allow":
            return self._server.deny(asked)
        if not chosen:
            raise ValidationError("Leave the agent at least one scope, or refuse.", parameter="scopes")
        return await self._site.pools.accounts.run(
            lambda: self._server.allow(asked, account_id=account.account_id, scopes=chosen),
            client=visitor.network,
        )

    def _ask(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        visitor: Visitor,
        account: Account,
        page: ConsentPage,
        problem: Problem | None = None,
    ) -> None:
        allow_form_target(req, policy_source(page.asked.redirect_uri))
        problems = () if problem is None else (problem,)
        status = 200 if problem is None else 422
        self._site.show(
            resp, visitor, "consent.html", page, account=account, problems=problems, status=status
        )


def _asked_in(form: Form) -> Fields:
    """Return the parameters of the request in a form of its page."""
    return [(name, value) for name, value in form.fields if name in PARAMETERS]


def _fields(query: str) -> Fields:
    """Return the parameters of an address.

    Raises:
        RequestRefusedError: it cannot be read.
    """
    if len(query) > LONGEST_NEXT - 100 or not query.isprintable():
        raise RequestRefusedError(_UNREADABLE)
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise RequestRefusedError(_UNREADABLE) from error
    return [(name, value) for name, value in pairs if name in PARAMETERS]

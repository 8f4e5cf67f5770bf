"""Confirming the mail address of an account: a link that is mailed when its holder asks for it."""

import falcon
import falcon.asgi

from serving.contract.errors import SignInRefusedError, TooManyAttemptsError
from serving.pages.frames import Problem
from serving.pages.resources.home import show_dashboard
from serving.pages.resources.links import LinkMails, LinkText, OpenedLinkResource
from serving.pages.site import HOME, Site

_TEXT = LinkText(
    path="/settings/verification",
    subject="Confirm your address",
    text="""\
The holder of an account of the Legal Research API asked to confirm that this is the address of the account.

Confirm it here, within the hour:

{link}

If you have no such account, do nothing.
""",
    event="verification_mail_not_sent",
)


class VerificationsResource:
    """Mails the link to the account that is signed in."""

    def __init__(self, site: Site, mails: LinkMails) -> None:
        self._site = site
        self._mails = mails

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Mail a link, unless the address is confirmed already."""
        visitor, account, _ = await self._site.account_submission(req, lambda _: HOME)
        if self._site.mailer is None:
            raise falcon.HTTPNotFound
        try:
            made = await self._site.pools.accounts.run(
                lambda: self._site.billing.customers.begin_verification(
                    account.account_id, address=visitor.address
                ),
                client=visitor.network,
            )
        except TooManyAttemptsError as error:
            resp.set_header("Retry-After", str(error.retry_after_seconds))
            problem = Problem(f"{error.message} The last link that was mailed within the hour is still good.")
            await show_dashboard(self._site, resp, visitor, account, problem=problem, status=429)
            return
        if made is not None:
            self._mails.send(_TEXT, made)
        self._site.go(resp, f"{HOME}?done={'verified' if made is None else 'verification'}")


class VerificationResource(OpenedLinkResource):
    """The page on which an address is confirmed."""

    template = "verification.html"

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Note that the account's holder reads its mail."""
        visitor, _ = await self._site.submission(req)
        try:
            await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.finish_verification(token), client=visitor.network
            )
        except SignInRefusedError as error:
            problems = (Problem(error.message),)
            self._site.show(resp, visitor, self.template, problems=problems, status=422)
            return
        self._site.go(resp, f"{HOME}?done=verified")

"""Unlocking of a browser that has to wait because others guessed passwords: a mailed link lets it sign in."""

import falcon.asgi

from serving.accounts.billing import Billing
from serving.contract.errors import SignInRefusedError
from serving.pages.frames import Problem
from serving.pages.resources.links import LinkOffer, LinkText, OpenedLinkResource
from serving.pages.site import HOME

_MAIL = """\
Somebody, probably you, asked to sign in to this account of the Legal Research API from a new browser.

Open this link in that browser, within the hour; then it can sign in with your password at any time:

{link}

If it was not you, do nothing.
"""


def unlock_link(billing: Billing) -> LinkOffer:
    """Return the kind of link with which a browser becomes known."""
    return LinkOffer(
        mail=LinkText(
            path="/settings/unlock",
            subject="Sign in from a new browser",
            text=_MAIL,
            event="unlock_mail_not_sent",
        ),
        template="unlock.html",
        field="unlock-email",
        make=lambda email, address: billing.customers.begin_unlock(email, address=address),
    )


class UnlockResource(OpenedLinkResource):
    """The page on which a browser becomes known."""

    template = "unlock_browser.html"

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Make the browser known to the account."""
        visitor, _ = await self._site.submission(req)
        try:
            device = await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.finish_unlock(token, devices=visitor.devices),
                client=visitor.network,
            )
        except SignInRefusedError as error:
            problems = (Problem(error.message),)
            self._site.show(resp, visitor, self.template, problems=problems, status=422)
            return
        self._site.cookies.know_device(resp, visitor, device.token)
        self._site.go(resp, f"{HOME}?done=unlocked")

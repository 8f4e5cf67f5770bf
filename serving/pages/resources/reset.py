"""Forgotten passwords: a mailed link if mail is configured, else the operator's command."""

import falcon.asgi

from serving.accounts.billing import Billing
from serving.contract.errors import SignInRefusedError, ValidationError
from serving.pages.resources.links import LinkOffer, LinkText, OpenedLinkResource
from serving.pages.site import HOME, problem_of

_MAIL = """\
Somebody, probably you, asked to set a new password for this account of the Legal Research API.

Set it here, within the hour:

{link}

If it was not you, do nothing: your password stays as it is.
"""


def reset_link(billing: Billing) -> LinkOffer:
    """Return the kind of link with which a password is set."""
    return LinkOffer(
        mail=LinkText(
            path="/settings/reset", subject="Set a new password", text=_MAIL, event="reset_mail_not_sent"
        ),
        template="reset.html",
        field="reset-email",
        make=lambda email, address: billing.customers.begin_reset(email, address=address),
    )


class NewPasswordResource(OpenedLinkResource):
    """The page on which a new password is set."""

    template = "new_password.html"

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, token: str) -> None:
        """Set the password; all sessions of the account end."""
        visitor, form = await self._site.submission(req)
        chosen = form.one("password")
        try:
            device = await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.finish_reset(token, chosen), client=visitor.network
            )
        except (SignInRefusedError, ValidationError) as error:
            problem = problem_of(error, {"password": "new-password"})
            self._site.show(resp, visitor, self.template, problems=(problem,), status=422)
            return
        self._site.cookies.end_session(resp)
        self._site.cookies.know_device(resp, visitor, device.token)
        self._site.go(resp, f"{HOME}?done=reset")

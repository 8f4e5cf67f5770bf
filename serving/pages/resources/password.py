"""Changing the password while signed in."""

import falcon.asgi

from serving.contract.errors import SessionEndedError, SignInRefusedError, ValidationError
from serving.pages.frames import Problem
from serving.pages.site import HOME, SignInNeededError, Site, problem_of
from serving.pages.visitors import visitor_of


class PasswordResource:
    """Changes the password."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Show the form."""
        visitor = visitor_of(req)
        account = await self._site.require_account(visitor)
        self._site.show(resp, visitor, "password.html", account=account)

    async def on_head(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer as GET, without the body."""
        await self.on_get(req, resp)

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Change the password, end all sessions, and begin a new one here."""
        visitor, account, form = await self._site.account_submission(req, lambda _: req.path)
        session = visitor.session or ""
        current, chosen = form.one("current"), form.one("password")
        try:
            signed_in = await self._site.pools.sign_ins.run(
                lambda: self._site.billing.customers.change_password(session, current, chosen),
                client=visitor.network,
            )
        except SessionEndedError as error:
            raise SignInNeededError(f"{error.message} Sign in to go on.", next_page=req.path) from error
        except SignInRefusedError as error:
            problem = Problem(error.message, "password-current")
        except ValidationError as error:
            problem = problem_of(error, {"password": "password-new"})
        else:
            self._site.enter(resp, visitor, signed_in)
            self._site.go(resp, f"{HOME}?done=password")
            return
        self._site.show(resp, visitor, "password.html", account=account, problems=(problem,), status=422)

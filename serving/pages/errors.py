"""Errors as pages: the problem in words, its status, and a link to go on with."""

from typing import Any

import falcon
import falcon.asgi

from serving.contract.errors import TooManyAttemptsError
from serving.pages.forms import SubmissionRefusedError
from serving.pages.rendering import ErrorText
from serving.pages.resources.entrance import known_next, show_entrance
from serving.pages.site import SignInNeededError, Site
from serving.pages.visitors import visitor_of

TITLES = {
    400: "The request could not be read",
    403: "Nothing was done",
    404: "There is no such page",
    405: "This page takes no such request",
    413: "The form is too large",
    415: "The form could not be read",
    422: "The form was not accepted",
    429: "Too many attempts",
    500: "Something went wrong",
    503: "Not available right now",
}
MESSAGES = {
    404: "It may have been removed, or the address is mistyped.",
    405: "Open it from the settings instead.",
    500: "The failure is ours and has been noted. Try again; if it persists, tell the operator.",
}


class ErrorPages:
    """Answers errors of the pages for which people sign in."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def on_sign_in_needed(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        error: SignInNeededError,
        _params: dict[str, Any],
    ) -> None:
        """Answer 401 with the forms to sign in, which lead on to where the visitor was."""
        next_page = known_next(error.next_page or req.relative_uri)
        visitor = visitor_of(req)
        show_entrance(self._site, resp, visitor, notice=error.message, next_page=next_page, status=401)

    async def on_submission_refused(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        error: SubmissionRefusedError,
        _params: dict[str, Any],
    ) -> None:
        """Answer with the refusal, and that nothing was done."""
        self.show(req, resp, error.status, error.message)

    async def on_too_many_attempts(
        self,
        req: falcon.asgi.Request,
        resp: falcon.asgi.Response,
        error: TooManyAttemptsError,
        _params: dict[str, Any],
    ) -> None:
        """Answer 429 with the time to wait."""
        resp.set_header("Retry-After", str(error.retry_after_seconds))
        self.show(req, resp, 429, error.message)

    def show(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, status: int, message: str) -> None:
        """Answer with the page of a status. Nothing is read for it, because the store may be what failed."""
        text = ErrorText(
            TITLES.get(status, falcon.code_to_http_status(status)[4:]), MESSAGES.get(status, message)
        )
        self._site.show(resp, visitor_of(req), "error.html", text, status=status)

    def add_to(self, app: falcon.asgi.App[Any, Any]) -> None:
        """Add handlers for the errors that only pages raise."""
        app.add_error_handler(SignInNeededError, self.on_sign_in_needed)
        app.add_error_handler(SubmissionRefusedError, self.on_submission_refused)
        app.add_error_handler(TooManyAttemptsError, self.on_too_many_attempts)

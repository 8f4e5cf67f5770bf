"""Foreign addresses to which the form of a page may lead: browsers check redirects after a form, too."""

import falcon.asgi


def allow_form_target(req: falcon.asgi.Request, source: str) -> None:
    """Let the form of the answer lead to one more source, as a Content-Security-Policy writes it."""
    req.context.form_target = source


def form_target(req: falcon.asgi.Request) -> str | None:
    """Return the source that was allowed; None if none was."""
    found: str | None = getattr(req.context, "form_target", None)
    return found

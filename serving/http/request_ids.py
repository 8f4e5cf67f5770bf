"""The id of a falcon request."""

import falcon.asgi

from serving.api.request_ids import HEADER, chosen_id


def request_id(req: falcon.asgi.Request) -> str:
    """Return the request's id: the caller's if it is acceptable, else one made on first use."""
    known: str | None = getattr(req.context, "request_id", None)
    if known is None:
        known = chosen_id(req.get_header(HEADER))
        req.context.request_id = known
    return known

"""Security headers, which protect readers of an answer in a browser."""

import falcon.asgi

from serving.api.security_headers import security_headers

POLICY = "Content-Security-Policy"


class SecurityMiddleware:
    """Completes the headers of every answer, errors included.

    Args:
        public_url: address at which clients reach the service.
    """

    def __init__(self, public_url: str) -> None:
        self._headers = dict(security_headers(public_url))

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Complete the headers; the policy of a page stays."""
        del req, resource, req_succeeded
        policy = resp.get_header(POLICY)
        resp.set_headers(self._headers)
        if policy is not None:
            resp.set_header(POLICY, policy)

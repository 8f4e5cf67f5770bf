"""`/oauth`: tokens, their revocation, and the registration of clients, for programs that act for a person."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qsl

import falcon
import falcon.asgi
import orjson

from serving.authorization.grants import Answer
from serving.authorization.issuer import REGISTER, REVOKE, TOKEN
from serving.authorization.server import AuthorizationServer, Pairs
from serving.concurrency.pool import BoundedPool
from serving.http.request_bodies import read_whole
from serving.metering.addresses import network_of
from serving.metering.unknown_keys import UnknownKeys
from serving.responses.bodies import send_unkept

THREADS, LIMIT, SHARE = 2, 256, 64
"""Threads of a worker, the most exchanges that run or wait, and the most of one network: a hosted agent has
few addresses for all of its users."""
MAX_BODY = 16_384
MAX_FIELDS = 40


class TokenResource:
    """Takes forms that name a code or a token, and limits how many guesses a network has.

    Each takes a turn to write, for which charges wait. So a network is held to so many that come to nothing.

    Args:
        answer: answers the parameters of a request; it blocks.
        pool: runs it.
        guesses: counts the requests of a network.
        counts_all: count those that are answered 200, too, as they are whether a token was known or not.
    """

    def __init__(
        self,
        answer: Callable[[Pairs], Answer],
        pool: BoundedPool,
        guesses: UnknownKeys,
        *,
        counts_all: bool = False,
    ) -> None:
        self._answer = answer
        self._pool = pool
        self._guesses = guesses
        self._counts_all = counts_all

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer the request."""
        self._guesses.require_room(req.remote_addr)
        pairs = await _read_form(req)
        if pairs is None:
            _send(req, resp, 400, {"error": "invalid_request", "error_description": "The body is no form."})
            return
        status, body = await self._pool.run(lambda: self._answer(pairs), client=network_of(req.remote_addr))
        if self._counts_all or status != 200:
            self._guesses.count(req.remote_addr)
        _send(req, resp, status, body)


class RegistrationResource:
    """Registers clients."""

    def __init__(self, server: AuthorizationServer, pool: BoundedPool) -> None:
        self._server = server
        self._pool = pool

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Answer the request."""
        body = await read_whole(req, most=MAX_BODY)
        if body is None:
            said = f"The body has more than {MAX_BODY:,} bytes."
            _send(req, resp, 400, {"error": "invalid_client_metadata", "error_description": said})
            return
        address = req.remote_addr
        status, answer = await self._pool.run(
            lambda: self._server.register(body, address=address), client=network_of(address)
        )
        _send(req, resp, status, answer)


def add_authorization(
    app: "falcon.asgi.App[falcon.asgi.Request, falcon.asgi.Response]",
    server: AuthorizationServer | None,
    *,
    unknown_per_minute: int,
) -> BoundedPool | None:
    """Add the endpoints for programs, and return the pool of their work.

    Without an authorization server the paths do not exist (404).
    """
    if server is None:
        return None
    pool = BoundedPool("exchanges of tokens", threads=THREADS, limit=LIMIT, share=SHARE)
    guesses = UnknownKeys(unknown_per_minute)
    app.add_route(TOKEN, TokenResource(server.exchange, pool, guesses))
    app.add_route(REVOKE, TokenResource(server.revoke, pool, guesses, counts_all=True))
    app.add_route(REGISTER, RegistrationResource(server, pool))
    return pool


async def _read_form(req: falcon.asgi.Request) -> Sequence[tuple[str, str]] | None:
    """Return the fields of a form; None if the body is none, or larger than any."""
    if (req.content_type or "").split(";")[0].strip().lower() != falcon.MEDIA_URLENCODED:
        return None
    body = await read_whole(req, most=MAX_BODY)
    if body is None:
        return None
    try:
        return parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS
        )
    except ValueError:
        return None


def _send(req: falcon.asgi.Request, resp: falcon.asgi.Response, status: int, body: dict[str, Any]) -> None:
    resp.status = status
    send_unkept(req, resp, orjson.dumps(body))

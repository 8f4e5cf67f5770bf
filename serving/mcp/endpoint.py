"""`/mcp`: the protocol over streamable HTTP, without sessions, in front of the official transport.

Requests are checked in this order: host and origin (421, 403), method (405), key (401), accepted and sent
types (406, 415), size (413), and then each message. Batches are those of 2025-03-26.
"""

import contextlib
import logging
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any
from urllib.parse import unquote

import mcp_types as types
import orjson
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers

from serving.api.encodings import IDENTITY, compress, encoding_for
from serving.api.errors import STATUS
from serving.api.header_values import header_value
from serving.api.origins import OriginPolicy
from serving.api.request_ids import HEADER, chosen_id
from serving.concurrency.presence import Presence
from serving.contract.errors import InvalidApiKeyError, LawError
from serving.mcp.callers import IN_SCOPE, McpCaller
from serving.mcp.endpoint_headers import EndpointHeaders
from serving.mcp.exchanges import Caught, Message, Receive, Scope, Send, TooLargeError, read_body, replaying
from serving.mcp.failures import failure_of, protocol_error
from serving.mcp.host_policy import HostPolicy
from serving.mcp.messages import (
    JSON,
    VERSION_HEADER,
    Fault,
    fault_of_headers,
    fault_of_message,
    name_of,
    read_by_transport,
)
from serving.mcp.tool_context import ToolContext
from serving.metering.keys import redacted

MAX_BODY = 2 * 1024 * 1024
"""Bytes of a body: room for a draft of 200,000 characters, however it is escaped."""
MAX_BATCH = 20
"""Messages in a batch."""
_BATCHING = (None, "2025-03-26")
"""Protocol versions whose clients may send batches; None is for clients that do not yet send the version
header."""
_PREFLIGHT = {
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "Accept, Authorization, Content-Type, Last-Event-ID, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Request-Id",
    "access-control-max-age": "86400",
}
"""Headers by which a browser learns what pages of an allowed origin may send."""
_KEY_IN_QUERY = re.compile(r"(?:^|&)api_key(?:[=&]|$)")
"""A key in an address: of a long one to split all parameters off would hold up the other requests."""
_log = logging.getLogger("serving.access")


class McpEndpoint:
    """The ASGI application at `/mcp`.

    Attributes:
        hosts, origins: as given.
        headers: of all its answers.

    Args:
        server: the protocol server that answers the requests.
        services: the services, for keys and ids of snapshots.
        hosts: the host names that are accepted.
        origins: the origins of pages that may call.
        metadata_url: address of the metadata of the protected resource, given to callers without a key.
        offered_scopes: scopes for which agents may ask people, told to callers without a key.
    """

    def __init__(
        self,
        server: Server[Any],
        services: ToolContext,
        hosts: HostPolicy,
        origins: OriginPolicy,
        *,
        metadata_url: str,
        offered_scopes: tuple[str, ...] = (),
    ) -> None:
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MAX_BODY
        )
        self._services = services
        self.hosts = hosts
        self.origins = origins
        self._metadata_url = metadata_url
        self._offered_scopes = offered_scopes
        self.headers = EndpointHeaders(services.public_url, origins, lambda: services.snapshots.current_id)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the transport; requests can be answered inside this context."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request over HTTP."""
        await _Exchange(self, scope, receive, send).answer()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one message on to the transport."""
        await self._manager.handle_request(scope, receive, send)

    @property
    def services(self) -> ToolContext:
        """The services of this process."""
        return self._services

    def fault_of(self, error: LawError, request_id: str) -> tuple[Fault, dict[str, str]]:
        """Return an error for which a request is refused as a whole, and the headers that tell of it too."""
        failure = failure_of(error, None, public_url=self._services.public_url) | {"requestId": request_id}
        told = protocol_error(failure)
        seconds = failure.get("retryAfterSec")
        headers = {} if seconds is None else {"retry-after": str(seconds)}
        return Fault(STATUS.get(error.code, 500), told.code, told.message, data=told.data), headers

    def refused(
        self, error: LawError, request_id: str, asked: Mapping[bytes, str]
    ) -> tuple[bytes, list[tuple[bytes, bytes]]]:
        """Return the answer to a request that the server refuses by itself: its body, and its headers.

        Args:
            error: reason of the refusal.
            request_id: names the request.
            asked: the headers that came of it, in lower case.
        """
        fault, told = self.fault_of(error, request_id)
        headers = [(name.encode(), value.encode()) for name, value in told.items()]
        headers += [(b"content-type", JSON.encode()), *self.headers.of(request_id, asked.get(b"origin"))]
        return fault.body(), headers

    def challenge(self, *, error: str | None = None) -> str:
        """Return the header `WWW-Authenticate` for a key that is missing or invalid.

        Args:
            error: `invalid_token`; None where no key was sent (RFC 6750, 3.1).
        """
        parts = [
            f'resource_metadata="{self._metadata_url}"',
            *([f'error="{error}"'] if error else ()),
            *([f'scope="{" ".join(self._offered_scopes)}"'] if self._offered_scopes else ()),
        ]
        return "Bearer " + ", ".join(parts)


class _Exchange:
    """One request over HTTP and its answer."""

    def __init__(self, endpoint: McpEndpoint, scope: Scope, receive: Receive, send: Send) -> None:
        self._endpoint = endpoint
        self._scope = scope
        self._receive = receive
        self._send = send
        self._headers = Headers(scope=scope)
        self._request_id = chosen_id(self._headers.get(HEADER))
        self._caller: McpCaller | None = None
        self._asked: str | None = None
        self._opening: Message | None = None
        self._started = perf_counter()

    async def answer(self) -> None:
        """Answer the request, or refuse it with the reason."""
        if not self._endpoint.hosts.knows(self._headers.get("host")):
            await self._refuse(421, "This server does not go by that host name; see LAW_MCP_HOSTS.")
        elif not self._endpoint.origins.allows(self._headers.get("origin")):
            await self._refuse(403, "Pages of this origin may not call this server; see LAW_MCP_ORIGINS.")
        elif self._is_preflight():
            await self._finish(204, b"", _PREFLIGHT)
        elif self._scope["method"] != "POST":
            message = "Send JSON-RPC messages by POST; /llms.txt says how to work with this server."
            await self._refuse(405, message, headers={"allow": "POST"})
        else:
            try:
                self._caller = await self._identify()
            except LawError as error:
                await self._refuse_key(error)
                return
            await self._read(self._caller)

    def _is_preflight(self) -> bool:
        asked = {"origin", "access-control-request-method"}
        return self._scope["method"] == "OPTIONS" and asked <= set(self._headers)

    async def _identify(self) -> McpCaller:
        query = unquote(self._scope["query_string"].decode("latin-1"))
        if _KEY_IN_QUERY.search(query) or redacted(query) != query:
            raise InvalidApiKeyError(
                "Keys are not accepted in the address: send `Authorization: Bearer <API_KEY>`, and replace "
                "this key if it is in use."
            )
        scheme, _, key = (self._headers.get("authorization") or "").strip().partition(" ")
        bearer = key.strip() if scheme.lower() == "bearer" else None
        client = self._scope.get("client")
        address = client[0] if client else None
        caller = await self._endpoint.services.billing.gate.identify(bearer, address=address)
        return McpCaller(caller, self._request_id, Presence(self._receive))

    async def _read(self, caller: McpCaller) -> None:
        fault = fault_of_headers(self._headers)
        if fault is not None:
            await self._refuse_fault(fault)
            return
        try:
            body = await read_body(self._receive, most=MAX_BODY)
        except TooLargeError:
            await self._refuse(413, f"A request has at most {MAX_BODY:,} bytes.")
            return
        if body is None:
            return
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            await self._refuse(400, f"The body is not JSON: {error}.", code=types.PARSE_ERROR)
            return
        if isinstance(message, list) and self._headers.get(VERSION_HEADER) in _BATCHING:
            await self._answer_batch(message, caller)
            return
        fault = fault_of_message(message, self._headers)
        if fault is not None:
            await self._refuse_fault(fault)
            return
        self._asked = name_of(message)
        await self._hand_on(body, caller, self._send_marked)

    async def _hand_on(self, body: bytes, caller: McpCaller, send: Send) -> None:
        scope = {**self._scope, IN_SCOPE: caller, "headers": read_by_transport(self._scope["headers"])}
        await self._endpoint.handle(scope, replaying(body, self._receive), send)

    async def _answer_batch(self, messages: list[Any], caller: McpCaller) -> None:
        if not 1 <= len(messages) <= MAX_BATCH:
            await self._refuse(400, f"A batch has 1 to {MAX_BATCH} messages.")
            return
        self._asked = "batch"
        answers: list[bytes] = []
        for message in messages:
            answer = await self._answer_of_batch(message, caller)
            if answer:
                answers.append(answer)
        if answers:
            await self._finish(200, b"[" + b",".join(answers) + b"]")
        else:
            await self._finish(202, b"")

    async def _answer_of_batch(self, message: Any, caller: McpCaller) -> bytes:
        """Return the answer to one message of a batch; empty where it wants none."""
        fault = fault_of_message(message, self._headers)
        if fault is not None:
            return fault.body()
        try:
            body = orjson.dumps(message)
        except orjson.JSONEncodeError:  # it reads deeper nesting than it writes
            return Fault(400, types.PARSE_ERROR, "A message is nested too deeply.").body()
        caught = Caught()
        # What one of them has to say by the status of HTTP is not said of all.
        await self._hand_on(body, replace(caller), caught.send)
        return bytes(caught.body)

    async def _refuse_fault(self, fault: Fault) -> None:
        await self._finish(fault.status, fault.body())

    async def _refuse_key(self, error: LawError) -> None:
        fault, headers = self._endpoint.fault_of(error, self._request_id)
        if fault.status == 401:
            error_code = "invalid_token" if "authorization" in self._headers else None
            headers["www-authenticate"] = self._endpoint.challenge(error=error_code)
        await self._finish(fault.status, fault.body(), headers)

    async def _refuse(
        self,
        status: int,
        message: str,
        *,
        code: int = types.INVALID_REQUEST,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        await self._finish(status, Fault(status, code, message).body(), headers)

    async def _finish(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        fields = {"content-length": str(len(body)), **(headers or {})}
        if body:
            fields["content-type"] = JSON
        raw = [(name.encode(), header_value(value).encode("ascii")) for name, value in fields.items()]
        await self._send_marked({"type": "http.response.start", "status": status, "headers": raw})
        await self._send_marked({"type": "http.response.body", "body": body})

    async def _send_marked(self, message: Message) -> None:
        """Send a message of the answer; its start gets the common headers and, for a bad key, 401.

        The start waits for the body, whose length says whether it is worth compressing.
        """
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *self._marks()]}
            if self._caller is not None and self._caller.refused:
                challenge = self._endpoint.challenge(error="invalid_token")
                message["status"] = 401
                message["headers"].append((b"www-authenticate", challenge.encode()))
            self._opening = message
            return
        opening, self._opening = self._opening, None
        if opening is not None:
            if not message.get("more_body", False):
                opening, message = self._compressed(opening, message)
            self._log(opening["status"])
            await self._send(opening)
        await self._send(message)

    def _compressed(self, opening: Message, message: Message) -> tuple[Message, Message]:
        """Return the two messages of an answer with its body in the encoding that the client prefers."""
        body = message.get("body", b"")
        encoding = encoding_for(self._headers.get("accept-encoding"), len(body))
        if encoding == IDENTITY:
            return opening, message
        body = compress(body, encoding)
        headers = [one for one in opening["headers"] if one[0].lower() != b"content-length"]
        headers += [(b"content-length", b"%d" % len(body)), (b"content-encoding", encoding.encode())]
        return {**opening, "headers": headers}, {**message, "body": body}

    def _marks(self) -> list[tuple[bytes, bytes]]:
        return self._endpoint.headers.of(self._request_id, self._headers.get("origin"))

    def _log(self, status: int) -> None:
        if not _log.isEnabledFor(logging.INFO):
            return
        client = self._scope.get("client")
        _log.info(
            "request",
            extra={
                "request_id": self._request_id,
                "method": self._scope["method"],
                "path": self._scope["path"],
                "asked": self._asked,
                "status": status,
                "ms": round((perf_counter() - self._started) * 1000, 2),
                "client": client[0] if client else None,
                "account": self._caller.identity.account_id if self._caller else None,
                "cost": self._caller.cost if self._caller else None,
            },
        )

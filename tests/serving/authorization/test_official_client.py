"""The official client connects by itself: discovery, registration, consent, tokens, and their renewal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from serving.metering.keys import SCOPES, digest
from tests.serving.authorization.agents import allow, answer_of
from tests.serving.mcp.wire import said
from tests.serving.pages.people import Person
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
CALLBACK = "http://127.0.0.1:43117/callback"


class Memory:
    """Where the client keeps what it was given."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Holder:
    """An account holder: opens what the client asks to have opened, and allows it."""

    def __init__(self, person: Person, scopes: tuple[str, ...] = SCOPES) -> None:
        self.person = person
        self.scopes = scopes
        self.asked = 0
        self._answer: dict[str, str] = {}

    async def open(self, address: str) -> None:
        self.asked += 1
        self._answer = answer_of(allow(self.person, address, scopes=self.scopes))

    async def come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**self._answer)


class Connecting:
    """The client with its provider of tokens."""

    def __init__(self, server: Server, holder: Holder, memory: Memory) -> None:
        self.url = f"{server.url}/mcp"
        self.provider = OAuthClientProvider(
            server_url=self.url,
            client_metadata=OAuthClientMetadata(
                redirect_uris=[AnyUrl(CALLBACK)], client_name="Official client"
            ),
            storage=memory,
            redirect_handler=holder.open,
            callback_handler=holder.come_back,
        )

    @asynccontextmanager
    async def client(self, mode: str = "auto") -> AsyncIterator[Client]:
        async with (
            httpx2.AsyncClient(auth=self.provider, timeout=30) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
        ):
            yield client


@pytest.mark.parametrize("mode", ["auto", "2026-07-28", "legacy"])
def test_it_connects_by_itself_and_is_metered(server, person, mode):
    holder, memory = Holder(person), Memory()

    async def scenario() -> None:
        async with Connecting(server, holder, memory).client(mode) as client:
            status = await client.call_tool("account_status", {})
            assert not status.is_error, status
            account = said(status.model_dump(by_alias=True, exclude_none=True))
            assert account["creditsRemaining"] == 999
            assert account["scopes"] == list(SCOPES)
            assert memory.tokens is not None
            assert memory.tokens.access_token.startswith(account["keyPrefix"])
            found = await client.call_tool("search_law", {"query": "fair use", "limit": 1})
            assert not found.is_error, found

    asyncio.run(scenario())
    assert holder.asked == 1
    assert "Official client" in person.get().text


def test_it_comes_back_with_the_tokens_that_it_kept(server, person):
    holder, memory = Holder(person), Memory()

    async def scenario() -> None:
        for _ in range(2):
            async with Connecting(server, holder, memory).client() as client:
                assert not (await client.call_tool("account_status", {})).is_error

    asyncio.run(scenario())
    assert holder.asked == 1


def test_it_renews_a_token_that_it_knows_to_have_expired(server, person):
    holder, memory = Holder(person, scopes=("search", "node")), Memory()
    connecting = Connecting(server, holder, memory)

    async def scenario() -> None:
        async with connecting.client() as client:
            await client.call_tool("account_status", {})
            assert memory.tokens is not None
            before = memory.tokens.access_token
            connecting.provider.context.token_expiry_time = 1.0
            status = await client.call_tool("account_status", {})
            assert said(status.model_dump(by_alias=True, exclude_none=True))["scopes"] == ["search", "node"]
            assert memory.tokens.access_token != before

    asyncio.run(scenario())
    assert holder.asked == 1


def test_it_asks_again_when_its_token_is_refused(server, books, person):
    """As after the holder disconnected it: each call is answered 401, from whatever process remembers the token."""
    holder, memory = Holder(person), Memory()

    async def scenario() -> None:
        async with Connecting(server, holder, memory).client() as client:
            await client.call_tool("account_status", {})
            assert memory.tokens is not None
            key = books.accounts.find_key(digest(memory.tokens.access_token))
            assert key is not None
            books.accounts.revoke_key(key.account_id, key.key_id)
            assert not (await client.call_tool("account_status", {})).is_error

    asyncio.run(scenario())
    assert holder.asked == 2

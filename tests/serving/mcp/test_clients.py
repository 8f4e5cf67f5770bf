"""The official client, over HTTP in both eras and over stdio, runs every tool and checks every answer's schema."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent, TextResourceContents

from serving.mcp.__main__ import main
from serving.mcp.toolbox import TOOLS
from tests.serving.mcp.test_tools import CALLS
from tests.serving.servers import CHECKOUT

pytestmark = pytest.mark.e2e
PROMPTS = ["cite_provision", "zoning_memo"]


async def use_everything(client: Client) -> None:
    """Every tool, resource and prompt; the client itself holds answers against the tools' schemas."""
    assert [tool.name for tool in (await client.list_tools()).tools] == [tool.name for tool in TOOLS]
    for name, arguments in CALLS.items():
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result
        assert result.structured_content
    failed = await client.call_tool("get_law_node", {"citation": "1 S.F.C. § 99"})
    assert failed.is_error
    assert failed.structured_content["error"]["code"] == "not_found"
    found = await client.call_tool("search_law", {"query": "fair use", "limit": 1})
    node = found.structured_content["results"][0]
    read = await client.read_resource(f"law://{node['nodeId']}")
    content = read.contents[0]
    assert isinstance(content, TextResourceContents)
    assert node["citation"] in content.text
    assert [prompt.name for prompt in (await client.list_prompts()).prompts] == PROMPTS
    prompt = await client.get_prompt("cite_provision", {"point": "fair use"})
    asked = prompt.messages[0].content
    assert isinstance(asked, TextContent)
    assert "fair use" in asked.text
    (template,) = (await client.list_resource_templates()).resource_templates
    assert template.uri_template.startswith("law://{nodeId}")


@asynccontextmanager
async def over_http(url: str, key: str, mode: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["auto", "2026-07-28", "legacy"])
def test_the_official_client_works_over_http(server, books, customer, mode):
    async def scenario() -> None:
        async with over_http(server.url, customer.key, mode) as client:
            await use_everything(client)

    asyncio.run(scenario())
    assert books.balance(customer.account_id) == 1_000 - len(CALLS) - 2, "the failure was free"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_works_over_stdio(stdio_command, books, customer, mode):
    command, arguments, environment = stdio_command
    parameters = StdioServerParameters(
        command=command, args=arguments, env=environment | {"LAW_KEY": customer.key}, cwd=CHECKOUT
    )

    async def scenario() -> None:
        async with Client(parameters, mode=mode, read_timeout_seconds=60) as client:
            await use_everything(client)

    asyncio.run(scenario())
    assert books.balance(customer.account_id) == 1_000 - len(CALLS) - 2, "stdio meters alike"


def test_stdio_needs_a_key(monkeypatch, capsys):
    monkeypatch.delenv("LAW_KEY", raising=False)
    assert main() == 2
    said = capsys.readouterr()
    assert (said.out, "LAW_KEY" in said.err) == ("", True)

"""The official client, over HTTP in both eras and over stdio, runs every tool and checks every answer's schema."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.extension import advertise
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent, TextResourceContents

from serving.mcp.__main__ import main
from serving.mcp.results import STRUCTURED
from serving.mcp.toolbox import TOOLS
from serving.snapshot.pointer import list_snapshots
from tests.serving.mcp.test_tools import CALLS
from tests.serving.mcp.wire import said
from tests.serving.servers import CHECKOUT

pytestmark = pytest.mark.e2e
PROMPTS = ["cite_provision", "zoning_memo"]


def text_of(result: CallToolResult) -> dict[str, Any]:
    return said(result.model_dump(by_alias=True, exclude_none=True))


def structure_of(result: CallToolResult) -> dict[str, Any]:
    assert result.content == []
    content: dict[str, Any] = result.structured_content
    return content


async def use_everything(
    client: Client, content_of: Callable[[CallToolResult], dict[str, Any]] = text_of
) -> None:
    """Every tool, resource and prompt; the client itself holds structured content against the tools' schemas."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
    assert {tool.output_schema is not None for tool in tools} == {content_of is structure_of}
    for name, arguments in CALLS.items():
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result
        assert "credits" in content_of(result)
    failed = await client.call_tool("get_law_node", {"citation": "1 S.F.C. § 99"})
    assert failed.is_error
    assert content_of(failed)["error"]["code"] == "not_found"
    found = await client.call_tool("search_law", {"query": "fair use", "limit": 1})
    node = content_of(found)["results"][0]
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
async def over_http(url: str, key: str, mode: str, *extensions: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(
            streamable_http_client(f"{url}/mcp", http_client=http),
            mode=mode,
            extensions=[advertise(one) for one in extensions],
        ) as client,
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


def test_the_official_client_may_ask_for_structured_content(server, books, customer):
    async def scenario() -> None:
        async with over_http(server.url, customer.key, "auto", STRUCTURED) as client:
            await use_everything(client, structure_of)
        async with over_http(server.url, customer.key, "legacy", STRUCTURED) as client:
            # What an older client declares at its handshake, a server without sessions has forgotten.
            await use_everything(client)

    asyncio.run(scenario())
    assert books.balance(customer.account_id) == 1_000 - 2 * (len(CALLS) + 2)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_stdio_both_eras_may_ask_for_structured_content(stdio_command, customer, mode):
    command, arguments, environment = stdio_command
    parameters = StdioServerParameters(
        command=command, args=arguments, env=environment | {"LAW_KEY": customer.key}, cwd=CHECKOUT
    )

    async def scenario() -> None:
        async with Client(
            parameters, mode=mode, read_timeout_seconds=60, extensions=[advertise(STRUCTURED)]
        ) as client:
            await use_everything(client, structure_of)

    asyncio.run(scenario())


def let_go(pointer: Path, content: bytes) -> None:
    """Write into the pipe that is read, and put a file in its place for whoever reads after."""
    with pointer.open("wb") as pipe:
        file = pointer.with_suffix(".new")
        file.write_bytes(content)
        file.replace(pointer)
        pipe.write(content)


def test_stdio_answers_the_handshake_before_the_law_is_loaded(
    stdio_command, snapshots_folder, customer, tmp_path
):
    """The snapshot's first file is a pipe: opening it waits until the test writes, after the handshake."""
    command, arguments, environment = stdio_command
    folder = tmp_path / "snapshots"
    folder.mkdir()
    pointer = folder / "current.json"
    os.mkfifo(pointer)
    parameters = StdioServerParameters(
        command=command,
        args=arguments,
        env=environment | {"LAW_KEY": customer.key, "LAW_SNAPSHOTS": str(folder)},
        cwd=CHECKOUT,
    )
    (current,) = list_snapshots(snapshots_folder)
    (folder / current).symlink_to(snapshots_folder / current)

    async def scenario() -> None:
        async with Client(parameters, mode="legacy", read_timeout_seconds=60) as client:
            assert client.instructions
            assert len((await client.list_tools()).tools) == len(TOOLS)
            asked = asyncio.create_task(client.call_tool("search_law", {"query": "fair use"}))
            await asyncio.sleep(0.2)
            assert not asked.done()
            await asyncio.to_thread(let_go, pointer, (snapshots_folder / "current.json").read_bytes())
            assert not (await asked).is_error

    asyncio.run(scenario())


def test_stdio_needs_a_key(monkeypatch, capsys):
    monkeypatch.delenv("LAW_KEY", raising=False)
    assert main() == 2
    said = capsys.readouterr()
    assert (said.out, "LAW_KEY" in said.err) == ("", True)

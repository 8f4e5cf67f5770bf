"""Resources of MCP: provisions, read in pages, and the coverage."""

from collections.abc import Awaitable, Callable

import orjson
from mcp_types import Resource, ResourceTemplate, TextResourceContents

from serving.api.operations import COVERAGE as COVERAGE_OPERATION
from serving.api.operations import NODE
from serving.contract.answers import NodeBody
from serving.mcp.callers import McpCaller
from serving.mcp.links import COVERAGE, MIME, TEMPLATE, Address, read_uri, uri_of
from serving.mcp.pages import cut_page, require_within
from serving.mcp.tool import ANSWERS
from serving.mcp.tool_context import ToolContext
from serving.mcp.tools.coverage import ListCoverage, coverage_answer
from serving.mcp.untrusted import NOTICE, shown
from serving.metering.gate import Operation
from serving.services.nodes import find_node, reservations
from serving.snapshot.store import Snapshot

PAGE = 40_000
"""Most characters, and most bytes, of a provision's text in one reading."""
LISTED = (
    Resource(
        uri=COVERAGE,
        name="coverage",
        title="What is covered",
        description="Jurisdictions and codes that are held here, and what is known to be missing.",
        mime_type="application/json",
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template=TEMPLATE,
        name="provision",
        title="A provision of law",
        description="Citation, heading, place and text of one provision; long texts in pages by `offset`.",
        mime_type=MIME,
    ),
)

Read = Callable[[ToolContext, McpCaller], Awaitable[TextResourceContents]]


def read_resource(uri: str) -> tuple[Operation, Read]:
    """Return the operation as which reading a resource is metered, and the function that reads it."""
    if uri == COVERAGE:
        return COVERAGE_OPERATION, _read_coverage

    async def read(services: ToolContext, caller: McpCaller) -> TextResourceContents:
        address = read_uri(uri)
        with await services.lease(address.snapshot) as snapshot:
            return await services.run(caller, lambda: _provision(snapshot, address))

    return NODE, read


async def _read_coverage(services: ToolContext, caller: McpCaller) -> TextResourceContents:
    del caller
    with await services.lease(None) as snapshot:
        content = ANSWERS.plain(coverage_answer(snapshot, ListCoverage())) | {"snapshot": snapshot.id}
    return TextResourceContents(
        uri=COVERAGE, mime_type="application/json", text=orjson.dumps(content).decode()
    )


def _provision(snapshot: Snapshot, address: Address) -> TextResourceContents:
    row = find_node(snapshot, address.node_id)
    stored: NodeBody = orjson.loads(snapshot.nodes.body(row).plain)
    text = stored["text"]
    require_within(address.offset, len(text))
    page = cut_page(text, address.offset, characters=PAGE, most_bytes=PAGE)
    current = stored["currentThrough"] or "not said by the source"
    lines = [
        f"{stored['citation']} — {shown(stored['heading'])}",
        " > ".join([stored["codeBody"]["name"], *map(shown, stored["breadcrumb"])]),
        f"Status: {stored['status']}. Current through: {current}. Snapshot: {snapshot.id}.",
        *(f"{shown(said)}." for said in reservations(stored)),
        f"Characters {page.start} to {page.end} of {len(text)}. {NOTICE}",
    ]
    if page.next is not None:
        following = uri_of(stored["id"], offset=page.next, snapshot=address.snapshot)
        lines.append(f"The text goes on at {following}")
    return TextResourceContents(
        uri=uri_of(stored["id"], offset=address.offset, snapshot=address.snapshot),
        mime_type=MIME,
        text="\n".join(lines) + "\n\n" + shown(text[page.start : page.end]),
    )

"""A tool: what clients are shown of it, what it is metered as, and what it does."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from mcp_types import ResourceLink, ToolAnnotations
from mcp_types import Tool as ListedTool

from serving.mcp.charging import MeteredCall
from serving.mcp.schemas import Schema, input_schema, output_schema
from serving.mcp.tool_context import ToolContext
from serving.metering.gate import Operation

_Content = TypeVar("_Content", bound=Schema)
MAX_BYTES = 26_000
"""Of an answer as JSON. It goes out twice, structured and as text: together below 25,000 tokens even where
ids and figures make more tokens than words do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers.

    Attributes:
        content: the structured answer.
        links: resources that it names.
    """

    content: Schema
    links: Sequence[ResourceLink] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: as it is listed. Clients and the models behind them take letters, figures, `_` and `-`; names
            with dots make some refuse all tools of a server.
        aliases: accepted as well.
        summary: one sentence.
        guidance: when to call it, and what its answers mean.
        arguments: shape of its arguments.
        answer: shape of its answers.
        operation: what it is metered as.
        run: does it, within its charge.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    summary: str
    guidance: str
    arguments: type[Schema]
    answer: type[Schema]
    operation: Operation
    run: Callable[[ToolContext, MeteredCall, Any], Awaitable[Answer]]
    price: str | None = None

    def listed(self) -> ListedTool:
        """Return the tool as `tools/list` shows it."""
        cost = self.operation.cost
        price = self.price or f"{cost} credit{'' if cost == 1 else 's'}"
        scopes = " or ".join(f"`{scope}`" for scope in self.operation.scopes)
        return ListedTool(
            name=self.name,
            title=self.title,
            description=f"{self.summary} {self.guidance}\n\nAlso accepted as {', '.join(self.aliases)}. "
            f"Costs {price}; failures cost nothing. Key scope: {scopes}.",
            input_schema=input_schema(self.arguments),
            output_schema=output_schema(self.answer),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=True,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )


def size(content: Schema) -> int:
    """Return the bytes of an answer as JSON."""
    return len(content.model_dump_json(exclude_none=True).encode())


def fitting(make: Callable[[int], _Content], limits: Sequence[int]) -> _Content:
    """Return the first answer that is small enough, of those made with each limit; the last if none is."""
    for limit in limits[:-1]:
        content = make(limit)
        if size(content) <= MAX_BYTES:
            return content
    return make(limits[-1])

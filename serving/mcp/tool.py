"""A tool of the MCP server: its description for clients, its price, and the function that runs it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations

from serving.api.rendering import Renderer
from serving.mcp.charging import MeteredCall
from serving.mcp.schemas import Schema, input_schema, output_schema
from serving.mcp.tool_context import ToolContext
from serving.mcp.untrusted import shown
from serving.metering.gate import Operation

_Content = TypeVar("_Content")
ANSWERS = Renderer(short=True, text=shown)
"""The renderer of what tools answer."""
DETAILED = Renderer(short=True, details=True, text=shown)
"""The renderer of answers for callers who ask for details."""
USUAL_PRICE = "1 credit"
"""Price that the instructions tell once, for all tools that say nothing else."""
MAX_BYTES = 26_000
"""Greatest size of an answer as JSON, in bytes: below 25,000 tokens, though ids and figures make more tokens
than words do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a tool.

    Attributes:
        content: the record of the answer.
        snapshot: id of the snapshot that was read, if any.
        with_details: the caller asked for the fields that short answers leave out.
    """

    content: Any
    snapshot: str | None = None
    with_details: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        plain = (DETAILED if self.with_details else ANSWERS).plain(self.content)
        return plain if self.snapshot is None else plain | {"snapshot": self.snapshot}


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
        answer: type of the records that it answers with.
        renamed: its arguments that have another name than the API's parameter, by that of the parameter.
        quotes_law: its answers hold text of the law.
        operation: the operation as which it is charged.
        run: runs the tool; it is given the charge of the call.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    summary: str
    guidance: str
    arguments: type[Schema]
    answer: type
    operation: Operation
    run: Callable[[ToolContext, MeteredCall, Any], Awaitable[Answer]]
    renamed: Mapping[str, str] = field(default_factory=dict)
    quotes_law: bool = False

    @property
    def _description(self) -> str:
        said = f"{self.summary} {self.guidance}"
        return said if self.operation.price == USUAL_PRICE else f"{said} Costs {self.operation.price}."

    def listed(self, *, with_answer: bool = False) -> ListedTool:
        """Return the tool as `tools/list` shows it, with or without the schema of its answers."""
        return ListedTool(
            name=self.name,
            title=self.title,
            description=self._description,
            input_schema=input_schema(self.arguments),
            output_schema=output_schema(self.answer, ANSWERS) if with_answer else None,
            annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
        )


def size(content: Any, kind: type | None = None, *, with_details: bool = False) -> int:
    """Return the size of an answer, or of a part, as JSON, in bytes."""
    return len((DETAILED if with_details else ANSWERS).json(content, kind))


def fitting(
    make: Callable[[int], _Content], limits: Sequence[int], *, with_details: bool = False
) -> _Content:
    """Return the first answer of at most `MAX_BYTES`, trying the limits in order; else the last one."""
    for limit in limits[:-1]:
        content = make(limit)
        if size(content, with_details=with_details) <= MAX_BYTES:
            return content
    return make(limits[-1])

"""Arguments of tools as typed records, and the JSON schemas of arguments and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin

import pydantic
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from serving.api.faulty import Faulty
from serving.api.rendering import Renderer, is_record, without_none
from serving.contract.errors import ValidationError
from serving.mcp.faults import refusal

_MOST_PROBLEMS = 1_000
"""Most faults of one call that are examined to choose the one to report."""


class Schema(BaseModel):
    """Arguments, whose names are in camel case in JSON; unknown ones are refused."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )


_UNTOLD = {"title", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"}
"""Keys that a schema of arguments leaves out: nobody chooses an argument by them but those that a description
tells, and a fault is told."""
_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number"}
"""Names of types in JSON Schema."""
_COMMON = {"error": {"type": "object"}}
"""Fields that the answers of all tools may have and that a client looks for."""
_Arguments = TypeVar("_Arguments", bound=Schema)


@dataclass(frozen=True, slots=True)
class _Misread:
    """An item as it was given, and the error of its validation, in which its place is missing."""

    given: Any
    error: pydantic.ValidationError


def _or_misread(given: Any, read: pydantic.ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(given)
    except pydantic.ValidationError as error:
        return _Misread(given, error)


FAULTY = pydantic.WrapValidator(_or_misread)
"""Reads an item of a list, which `read_arguments` gives as `Faulty` where it is wrong."""


def read_arguments(shape: type[_Arguments], given: Mapping[str, Any]) -> _Arguments:
    """Check the arguments of a call; those that are null count as left out.

    Raises:
        ValidationError: one is unknown, missing or out of bounds; the message names it.
    """
    try:
        read = shape.model_validate({name: value for name, value in given.items() if value is not None})
    except pydantic.ValidationError as error:
        if error.error_count() > _MOST_PROBLEMS:
            raise ValidationError(f"The arguments have {error.error_count():,} faults.") from None
        raise refusal(shape, error) from None
    for name, field in shape.model_fields.items():
        values = getattr(read, name)
        if isinstance(values, list):
            values[:] = [_placed(shape, str(field.alias), index, one) for index, one in enumerate(values)]
    return read


def _placed(shape: type[Schema], name: str, index: int, item: Any) -> Any:
    """Return an item of the argument of a name, as `Faulty` where it was misread."""
    if not isinstance(item, _Misread):
        return item
    return Faulty(item.given, refusal(shape, item.error, (name, index)).message)


@cache
def input_schema(shape: type[Schema]) -> dict[str, Any]:
    """Return the schema of arguments, without references: not all hosts support all of JSON Schema."""
    schema = shape.model_json_schema()
    definitions = schema.pop("$defs", {})
    flat: dict[str, Any] = _plain(schema, definitions)
    flat.pop("description", None)  # that of the record, not of the tool
    return flat


def output_schema(answer: type, renderer: Renderer) -> dict[str, Any]:
    """Return the schema of a tool's structured content: the names and types of its fields.

    It says no more, because who asks for it may put it before a model with every list. No field is required:
    where a call fails there is only `error`.
    """
    return {"type": "object", "properties": {**_properties(answer, renderer), **_COMMON}}


def _properties(record: type, renderer: Renderer) -> dict[str, Any]:
    return {field.name: _of_kind(field.kind, renderer) for field in renderer.chosen(record)}


def _of_kind(kind: Any, renderer: Renderer) -> dict[str, Any]:
    """Return the schema of a field's values."""
    kind = without_none(kind)
    origin = get_origin(kind)
    if is_record(kind):
        return {"type": "object"}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        items = get_args(kind)[0]
        if not is_record(items):
            return {"type": "array"}
        fields = renderer.chosen(items)
        return {
            "type": "array",
            "items": {"properties": {field.name: {} for field in fields}},
        }
    if origin is Literal or issubclass(kind, Enum):
        return {"type": "string"}
    return {"type": _NAMES[kind]}


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a part of a schema with its references resolved, and without nulls and empty defaults."""
    if isinstance(node, list):
        return [_plain(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        own = {key: value for key, value in node.items() if key != "$ref"}
        # Its description is that of the record, for those who maintain it.
        record = {key: value for key, value in definitions[name].items() if key != "description"}
        return _plain({**record, **own}, definitions)
    if "anyOf" in node:
        (one,) = [choice for choice in node["anyOf"] if choice != {"type": "null"}]
        rest = {key: value for key, value in node.items() if key != "anyOf"}
        return _plain({**one, **rest}, definitions)
    return {
        key: {name: _plain(one, definitions) for name, one in value.items()}
        if key == "properties"
        else _plain(value, definitions)
        for key, value in node.items()
        if not (key in _UNTOLD or (key == "default" and not value))
    }

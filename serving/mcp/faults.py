"""Faults of arguments as sentences: which argument is wrong, and what it should be.

The words are those of the schema, and not of the library that holds arguments against it.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import pydantic

from serving.api import expectations
from serving.contract.errors import ValidationError

Place = tuple[str | int, ...]
"""Names and indices that lead to a value among the arguments."""
_NAME = 80
"""Characters of a wrong name that are reported, and compared with the right ones."""
_UNKNOWN, _MISSING, _OURS, _NO_TEXT = "extra_forbidden", "missing", "value_error", "string_unicode"
"""Kinds of problems, by pydantic's names."""
_PARAMETER = re.compile(r"^Parameter(s?)(?= `)")


def refusal(
    shape: type[pydantic.BaseModel], error: pydantic.ValidationError, at: Place = ()
) -> ValidationError:
    """Return the error that tells the fault to correct first.

    Args:
        shape: of the arguments.
        error: what their validation, or that of the part at a place, has found.
        at: the place.
    """
    problems = error.errors(include_url=False)
    # A name that is not known explains a missing one, and is told first.
    problem = min(problems, key=lambda one: one["type"] != _UNKNOWN)
    place = (*at, *problem["loc"])
    name = written(place)[:_NAME] or "arguments"
    schema = shape.model_json_schema()
    if problem["type"] == _UNKNOWN:
        known = list(_node(schema, place[:-1]).get("properties", ()))
        near = get_close_matches(str(place[-1])[:_NAME], known, n=1, cutoff=0.5)
        owner = f"`{written(place[:-1])}`" if len(place) > 1 else "this tool"
        hint = f"did you mean `{near[0]}`?" if near else f"{owner} takes {', '.join(known) or 'none'}."
        return ValidationError(f"Unknown argument `{name}`: {hint}", parameter=name)
    if problem["type"] == _MISSING:
        return ValidationError(f"Argument `{name}` is required.", parameter=name)
    if problem["type"] == _OURS:
        said = str(problem["ctx"]["error"])
    elif problem["type"] == _NO_TEXT:
        said = "must be Unicode without lone surrogates"
    else:
        said = _expected(_node(schema, place), problem["input"])
    return ValidationError(f"Argument `{name}` {said}.", parameter=name)


def in_words_of_tools(error: ValidationError, renamed: Mapping[str, str]) -> ValidationError:
    """Return a fault that a service found, with the argument called as the tool calls it.

    Args:
        error: the fault, in the words of the API.
        renamed: names of arguments by those of the API's parameters, where they differ.
    """
    message = _PARAMETER.sub(r"Argument\1", error.message, count=1)
    if error.parameter is None or error.parameter not in renamed:
        return ValidationError(message, parameter=error.parameter)
    name = renamed[error.parameter]
    # Once: what the caller wrote, which a message may repeat, stays as it was written.
    return ValidationError(message.replace(f"`{error.parameter}`", f"`{name}`", 1), parameter=name)


def misplaced(error: pydantic.ValidationError, method: str) -> ValidationError:
    """Return the error that says which parameter of a method of the protocol is missing or wrong."""
    (first, *_) = error.errors(include_url=False)
    name = written(first["loc"])[:_NAME] or "params"
    return ValidationError(f"`{name}` is missing or not what {method} takes.", parameter=name)


def written(place: Sequence[str | int]) -> str:
    """Return a place as it is written in a message: `quotes[2].citation`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(steps).removeprefix(".")


def _expected(node: Mapping[str, Any], given: Any) -> str:
    """Return what a value with a schema should be."""
    kind = node.get("type")
    if "enum" in node:
        return expectations.one_of(node["enum"])
    if kind == "array":
        return expectations.items(node["minItems"], node["maxItems"])
    if kind == "boolean":
        return expectations.BOOLEAN
    if kind == "integer":
        return expectations.whole_number(node["minimum"], node.get("maximum"))
    if node.get("format") == "uuid":
        return expectations.UUID
    if kind == "string" and isinstance(given, str):
        return expectations.characters(node.get("minLength", 0), node.get("maxLength"))
    return expectations.STRING if kind == "string" else expectations.record(node["properties"])


def _node(schema: Mapping[str, Any], place: Place) -> Mapping[str, Any]:
    """Return the schema of the value at a place."""
    node = schema
    for step in place:
        node = node["items"] if isinstance(step, int) else node["properties"][step]
        for choice in node.get("anyOf", ()):
            node = node if choice == {"type": "null"} else choice
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return node

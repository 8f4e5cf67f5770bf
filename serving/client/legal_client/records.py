"""Parser of JSON into records: each field is read from the member of its name in camel case."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from legal_client.errors import MalformedAnswerError

Record = TypeVar("Record")


def read(kind: type[Record], body: object, **known: object) -> Record:
    """Make a record of a JSON object.

    A member that is absent becomes None where the field may be None, and empty where it is a tuple: a service
    of an older version may not have it.

    Args:
        kind: a dataclass.
        body: the JSON object.
        known: values of fields that do not come from it.

    Raises:
        MalformedAnswerError: it is no object, or a member is missing or of another type.
    """
    if not isinstance(body, Mapping):
        raise MalformedAnswerError(f"The answer holds {type(body).__name__} where {kind.__name__} should be.")
    values = {
        field: _value(hint, body.get(member), f"{kind.__name__}.{member}")
        for field, member, hint in _members(kind)  # type: ignore[arg-type]  # a class is hashable
        if field not in known
    }
    return kind(**values, **known)


@lru_cache(maxsize=256)
def _members(kind: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    """Give field, member and type of each field of a dataclass."""
    hints = get_type_hints(kind)
    return tuple((field.name, _camel(field.name), hints[field.name]) for field in fields(kind))


def _camel(name: str) -> str:
    # `from` is a word of Python: the field has an underscore behind it.
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name.removesuffix("_"))


def _value(hint: Any, value: object, where: str) -> Any:
    if isinstance(hint, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        if value is None and NoneType in get_args(hint):
            return None
        return value if type(value) in kinds else _value(kinds[0], value, where)
    if get_origin(hint) is tuple:
        if not isinstance(value, list | NoneType):
            raise _malformed(where, value)
        return tuple(_value(get_args(hint)[0], one, where) for one in value or ())
    if get_origin(hint) is Mapping and isinstance(value, dict):
        return {key: _value(get_args(hint)[1], one, where) for key, one in value.items()}
    if is_dataclass(hint):
        return read(hint, value)  # type: ignore[arg-type]  # a hint that is a dataclass is one's type
    wanted = get_origin(hint) or hint
    if wanted is float and type(value) is int:
        return float(value)
    if hint is not Any and (not isinstance(value, wanted) or (wanted is int and isinstance(value, bool))):
        raise _malformed(where, value)
    return value


def _malformed(where: str, value: object) -> MalformedAnswerError:
    return MalformedAnswerError(f"The answer's {where} is {type(value).__name__}, which it should not be.")

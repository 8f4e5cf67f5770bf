"""Answers as JSON: the one renderer of the records of services and of ready answers, for every door.

The fields of a type of record are looked up once.
"""

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from enum import Enum
from itertools import count
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import orjson

from serving.contract.answers import DETAIL, PRIVATE, Default

_SCALARS = (str, int, float, bool)
_Write = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an answer.

    Attributes:
        attribute: its name in the record.
        name: its name in JSON.
        kind: its type.
        default: the value that says nothing; MISSING where there is none.
        is_detail: short answers leave it out.
    """

    attribute: str
    name: str
    kind: Any
    default: Any
    is_detail: bool


def fields_of(record: type) -> tuple[Field, ...]:
    """Return the fields of the answers that a type of record describes, in their order."""
    defaults = _defaults(record)
    fields = []
    for attribute, hint in get_type_hints(record, include_extras=True).items():
        kind, marks = _unmarked(hint)
        if PRIVATE in marks:
            continue
        if is_typeddict(record) and attribute in record.__optional_keys__:  # type: ignore[attr-defined]  # a TypedDict has them
            kind = kind | None
        name = attribute if is_typeddict(record) else _camel(attribute)
        own = defaults.get(attribute, MISSING)
        default = next((mark.value for mark in marks if isinstance(mark, Default)), own)
        fields.append(Field(attribute, name, kind, default, DETAIL in marks))
    return tuple(fields)


def is_record(kind: Any) -> bool:
    """Return whether a type describes answers."""
    return dataclasses.is_dataclass(kind) or is_typeddict(kind) or hasattr(kind, "_field_defaults")


def accepts_none(kind: Any) -> bool:
    """Return whether None is a value of a type."""
    return types.NoneType in get_args(kind)


def without_none(kind: Any) -> Any:
    """Return the type of the values that are not None.

    Raises:
        TypeError: there are several, and no answer has such a field.
    """
    if get_origin(kind) not in (Union, types.UnionType):
        return kind
    one, *more = [part for part in get_args(kind) if part is not types.NoneType]
    if more:
        raise TypeError(f"{kind} is no type of a field of an answer")
    return one


class Renderer:
    """Writes records as JSON values.

    Args:
        short: leave out details, and fields that are None or have their default value.
        details: write details in short answers all the same.
        text: what is done to every string.
    """

    def __init__(
        self, *, short: bool = False, details: bool = False, text: Callable[[str], str] | None = None
    ) -> None:
        self._short = short
        self._details = details or not short
        self._text = text
        self._writers: dict[type, _Write] = {}

    def plain(self, record: Any, kind: type | None = None) -> dict[str, Any]:
        """Return an answer as JSON values; a dictionary needs the type that describes it."""
        kind = kind or type(record)
        write = self._writers.get(kind)
        if write is None:
            write = self._writers[kind] = self._compiled(kind)
        values: dict[str, Any] = write(record)
        return values

    def json(self, record: Any, kind: type | None = None) -> bytes:
        """Return an answer as JSON."""
        return orjson.dumps(self.plain(record, kind))

    def _compiled(self, record: type) -> _Write:
        """Return the function that writes records of a type.

        It is compiled, as dataclasses compile their methods: searches write some hundred records each, and
        one that looks at each field in turn took 0.8 ms for a hundred results in place of 0.1.
        """
        source = _Source(self, self._text)
        text = f"lambda value: {source.of_record(record, 'value')}"
        write: _Write = eval(text, source.scope)  # noqa: S307 (made of the names of our fields alone)
        return write

    def chosen(self, record: type) -> tuple[Field, ...]:
        """Return the fields of a type that this renderer writes."""
        return tuple(field for field in fields_of(record) if self._details or not field.is_detail)

    @property
    def is_short(self) -> bool:
        """Return whether fields that say nothing are left out."""
        return self._short


class _Source:
    """Source text of the function that writes the records of one type."""

    def __init__(self, renderer: Renderer, text: Callable[[str], str] | None) -> None:
        self._renderer = renderer
        self._within: list[type] = []
        self._has_text = text is not None
        self._names = (f"_{number}" for number in count())
        self.scope: dict[str, Any] = {"_plain": renderer.plain, "_text": text}

    def of_record(self, record: type, value: str) -> str:
        """Return the expression that writes a record."""
        if is_typeddict(record) and not self._renderer.is_short:
            return value
        read = "{}.get({!r})" if is_typeddict(record) else "{}.{}"
        self._within.append(record)
        parts = [
            (field, self._of_kind(field.kind, read.format(value, field.attribute)))
            for field in self._renderer.chosen(record)
        ]
        self._within.pop()
        if not self._renderer.is_short:
            return "{" + ", ".join(f"{field.name!r}: {part}" for field, part in parts) + "}"
        name, one, default = next(self._names), next(self._names), next(self._names)
        rows = "".join(f"({field.name!r}, {part}, {self._default(field)}), " for field, part in parts)
        kept = f"if {one} is not None and {one} != {default}"
        return f"{{{name}: {one} for {name}, {one}, {default} in ({rows}) {kept}}}"

    def _default(self, field: Field) -> str:
        default = [] if field.default == () else field.default
        return self._bound(default)

    def _bound(self, value: Any) -> str:
        name = next(self._names)
        self.scope[name] = value
        return name

    def _of_kind(self, kind: Any, value: str) -> str:
        """Return the expression that writes a value of a type."""
        kind, _ = _unmarked(kind)
        if accepts_none(kind):
            part = self._of_kind(without_none(kind), value)
            return part if part == value else f"None if {value} is None else {part}"
        origin, arguments = get_origin(kind), get_args(kind)
        if is_record(kind):
            if kind in self._within:  # it contains itself
                return f"_plain({value}, {self._bound(kind)})"
            return self.of_record(kind, value)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            name, one = next(self._names), next(self._names)
            part = self._of_kind(arguments[1], one)
            return f"{{str({name}): {part} for {name}, {one} in {value}.items()}}"
        if isinstance(origin, type) and issubclass(origin, Sequence):
            one = next(self._names)
            part = self._of_kind(arguments[0], one)
            return f"list({value})" if part == one else f"[{part} for {one} in {value}]"
        if kind is str:
            return f"_text({value})" if self._has_text else value
        if kind in _SCALARS or origin is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
            return value
        raise TypeError(f"{kind} is no type of a field of an answer")


def _unmarked(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without the marks on it, and the marks."""
    marks: tuple[Any, ...] = ()
    while get_origin(hint) in (Annotated, NotRequired):
        hint, *more = get_args(hint)
        marks = (*marks, *more)
    return hint, marks


def _defaults(record: type) -> Mapping[str, Any]:
    if dataclasses.is_dataclass(record):
        return {
            field.name: field.default_factory() if field.default_factory is not MISSING else field.default
            for field in dataclasses.fields(record)
        }
    defaults: Mapping[str, Any] = getattr(record, "_field_defaults", {})
    return defaults


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


ANSWERS = Renderer()
"""The renderer of whole answers."""

"""Columns of published tables, described once for the files and for their data dictionary."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

DAY = pa.date32()
INSTANT = pa.timestamp("ms", tz="UTC")


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `required`: it has a value in each row."""

    name: str
    kind: pa.DataType
    description: str
    required: bool = False


@dataclass(frozen=True)
class PublishedTable:
    """A table of each code body.

    Attributes:
        name: of its files, without the suffix.
        key: the column that tells its rows apart; None where there is none.
        refers: the column that names a row of another table, and that table; None where none does.
    """

    name: str
    title: str
    description: str
    columns: tuple[Column, ...]
    key: str | None = None
    refers: tuple[str, str] | None = None

    @cached_property
    def schema(self) -> pa.Schema:
        """The schema of the Parquet file."""
        return pa.schema([pa.field(one.name, one.kind, nullable=not one.required) for one in self.columns])

    @cached_property
    def spelled(self) -> pa.Schema:
        """The same with days and instants as text, as answers of the API and lines of JSON have them."""
        return pa.schema([pa.field(one.name, _spelled(one.kind)) for one in self.columns])

    def dictionary(self) -> list[dict[str, Any]]:
        """Return the columns as fields of a Table Schema."""
        return [_field(one) for one in self.columns]


def _spelled(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_temporal(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_spelled(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(one.name, _spelled(one.type)) for one in kind])
    return kind


def _field(column: Column) -> dict[str, Any]:
    field = {"name": column.name, "type": _type(column.kind), "description": column.description}
    if pa.types.is_list(column.kind) and not pa.types.is_struct(column.kind.value_type):
        field["description"] += f" Each entry: {_type(column.kind.value_type)}."
    return field | ({"constraints": {"required": True}} if column.required else {})


_TYPES: tuple[tuple[Any, str], ...] = (
    (pa.types.is_boolean, "boolean"),
    (pa.types.is_integer, "integer"),
    (pa.types.is_date, "date"),
    (pa.types.is_timestamp, "datetime"),
    (pa.types.is_list, "array"),
    (pa.types.is_struct, "object"),
)


def _type(kind: pa.DataType) -> str:
    """Return the type of a Table Schema that an Arrow type is."""
    return next((name for is_such, name in _TYPES if is_such(kind)), "string")


def members(described: Iterable[tuple[str, pa.DataType]]) -> pa.DataType:
    """Return the type of a value with several members."""
    return pa.struct(list(described))

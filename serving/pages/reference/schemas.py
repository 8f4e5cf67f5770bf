"""Schemas of the OpenAPI document for people: fields in tables, types in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from serving.pages.prose import line

_COMPONENT = "#/components/schemas/"
_BOUNDS = {
    ("minimum", "maximum"): "",
    ("minLength", "maxLength"): " characters",
    ("minItems", "maxItems"): " entries",
}

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object; the name of one within another holds both, as in `tiers[].name`.

    Attributes:
        always: it is in every such object.
    """

    name: str
    kind: Markup
    description: Markup
    always: bool


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    """One named schema: the fields of an object, or the type of a value in words."""

    name: str
    kind: Markup
    description: Markup
    fields: tuple[Field, ...]


def schema_entry(name: str, schema: Json) -> SchemaEntry:
    """Return a named schema for people."""
    return SchemaEntry(
        name, type_words(schema), line(schema.get("description", "")), tuple(fields_of(schema))
    )


def fields_of(schema: Json, prefix: str = "") -> Iterator[Field]:
    """Yield the fields of an object, and after each those of the objects in it that have no name."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        full = f"{prefix}{name}"
        yield Field(full, type_words(field), line(field.get("description", "")), name in required)
        within, mark = (field["items"], "[]") if "items" in field else (field, "")
        yield from fields_of(within, f"{full}{mark}.")


def type_words(schema: Json) -> Markup:
    """Return the type of a schema in words, with a link where it is a named one."""
    name = schema_name(schema)
    if name is not None:
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return Markup(" or ").join(type_words(one) for one in schema[key])
    if "const" in schema:
        return Markup("<code>{}</code>").format(schema["const"])
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(value) for value in schema["enum"])
    if "items" in schema:
        return Markup("list of {}").format(type_words(schema["items"])) + _bounds(schema)
    given = schema.get("type", "any value")
    kinds = " or ".join([given] if isinstance(given, str) else given)
    form = schema.get("format")
    return Markup.escape(kinds if form is None else f"{kinds}, {form}") + _bounds(schema)


def schema_name(schema: Json) -> str | None:
    """Return the name of the schema that another one refers to; None where it says all itself."""
    reference: str | None = schema.get("$ref")
    return None if reference is None else reference.removeprefix(_COMPONENT)


def _bounds(schema: Json) -> Markup:
    told = []
    for (least, most), unit in _BOUNDS.items():
        low, high = schema.get(least), schema.get(most)
        if low is not None and high is not None:
            told.append(f"{low:,} to {high:,}{unit}")
        elif high is not None:
            told.append(f"at most {high:,}{unit}")
        elif low is not None:
            told.append(f"at least {low:,}{unit}")
    return Markup.escape("".join(f"; {one}" for one in told))

"""Records of tables that a person wrote: a field that is misspelt or left out is told by its name."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any, TypeVar

Record = TypeVar("Record")


def record_of(kind: type[Record], table: Mapping[str, Any]) -> Record:
    """Return the record of a dataclass that a table gives, field by field.

    Raises:
        TypeError: a field is unknown, with the field that was probably meant, or one is missing.
    """
    known = {field.name: field for field in fields(kind) if field.init}  # type: ignore[arg-type]  # a dataclass
    for name in table:
        if name not in known:
            meant = get_close_matches(name, known, n=1)
            rest = f"did you mean {meant[0]!r}?" if meant else f"there are {', '.join(known)}"
            raise TypeError(f"no field is named {name!r}: {rest}")
    missing = [
        name
        for name, field in known.items()
        if name not in table and field.default is MISSING and field.default_factory is MISSING
    ]
    if missing:
        raise TypeError(f"{', '.join(missing)} must be given")
    return kind(**table)

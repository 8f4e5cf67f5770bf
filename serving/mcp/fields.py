"""Types of arguments that several tools accept, with the bounds of the API's parameters."""

from datetime import date
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from serving.api.parameters import PARAMETERS, QUERY_LENGTH


def _by(parameter: str) -> AfterValidator:
    """Return a validator that checks a value like the API's parameter of that name."""
    return AfterValidator(PARAMETERS[parameter].parse)


def _written_by(parameter: str) -> BeforeValidator:
    """Return a validator that checks a value, as it is written, like the API's parameter of that name."""
    return BeforeValidator(lambda given: PARAMETERS[parameter].parse(str(given)))


def _no_truth(given: Any) -> Any:
    """Return what is given for a number; true and false, which Python counts as numbers, as words."""
    return str(given) if isinstance(given, bool) else given


def _truth(given: Any) -> Any:
    """Return true and false for the words that the API takes for them, which some clients send."""
    return {"true": True, "false": False}.get(given, given) if isinstance(given, str) else given


Boolean = Annotated[bool, Field(strict=True), BeforeValidator(_truth)]
"""True or false: other words, and numbers, are refused as the API refuses them."""
WHOLE = BeforeValidator(_no_truth)
"""Refuses true and false for a whole number; it stands behind the bounds, which are those of the number."""


Query = Annotated[
    str,
    Field(description=f"Words, a question, or a citation; up to {QUERY_LENGTH} characters."),
    _by("q"),
]
Jurisdiction = Annotated[
    str,
    Field(
        min_length=2,
        max_length=64,
        description="Such as `us` or `California`, with all within it.",
    ),
]
Citation = Annotated[
    str,
    Field(description="As people write it, such as `17 USC 107(1)`."),
    _by("citation"),
]
Level = Annotated[str, Field(description="Such as `section`."), _by("level")]
Tag = Annotated[str, Field(description="Such as `definitions`."), _by("tag")]
Statuses = Annotated[
    tuple[str, ...],
    _written_by("status"),
    WithJsonSchema({"type": "string", "description": "Such as `repealed`."}),
]
"""Statuses of provisions, with commas between them as in the API."""
Id = Annotated[UUID, _written_by("codeBodyId")]
"""Of anything; as in the API it has its hyphens, and nothing around it."""
NodeId = Annotated[Id, Field(description="From another answer.")]
CodeBodyId = Annotated[Id, Field(description="From list_coverage.")]
OrderToken = Annotated[str, Field(min_length=1), _by("token")]
SnapshotId = Annotated[str, _by("snapshot")]
PublicationDate = Annotated[
    date,
    _written_by("date"),
    Field(description="Newest snapshot of that day."),
]
Latitude = Annotated[float, _written_by("lat"), Field(description="Degrees, WGS 84.")]
Longitude = Annotated[float, _written_by("lon"), Field(description="Degrees; west is negative.")]
Details = Annotated[Boolean, Field(description="Add rarely needed fields.")]

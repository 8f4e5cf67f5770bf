"""Types of arguments that several tools accept, with the bounds of the API's parameters."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field

from serving.api.parameters import PARAMETERS, QUERY_LENGTH


def _by(parameter: str) -> AfterValidator:
    """Return a validator that checks a value like the API's parameter of that name."""
    return AfterValidator(PARAMETERS[parameter].parse)


def _degrees_by(parameter: str) -> BeforeValidator:
    """Return a validator that checks a number, as it is written, like the API's parameter of that name."""
    return BeforeValidator(lambda given: PARAMETERS[parameter].parse(str(given)))


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
NodeId = Annotated[UUID, Field(description="Id of a provision, from another answer.")]
CodeBodyId = Annotated[UUID, Field(description="Id of a code body, from list_coverage.")]
SnapshotId = Annotated[str, _by("snapshot")]
PublicationDate = Annotated[
    date,
    BeforeValidator(lambda given: PARAMETERS["date"].parse(str(given))),
    Field(description="Day whose newest snapshot is read."),
]
Latitude = Annotated[float, _degrees_by("lat"), Field(description="Degrees, WGS 84.")]
Longitude = Annotated[float, _degrees_by("lon"), Field(description="Degrees; west is negative.")]
Details = Annotated[bool, Field(description="Add rarely needed fields.")]

"""Types of arguments that several tools accept, with the bounds of the API's parameters."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field

from serving.api.parameters import CITATION_LENGTH, PARAMETERS, QUERY_LENGTH


def _by(parameter: str) -> AfterValidator:
    """Return a validator that checks a value like the API's parameter of that name."""
    return AfterValidator(PARAMETERS[parameter].parse)


Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4 * QUERY_LENGTH,
        description="Words, a question, or a citation; up to 500 characters.",
    ),
    _by("q"),
]
Jurisdiction = Annotated[
    str,
    Field(
        min_length=2,
        max_length=64,
        description="Code or name, such as `us`, `ca` or `California`; its cities and counties are in scope.",
    ),
]
Citation = Annotated[
    str,
    Field(
        min_length=1,
        max_length=CITATION_LENGTH,
        description="As people write it, such as `17 USC 107(1)` or `D.C. Code § 29-801.02`.",
    ),
    _by("citation"),
]
NodeId = Annotated[UUID, Field(description="Id of a provision, from another answer.")]
CodeBodyId = Annotated[UUID, Field(description="Id of a code body, from list_coverage.")]
SnapshotId = Annotated[
    str,
    Field(description="Id of an older snapshot."),
    _by("snapshot"),
]
Details = Annotated[bool, Field(description="Give the rarely needed fields too.")]

"""Types of arguments that several tools accept, with the bounds of the API's parameters."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field

from serving.api.parameters import CITATION_LENGTH, PARAMETERS, QUERY_LENGTH


def _by(parameter: str) -> AfterValidator:
    """Return a validator that checks a value like the API's parameter of that name."""
    return AfterValidator(PARAMETERS[parameter].parse)


def _unpadded(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


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
        max_length=64,
        description="Short code, such as `us`, `dc` or `il-chicago`; its cities and counties are in scope "
        "too. list_coverage has them all.",
    ),
    BeforeValidator(_unpadded),
    _by("jurisdiction"),
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
NodeId = Annotated[
    UUID, Field(description="Id of a provision, from a search, a resolution or another provision.")
]
CodeBodyId = Annotated[UUID, Field(description="Id of a code body, from list_coverage.")]
SnapshotId = Annotated[
    str,
    Field(
        description="Read an older snapshot that is still kept, by the id that answers carry; as a rule "
        "leave it out."
    ),
    _by("snapshot"),
]

"""Turn an error of ours in an asset into a failure whose first line says where it is and what to do next."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from assets.errors import BuildError, ConfinementError, MalformedFileError, RegistryError, SourceError
from serving.contract.errors import LawError

_AGAIN = "run the partition again"

NEXT_STEPS: tuple[tuple[str, str], ...] = (
    # code of the error: what a person does next
    ("publisher_unreachable", f"{_AGAIN} when the publisher answers, or give a path as `path` of the run"),
    ("publisher_busy", f"{_AGAIN} later; what came of a file is kept, and goes on from there"),
    (
        "fetch_failed",
        "compare the addresses of `connector` in the registry with what the publisher offers",
    ),
    (
        "signature_refused",
        "ask the publisher which metadata are good; change `signed_by` in the registry for no other reason",
    ),
    (MalformedFileError.code, f"mend or replace this file in the source, and {_AGAIN} from it"),
    (ConfinementError.code, f"look at this file, or leave it out of the source, and {_AGAIN}"),
    (RegistryError.code, f"mend the file under `datasets` that this is about, and {_AGAIN}"),
    (SourceError.code, f"give a whole source of the form that the entry's reader reads, and {_AGAIN}"),
    (BuildError.code, f"materialise what stands before this asset, and {_AGAIN}"),
)
"""By the codes of errors, which are stable."""


@contextmanager
def failing_plainly(context: dg.AssetExecutionContext) -> Iterator[None]:
    """Raise an error of ours, in the block, as a failure with file, place and next step in its first line.

    Raises:
        Failure: the error's message, which begins with file or address and place; then what to do.
    """
    try:
        yield
    except LawError as error:
        step = next_step(error)
        key = context.partition_key if context.has_partition_key else context.asset_key.to_user_string()
        said = " ".join(error.message.split())
        raise dg.Failure(
            description=f"{key}: {said}{'' if said.endswith('.') else '.'} Next: {step}.",
            metadata={"code": error.code, "next step": step, **_place(error)},
            allow_retries=error.code in {"publisher_busy", "publisher_unreachable"},
        ) from error


def next_step(error: LawError) -> str:
    """Return what a person does next about an error."""
    return dict(NEXT_STEPS).get(error.code, f"mend what the message names, and {_AGAIN}")


def _place(error: LawError) -> dict[str, str | int]:
    """Return file, line and column, as far as the error knows them."""
    known = {name: getattr(error, name, None) for name in ("file", "line", "column")}
    return {name: value for name, value in known.items() if isinstance(value, str | int) and value}

"""Records of what was found wrong in the service."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class Correction:
    """An error about one provision; `status` is `fixed`, in `fixed_in`, or `open`."""

    node_id: str | None
    identifier: str | None
    citation: str | None
    wrong: str
    found_by: str
    found_on: str
    status: str
    fixed_in: str | None


@dataclass(frozen=True, slots=True)
class Corrections:
    """Every known error, what was found last first; `date` is the day of which the list is."""

    source: str | None
    date: str | None
    corrections: tuple[Correction, ...]
    meta: Meta

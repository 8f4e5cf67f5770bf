"""Filters that both arms of a search apply alike."""

from dataclasses import dataclass
from uuid import UUID

from serving.contract.records import IN_FORCE, Jurisdiction


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a search.

    Attributes:
        jurisdiction: short code; its scope includes the jurisdictions within it.
        level: such as `section`.
        tag: a tag that the provision must have.
        statuses: statuses of the provisions searched; empty for all.
    """

    jurisdiction: str | None = None
    code_body: UUID | None = None
    level: str | None = None
    tag: str | None = None
    statuses: tuple[str, ...] = (IN_FORCE,)


def scope_of(short_code: str, jurisdictions: tuple[Jurisdiction, ...]) -> tuple[str, ...]:
    """Return the short codes of a jurisdiction and of all within it, sorted."""
    scope = {short_code}
    while True:
        within = {entry.short_code for entry in jurisdictions if entry.parent in scope} - scope
        if not within:
            return tuple(sorted(scope))
        scope |= within

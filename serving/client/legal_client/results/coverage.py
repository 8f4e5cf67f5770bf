"""Records of what the service holds and of what it lacks."""

from dataclasses import dataclass

from legal_client.results.meta import Meta


@dataclass(frozen=True, slots=True)
class StaleTitle:
    """A title kept from an earlier edition; `stale_since`: date of the one it could not be updated from."""

    label: str
    current_through: str | None
    current_through_date: str | None
    stale_since: str
    node_count: int


@dataclass(frozen=True, slots=True)
class Freshness:
    """A code body beside its publisher's newest release, as it was known when the snapshot was published.

    Attributes:
        status: `current`, `behind` or `unknown`.
        reason: why it is unknown, such as `never_asked`.
        days_behind: from the release that is held to the newest.
    """

    status: str
    reason: str | None
    held_release: str | None
    held_release_date: str | None
    newest_release: str | None
    newest_release_date: str | None
    seen_at: str | None
    days_behind: int | None


@dataclass(frozen=True, slots=True)
class CoveredCode:
    """A code body as coverage lists it; `stale_titles`: those of an earlier edition."""

    id: str
    name: str
    current_through: str | None
    current_through_date: str | None
    release_point: str | None
    complete: bool | None
    node_count: int | None
    stale_titles: tuple[StaleTitle, ...]
    freshness: Freshness | None


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """Coverage of one jurisdiction; a placeholder is listed and cannot be searched yet."""

    short_code: str
    name: str
    level: str
    node_count: int
    searchable_chunks: int
    placeholder: bool
    gis_status: str | None
    citation_quality: str | None
    code_bodies: tuple[CoveredCode, ...]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of the snapshot, jurisdiction by jurisdiction."""

    total_jurisdictions: int
    total_nodes: int
    total_searchable_chunks: int
    published_gis_layers: int
    jurisdictions: tuple[Jurisdiction, ...]
    meta: Meta

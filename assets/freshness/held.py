"""The release of its publisher that a code body's or layer's accepted version was read from."""

from dataclasses import dataclass
from typing import Protocol

from assets.errors import BuildError, SourceError
from assets.ingest.pinned import PinnedSource
from assets.ingest.report import ProvisionsReport
from assets.registry import CodeBody, Layer
from assets.workspace import Workspace
from assets.zoning.report import LayerReport
from assets.zoning.sources import LayerSource
from serving.contract.currency import current_date


@dataclass(frozen=True, slots=True)
class Held:
    """A release that was accepted, or a source of which none is recorded.

    Attributes:
        release: as the publisher names it; None: it is not recorded, since a path was given.
        date: ISO date of that release; of its retrieval, where the publisher gives none.
        through: ISO date through which the source itself says that it is current.
    """

    release: str | None
    date: str | None
    through: str | None


class Report(Protocol):
    """The fields of a report that tell which release was read."""

    @property
    def source_sha256(self) -> str:
        """Hash of the pinned source."""
        ...

    @property
    def release(self) -> str | None:
        """The release that was fetched."""
        ...

    @property
    def release_date(self) -> str | None:
        """Its date."""
        ...


class BodyReport(Report, Protocol):
    """The same of a code body, with what its files say."""

    @property
    def release_point(self) -> str | None:
        """The edition, in the words of the source."""
        ...

    @property
    def current_through(self) -> str | None:
        """The currency of the source, in its own words."""
        ...


def held_body(workspace: Workspace, body: CodeBody, report: BodyReport | None = None) -> Held | None:
    """Return what was accepted of a code body; None: nothing was.

    Args:
        workspace: with the accepted tables and the pin.
        body: the code body.
        report: that of the accepted tables, where it was read already.
    """
    if report is None:
        try:
            report = ProvisionsReport.load(workspace.accepted(body.key) / "provisions")
        except BuildError:
            return None
    try:
        pin = PinnedSource.load(workspace.source_files(body.key))
    except SourceError:
        pin = None
    release, date = _release(report, pin)
    if release is None and body.connector is not None and body.connector.names_release_points:
        release = report.release_point
    return Held(release, date, current_date(report.current_through))


def held_layer(workspace: Workspace, layer: Layer) -> Held | None:
    """Return what was accepted of a zoning layer; None: nothing was."""
    try:
        report = LayerReport.load(workspace.accepted_layer(layer.short_code))
    except BuildError:
        return None
    try:
        pin = LayerSource.load(workspace.layer_source(layer.short_code))
    except SourceError:
        pin = None
    release, date = _release(report, pin)
    return Held(release, date, report.date)


def held(workspace: Workspace, entry: CodeBody | Layer) -> Held | None:
    """Return what was accepted of a code body or layer; None: nothing was."""
    return held_layer(workspace, entry) if isinstance(entry, Layer) else held_body(workspace, entry)


def _release(report: Report, pin: PinnedSource | LayerSource | None) -> tuple[str | None, str | None]:
    """Return the release and its date: the pin's where its files were read; a later one may have the same."""
    if pin is None or pin.sha256 != report.source_sha256:
        return report.release, report.release_date
    if pin.release is None:
        return report.release, report.release_date
    return pin.release, pin.release_date or pin.retrieved_at[:10]

"""Give one hostile file to the build as a map or a source, and say by name what came of it."""

import logging
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from assets.findings import Severity, Verdict
from assets.ingest import validate as of_provisions
from assets.ingest.pinned import open_pinned, verify_pinned
from assets.ingest.quarantine import account_quarantined, build_quarantined
from assets.ingest.report import ProvisionsReport
from assets.ingest.sources import pin_source
from assets.registry import load_registry
from assets.zoning import validate as of_zones
from assets.zoning.confined import build_confined
from assets.zoning.sources import pin_layer, verify_layer
from assets.zoning.topology import Topology
from assets.zoning.zones_table import read_zones
from serving.contract.errors import LawError
from tests.assets.zoning.layers import layer
from tests.hostile.case import Case

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 21, tzinfo=UTC)


class UnforeseenError(AssertionError):
    """A failure that is named, and that no code of ours expects: a traceback was logged."""


def outcome(case: Case, path: Path) -> str:
    """Return what came of a file: `built`, `built: warnings`, `refused: ...`, `gap: ...` or `check: ...`.

    Raises:
        UnforeseenError: the file was refused for an error that nobody foresaw.
        Exception: whatever is no error of ours.
    """
    with tempfile.TemporaryDirectory() as name, _nothing_logged():
        try:
            return _as_map(path, Path(name)) if case.given_as == "map" else _as_source(case, path, Path(name))
        except LawError as error:
            return f"refused: {type(error).__name__}: {error.message}"


@contextmanager
def _nothing_logged() -> Iterator[None]:
    logged: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append(record.getMessage())

    handler, log = Keeping(), logging.getLogger("assets.confinement")
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
    if logged:
        raise UnforeseenError(logged[0])


def _as_map(path: Path, folder: Path) -> str:
    entry = layer(bounds=[-40.2, 29.8, -39.8, 30.2])
    pin_layer(path, entry, folder / "pinned", retrieved_at=NOW)
    verify_layer(folder / "pinned")
    (folder / "zones").mkdir()
    report = build_confined(folder / "pinned", entry, folder / "zones", built_at=NOW)
    zones = read_zones(folder / "zones")
    return _judged(
        of_zones.geometry_is_valid(zones),
        of_zones.zones_lie_within_bounds(zones, entry),
        of_zones.every_polygon_has_a_zone_code(report),
        of_zones.every_polygon_is_counted(zones, report),
        of_zones.polygons_are_whole(report),
        of_zones.overlaps_are_small(Topology.load(folder / "zones"), report),
    )


def _as_source(case: Case, path: Path, folder: Path) -> str:
    body = load_registry(ROOT / "datasets" / "registry").code_body(case.given_as)
    pinned, provisions = folder / "pinned", folder / "provisions"
    pin_source(path, body, pinned, retrieved_at=NOW, progress=lambda done, total: None)
    verify_pinned(pinned)
    report = build_quarantined(
        pinned,
        body,
        provisions,
        tag_rules=ROOT / "datasets" / "registry" / "tags.toml",
        previous=None,
        progress=lambda done, total: None,
    )
    judged = _judged(
        of_provisions.hierarchy_is_closed(provisions),
        of_provisions.identifiers_are_unique(provisions),
        of_provisions.citations_are_unique(provisions),
        of_provisions.outlines_lie_within_texts(provisions),
        of_provisions.byte_ranges_hold_the_provision(provisions, open_pinned(pinned)),
        account_quarantined(provisions, pinned, body),
    )
    return judged if judged.startswith("check") else _gap_of(report) or judged


def _gap_of(report: ProvisionsReport) -> str | None:
    problems = [problem for unit in report.units for problem in unit.problems]
    return f"gap: {problems[0]}" if problems else None


def _judged(*verdicts: Verdict) -> str:
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    failed = [finding for finding in findings if finding.severity is Severity.ERROR]
    if failed:
        return f"check: {failed[0].code}: {failed[0].where}: {failed[0].message}"
    warned = sorted({finding.code for finding in findings})
    return f"built, warned of: {', '.join(warned)}" if warned else "built"


def kind_of(result: str) -> str:
    """Return the kind of an outcome, without what is particular to its file."""
    if result.startswith("built"):
        return result.partition(":")[0]
    reason = "by a bound of time" if re.search(r"takes more than [\d.]+ s ", result) else ""
    reason = reason or ("by a bound of memory" if "of memory" in result or "more memory" in result else "")
    reason = reason or ("by a crash" if "crashed" in result or "was killed" in result else "")
    how, _, rest = result.partition(": ")
    if how == "refused" and not reason:
        return f"refused: {rest.partition(':')[0]}"
    return (
        f"{how} {reason}".strip() if how != "check" else f"check: {rest.partition(':')[0]} {reason}".strip()
    )

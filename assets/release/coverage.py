"""Coverage and code bodies as ready answers, and what shrank since the snapshot before."""

from collections.abc import Mapping
from pathlib import Path

import orjson

from assets.citations.references import FoundReferences
from assets.findings import Finding, Severity, Verdict
from assets.freshness.freshness import Freshness
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import SelectedBody, Selection
from assets.selection.sidecar import require_inputs, write_sidecar
from assets.zoning.publication import PublishedLayers
from serving.contract import answers
from serving.contract.answers import (
    CodeBodiesBody,
    CoverageBody,
    CoveredBody,
    CoveredJurisdiction,
    ReferenceCounts,
)
from serving.contract.currency import current_date
from serving.contract.manifest import CodeBodyEntry
from serving.contract.records import Jurisdiction

COVERAGE = "coverage"
CODE_BODIES = "code-bodies"

SHRINKAGE = 0.02
"""Share of a code body's nodes or chunks that may go without a word."""


def coverage_answer(
    selection: Selection,
    references: FoundReferences,
    layers: PublishedLayers,
    fresh: Mapping[str, Freshness],
) -> CoverageBody:
    """Return the answer of the coverage endpoint; `fresh` is by key of the code body."""
    return {
        "totalJurisdictions": len(selection.jurisdictions),
        "totalNodes": len(selection),
        "totalSearchableChunks": selection.chunks.num_rows,
        "publishedGisLayers": len(layers.entries),
        "jurisdictions": [
            _covered(entry, selection, references, layers, fresh) for entry in selection.jurisdictions
        ],
    }


def code_bodies_answer(selection: Selection) -> CodeBodiesBody:
    """Return the answer of the code bodies endpoint."""
    return {
        "codeBodies": [
            {
                "id": entry.id,
                "name": entry.name,
                "jurisdiction": entry.jurisdiction,
                "key": entry.key,
                "level": entry.level,
                "currentThrough": entry.current_through,
                "currentThroughDate": current_date(entry.current_through),
                "releasePoint": entry.release_point,
                "nodeCount": entry.node_count,
                "complete": entry.complete,
                "sourceUrl": entry.source_url,
                "license": entry.license,
            }
            for entry in code_body_entries(selection)
        ]
    }


def build_coverage(
    selection: Selection,
    destination: Path,
    *,
    references: Path,
    layers: Path,
    fresh: Mapping[str, Freshness],
) -> dict[str, int]:
    """Write `coverage.json` and `code-bodies.json` into the empty folder `destination`; return counts.

    Args:
        selection: what the snapshot is built from.
        destination: takes the answers.
        references: folder of the citation index, built from the same selection.
        layers: folder of the zoning answers, likewise.
        fresh: by key of the code body, what is known of its publisher's newest release.

    Raises:
        BuildError: one of them was built from another selection.
    """
    require_inputs(references, selection.inputs)
    require_inputs(layers, selection.inputs)
    maps = PublishedLayers.load(layers)
    found = FoundReferences.load(references, len(selection))
    (destination / f"{COVERAGE}.json").write_bytes(
        orjson.dumps(coverage_answer(selection, found, maps, fresh))
    )
    (destination / f"{CODE_BODIES}.json").write_bytes(orjson.dumps(code_bodies_answer(selection)))
    with_law = len({entry.body.jurisdiction for entry in selection.bodies})
    counts = {
        "jurisdictions": len(selection.jurisdictions),
        "with_law": with_law,
        "code_bodies": len(selection.bodies),
    }
    write_sidecar(
        destination, selection.inputs, used=("provisions", "chunks", "citing", "layers"), counts=counts
    )
    return counts


def coverage_did_not_shrink(
    before: tuple[CodeBodyEntry, ...], after: tuple[CodeBodyEntry, ...], *, share: float = SHRINKAGE
) -> Verdict:
    """Compare the code bodies of two snapshots; a warning for each that is gone or lost more than `share`."""
    now = {entry.key: entry for entry in after}
    findings: list[tuple[float, Finding]] = []
    for old in before:
        new = now.get(old.key)
        if new is None:
            findings.append((1.0, _shrunk("code_body_gone", old.key, f"{old.name} is no longer covered.")))
            continue
        for what, was, is_now in (
            ("nodes", old.node_count, new.node_count),
            ("chunks", old.chunk_count, new.chunk_count),
        ):
            lost = (was - is_now) / was if was else 0.0
            if lost > share:
                message = f"{old.name} has {is_now:,} {what} instead of {was:,}: {lost:.1%} fewer."
                findings.append((lost, _shrunk("coverage_shrank", old.key, message)))
        if old.complete and not new.complete:
            message = f"{old.name} was complete and is not any more."
            findings.append((0.0, _shrunk("no_longer_complete", old.key, message)))
    findings.sort(key=lambda finding: -finding[0])
    measured: dict[str, float | int | str] = {
        "nodes_before": sum(entry.node_count for entry in before),
        "nodes_after": sum(entry.node_count for entry in after),
    }
    return Verdict(len(before) + len(after), [finding for _, finding in findings], measured)


def _shrunk(code: str, where: str, message: str) -> Finding:
    return Finding(code, where, message, Severity.WARNING)


def _covered(
    jurisdiction: Jurisdiction,
    selection: Selection,
    references: FoundReferences,
    layers: PublishedLayers,
    fresh: Mapping[str, Freshness],
) -> CoveredJurisdiction:
    layer = layers.entries.get(jurisdiction.short_code)
    gaps = layers.gaps.get(jurisdiction.short_code, ())
    bodies = [entry for entry in selection.bodies if entry.body.jurisdiction == jurisdiction.short_code]
    return {
        "shortCode": jurisdiction.short_code,
        "name": jurisdiction.name,
        "level": jurisdiction.level,
        "nodeCount": sum(entry.count for entry in bodies),
        "searchableChunks": sum(entry.chunk_count for entry in bodies),
        "placeholder": not bodies,
        "gisStatus": None if layer is None else layer.status,
        "citationQuality": None if layer is None else layer.citation_quality,
        "codeBodies": [_covered_body(entry, references, fresh[entry.body.key]) for entry in bodies],
        "gaps": [*(gap for entry in bodies for gap in entry.report.gaps), *gaps],
    }


def _covered_body(entry: SelectedBody, references: FoundReferences, fresh: Freshness) -> CoveredBody:
    covered: CoveredBody = {
        "id": entry.id,
        "name": entry.body.name,
        "currentThrough": entry.report.current_through,
        "currentThroughDate": current_date(entry.report.current_through),
        "releasePoint": entry.report.release_point,
        "complete": entry.report.complete,
        "nodeCount": entry.count,
        "references": _counted(references, entry),
        "freshness": _freshness(fresh),
    }
    if entry.report.stale_titles:
        covered["staleTitles"] = [
            {
                "label": title.label,
                "currentThrough": title.current_through,
                "currentThroughDate": current_date(title.current_through),
                "staleSince": title.since,
                "nodeCount": title.count,
            }
            for title in entry.report.stale_titles
        ]
    return covered


def _freshness(fresh: Freshness) -> answers.Freshness:
    sighting, held = fresh.sighting, fresh.held
    return {
        "status": fresh.status.value,
        "reason": None if fresh.reason is None else fresh.reason.value,
        "heldRelease": None if held is None else held.release,
        "heldReleaseDate": None if held is None else held.date,
        "newestRelease": None if sighting is None else sighting.release,
        "newestReleaseDate": None if sighting is None else sighting.date,
        "seenAt": None if sighting is None else sighting.seen_at,
        "daysBehind": fresh.days_behind,
    }


def _counted(references: FoundReferences, body: SelectedBody) -> ReferenceCounts:
    total, resolved = references.counts(body.first, body.count)
    return {"total": total, "resolved": resolved}

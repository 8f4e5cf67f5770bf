"""The quality report of citations: figures of the gates, as a snapshot serves and as checks judge them."""

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from assets.errors import BuildError
from assets.findings import Finding, Severity, Verdict
from assets.release.quality.gates import SAMPLE, SEED, SPELLED_FLOOR, live_citable, round_trip, spelled
from assets.release.quality.second_reader import NAME, compare
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import Selection
from assets.selection.sidecar import require_inputs, write_sidecar
from serving.contract.layout import QUALITY
from serving.snapshot.law import CitedLaw

_FEW = 20


@dataclass(frozen=True, slots=True)
class Artefacts:
    """Folders of what is judged: the response store's and the citation index's."""

    response_store: Path
    citation_index: Path


def build_quality(
    selection: Selection, destination: Path, *, artefacts: Artefacts, sample: int = SAMPLE, seed: int = SEED
) -> dict[str, Any]:
    """Run the gates with the server's own resolver over what was built; write and return the report.

    Args:
        selection: what was built from.
        destination: an empty folder.
        artefacts: what was built.
        sample: nodes whose spellings are tried.
        seed: of the sample.

    Raises:
        BuildError: an artefact was built from another selection.
    """
    require_inputs(artefacts.response_store, selection.inputs)
    references = require_inputs(artefacts.citation_index, selection.inputs)
    law = CitedLaw(
        code_body_entries(selection),
        nodes_folder=artefacts.response_store,
        citations_folder=artefacts.citation_index,
    )
    order = pa.array(selection.numbering.positions)
    rows = live_citable(law, selection.provisions.column("citable").take(order).to_pylist())
    chosen = random.Random(seed).sample(rows, min(sample, len(rows)))  # noqa: S311 (a sample, no secret)
    report: dict[str, Any] = {
        "codeBodies": [
            {"key": body.key, "releasePoint": body.release_point} for body in code_body_entries(selection)
        ],
        "citations": {
            "roundTrip": {"required": 1.0, **round_trip(law, rows).to_dict()},
            "spellings": {
                "required": SPELLED_FLOOR,
                "nodes": len(chosen),
                "seed": seed,
                **spelled(law, chosen).to_dict(),
            },
            "secondReader": {"name": NAME, **compare(law, chosen).to_dict()},
        },
        "references": {
            origin: {"total": references[f"from_{origin}"], "resolved": references[f"from_{origin}_resolved"]}
            for origin in ("markup", "text")
        },
    }
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    (destination / QUALITY).write_text(text, encoding="utf-8")
    figures = report["citations"]
    counts = {
        "live_citations": figures["roundTrip"]["examined"],
        "live_citations_resolved": figures["roundTrip"]["resolved"],
        "spellings": figures["spellings"]["examined"],
        "spellings_resolved": figures["spellings"]["resolved"],
    }
    write_sidecar(destination, selection.inputs, used=("provisions", "citing"), counts=counts)
    return report


def load_quality(folder: Path) -> dict[str, Any]:
    """Return the report that `build_quality` wrote into `folder`.

    Raises:
        BuildError: it was not built.
    """
    try:
        report: dict[str, Any] = json.loads((folder / QUALITY).read_bytes())
    except FileNotFoundError:
        raise BuildError(f"{folder} holds no report: build {folder.name} first.") from None
    return report


def round_trip_verdict(report: dict[str, Any]) -> Verdict:
    """Judge the round trip: each live citation leads to its provision, or to all that bear it."""
    figures = report["citations"]["roundTrip"]
    findings = [_failed("citation_astray", failure) for failure in figures["failures"][:_FEW]]
    findings += [
        Finding("citation_shared", citation, "is the number of several live provisions.", Severity.WARNING)
        for citation in figures["ambiguous"]
    ]
    failed = figures["examined"] - figures["resolved"]
    if failed > len(figures["failures"][:_FEW]):
        findings.append(Finding("citations_astray", "citations", f"{failed} lead elsewhere or nowhere."))
    return Verdict(figures["examined"], findings, {"share": figures["share"], "astray": failed})


def spellings_verdict(report: dict[str, Any]) -> Verdict:
    """Judge the spellings: the share that leads to its provision."""
    figures = report["citations"]["spellings"]
    low = figures["share"] < figures["required"]
    severity = Severity.ERROR if low else Severity.WARNING
    findings = [_failed("spelling_astray", failure, severity) for failure in figures["failures"][:_FEW]]
    if low:
        message = f"{figures['share']:.2%} of the spellings lead to their provision: too few."
        findings.insert(0, Finding("spellings_astray", "citations", message))
    return Verdict(figures["examined"], findings, {"share": figures["share"], "nodes": figures["nodes"]})


def second_reader_verdict(report: dict[str, Any]) -> Verdict:
    """Judge the comparison: where the second reader reads something else, one of both is wrong."""
    figures = report["citations"]["secondReader"]
    if not figures["installed"]:
        missing = f"{figures['name']} is not installed: nothing was compared."
        return Verdict(1, [Finding("second_reader_missing", figures["name"], missing, Severity.WARNING)])
    findings = [
        Finding("readers_disagree", entry["text"], f"we read {entry['ours']}, it reads {entry['theirs']}.")
        for entry in figures["disagreements"]
    ]
    findings += [
        Finding("reader_stops", entry["text"], f"it reads {entry['theirs']} alone.", Severity.WARNING)
        for entry in figures["shorter"][:_FEW]
    ]
    measured = {name: figures[name] for name in ("examined", "agreed", "silent", "shorterCount")}
    # That it found nothing in a code that it does not know is no failure.
    return Verdict(figures["examined"] + figures["silent"], findings, measured)


def _failed(code: str, failure: dict[str, Any], severity: Severity = Severity.ERROR) -> Finding:
    message = f"written as {failure['text']!r} ({failure['form']}) gives {failure['outcome']}."
    return Finding(code, failure["citation"], message, severity)

"""Bring the parts of a snapshot together in a hidden folder, readable by whoever serves it."""

import json
import os
import shutil
from importlib.resources import files
from pathlib import Path

import orjson

from assets.compression import make_ready
from assets.errors import BuildError
from assets.formation.build import require_encoder
from assets.release.corrections import load_corrections
from assets.release.coverage import CODE_BODIES, COVERAGE
from assets.release.evaluation.scores import Scores
from assets.selection.selection import Selection
from assets.selection.sidecar import require_inputs
from assets.workspace import Workspace
from serving.contract import layout
from serving.encoder.config import CONFIG, MODEL, TOKENIZER, load_config, query_folder, verify_files
from serving.snapshot.durable import make_readable

KEYWORD_INDEX = "keyword_index"
VECTOR_INDEX = "vector_index"
QUESTION_INDEX = "question_index"
RESPONSE_STORE = "response_store"
COVERAGE_STORE = "coverage"
CITATION_INDEX = "citation_index"
CITATION_QUALITY = "citation_quality"
PROVIDER_COMPARISON = "provider_comparison"
FORMATION_PRICES = "formation_prices"
NAICS_TABLE = "naics_table"
ZONING_ANSWERS = "zoning_answers"
BULK_FILES = "bulk_files"
"""Names of the artefacts' folders in the workspace."""


def stage(workspace: Workspace, selection: Selection, folder: Path) -> dict[str, int]:
    """Fill the empty `folder` with everything but the manifest.

    Returns:
        Counts: rows of the response store, of the citation index and of layers, and the figures of the gates.

    Raises:
        BuildError: an artefact is missing or was built from other inputs.
        RegistryError: the list of corrections is missing or malformed.
    """
    corrections = orjson.dumps(load_corrections(workspace.corrections).answer())
    artefacts = {
        name: workspace.artefact(name)
        for name in (
            KEYWORD_INDEX,
            VECTOR_INDEX,
            QUESTION_INDEX,
            RESPONSE_STORE,
            COVERAGE_STORE,
            CITATION_INDEX,
            CITATION_QUALITY,
            ZONING_ANSWERS,
            BULK_FILES,
        )
    }
    counts = {name: require_inputs(path, selection.inputs) for name, path in artefacts.items()}
    for table in (layout.NODES, layout.DIGESTS, layout.CHUNKS, layout.BROWSE):
        _link(artefacts[RESPONSE_STORE] / table, folder / table)
    for table in (layout.CITATIONS, layout.REFERENCES, layout.CITING):
        _link(artefacts[CITATION_INDEX] / table, folder / table)
    _link(artefacts[CITATION_QUALITY] / layout.QUALITY, folder / layout.QUALITY)
    for name in (layout.KEYWORD, layout.TERMS):
        _link_tree(artefacts[KEYWORD_INDEX] / name, folder / name)
    _link_tree(artefacts[VECTOR_INDEX] / layout.VECTORS, folder / layout.VECTORS)
    _link_tree(artefacts[QUESTION_INDEX] / layout.QUESTIONS, folder / layout.QUESTIONS)
    # Later servers rank this snapshot as on its day, with weights and floors that fit its encoder.
    for name in (layout.RANKER, layout.FLOORS):
        (folder / name).write_bytes(files("serving.snapshot").joinpath(name).read_bytes())
    for encoder in {workspace.encoder, query_folder(workspace.encoder)}:
        target = folder / layout.ENCODER / encoder.relative_to(workspace.encoder)
        for name in (MODEL, TOKENIZER, CONFIG):
            _link(encoder / name, target / name)
    static = folder / layout.STATIC
    static.mkdir()
    for name in (COVERAGE, CODE_BODIES):
        _write_static(artefacts[COVERAGE_STORE] / f"{name}.json", static)
    make_ready(corrections).write(static / f"{layout.CORRECTIONS}.json")
    _link_tree(artefacts[ZONING_ANSWERS] / layout.GIS, folder / layout.GIS)
    for entry in selection.bodies:
        key = entry.body.key
        _link_tree(artefacts[BULK_FILES] / key, folder / layout.DOWNLOADS / key)
    _stage_formation(workspace, folder)
    counted = (RESPONSE_STORE, QUESTION_INDEX, CITATION_INDEX, CITATION_QUALITY, ZONING_ANSWERS)
    return {name: count for artefact in counted for name, count in counts[artefact].items()}


def _stage_formation(workspace: Workspace, folder: Path) -> None:
    """Add what does not depend on the code bodies: the free datasets and the NAICS table."""
    static = folder / layout.STATIC
    for artefact, names in (
        (PROVIDER_COMPARISON, (layout.LLC_SERVICES,)),
        (FORMATION_PRICES, (layout.FORMATION_PRICES, layout.FORMATION_REQUIREMENTS)),
    ):
        for name in names:
            _write_static(workspace.artefact(artefact) / f"{name}.json", static)
    table = workspace.artefact(NAICS_TABLE)
    encoder = query_folder(workspace.encoder)
    require_encoder(table, verify_files(encoder, load_config(encoder)))
    for name in (f"{layout.NAICS_CODES}.json", layout.NAICS_VECTORS):
        _link(table / name, folder / layout.NAICS / name)


def add_scores(folder: Path, scores: Scores) -> None:
    """Write the scores of search into the staged snapshot, beside those of citations."""
    quality = folder / layout.QUALITY
    report = json.loads(quality.read_bytes()) | {"retrieval": scores.report}
    quality.unlink()  # a link to the artefact, which keeps its own
    quality.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if scores.carried is not None:
        (folder / layout.EVALUATION).write_bytes(scores.carried)
    make_readable(folder)


def _link_tree(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        # Tantivy's locks and its list of files to collect belong to the writer.
        if path.is_file() and not path.name.startswith("."):
            _link(path, target / path.relative_to(source))


def _link(source: Path, target: Path) -> None:
    """Share the file where both lie on one disk: a stage never changes a file, it replaces its folder."""
    if not source.is_file():
        raise BuildError(f"{source} is missing: build {source.parent.name} first.")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _write_static(source: Path, folder: Path) -> None:
    if not source.is_file():
        raise BuildError(f"{source} is missing: build {source.parent.name} first.")
    make_ready(source.read_bytes()).write(folder / source.name)

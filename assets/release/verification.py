"""Verify a snapshot as those will meet it who read it: every hash, then the production reader."""

import uuid
from pathlib import Path

import numpy as np

from assets.findings import Finding, Verdict
from assets.release.coverage import CODE_BODIES, COVERAGE
from serving.contract.errors import LawError
from serving.contract.identity import content_etag
from serving.contract.layout import ENCODER, FORMATION_PRICES, FORMATION_REQUIREMENTS, LLC_SERVICES
from serving.contract.manifest import Manifest
from serving.encoder.config import load_config
from serving.encoder.config import verify_files as encoder_sha256
from serving.snapshot.filters import Filters
from serving.snapshot.layers import Layer
from serving.snapshot.store import Snapshot, open_snapshot
from serving.snapshot.verify import verify_files

_SAMPLE = 200


def verify_snapshot(folder: Path, deep: bool = True) -> Verdict:
    """Verify the snapshot in `folder`.

    Args:
        folder: of the snapshot.
        deep: hash every file and read a sample of nodes; else only open it.

    Returns:
        A verdict with an error for every file that differs and for everything that does not fit together.
    """
    findings: list[Finding] = []
    try:
        if deep:
            problems = [problem.split(": ", 1) for problem in verify_files(folder, Manifest.load(folder))]
            findings += [Finding("file_differs", path, reason) for path, reason in problems]
        if findings:
            # What differs from its hash may be anything: it is not opened.
            return Verdict(len(findings), findings)
        snapshot = open_snapshot(folder)
    except LawError as error:
        return Verdict(1, [Finding(error.code, str(folder), error.message)])
    try:
        if deep:
            findings += _read(snapshot)
        measured: dict[str, float | int | str] = {**snapshot.manifest.counts}
        measured["root_sha256"] = snapshot.manifest.root_sha256
        return Verdict(len(snapshot.manifest.files), findings, measured)
    finally:
        snapshot.close()


def _read(snapshot: Snapshot) -> list[Finding]:
    rows = np.unique(np.linspace(0, max(len(snapshot.nodes) - 1, 0), _SAMPLE).astype(int)).tolist()
    findings = [finding for row in rows for finding in _read_node(snapshot, row)]
    findings += _query(snapshot)
    findings += [finding for layer in snapshot.layers for finding in _read_layer(snapshot, layer)]
    findings += [
        Finding("static_empty", f"static/{name}.json", "is empty.")
        for name in (COVERAGE, CODE_BODIES, LLC_SERVICES, FORMATION_PRICES, FORMATION_REQUIREMENTS)
        if not snapshot.static(name).plain
    ]
    if not snapshot.naics.phrases:
        findings.append(Finding("naics_empty", "naics", "leads to no code."))
    return findings


def _read_node(snapshot: Snapshot, row: int) -> list[Finding]:
    nodes, chunks = snapshot.nodes, snapshot.chunks
    where = nodes.citation(row)
    findings = []
    if nodes.find(nodes.id(row)) != row:
        findings.append(Finding("node_not_found", where, "is not found by its own id."))
    body = nodes.body(row)
    if content_etag(bytes(body.plain)) != body.etag:
        findings.append(Finding("answer_differs", where, "has an answer that is not that of its tag."))
    size = len(nodes.text_bytes(row))
    astray = [
        chunk
        for chunk in range(*nodes.chunk_range(row))
        if chunks.node(chunk) != row or chunks.span(chunk)[3] > size
    ]
    if astray:
        findings.append(Finding("chunk_astray", where, f"chunk {astray[0]} is not of this text."))
    return findings


def _read_layer(snapshot: Snapshot, layer: Layer) -> list[Finding]:
    where = layer.entry.short_code
    findings = []
    if layer.zone_count != layer.entry.feature_count:
        message = f"has {layer.zone_count} zones, not {layer.entry.feature_count}."
        findings.append(Finding("zones_differ", where, message))
    astray = [
        zone.zone_code
        for zone in layer.zones()
        if zone.node_id is not None and snapshot.nodes.find(uuid.UUID(zone.node_id)) is None
    ]
    if astray:
        findings.append(Finding("zone_astray", where, f"zone {astray[0]} cites a node that is not here."))
    snapshot.layers.points(layer)
    return findings


def _query(snapshot: Snapshot) -> list[Finding]:
    encoder, entry = snapshot.encoder, snapshot.manifest.encoder
    folder = snapshot.folder / ENCODER
    if (encoder.dimension, encoder_sha256(folder, load_config(folder))) != (entry.dimension, entry.sha256):
        return [Finding("encoder_unfit", "encoder", "is not the encoder that the manifest names.")]
    vector = encoder.encode_query("rights and duties")
    if len(snapshot.chunks) and not snapshot.vectors.search(vector, filters=Filters(statuses=()), limit=1):
        return [Finding("vectors_silent", "vectors", "a query finds no chunk at all.")]
    return []

"""Preview of a publication: what it would change of the snapshot in service, and what would hold it back.

Nothing is built: the accepted tables are compared with the nodes of the snapshot.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

import pyarrow.parquet as pq

from assets.errors import BuildError
from assets.findings import Finding, Severity
from assets.registry import Registry
from assets.release.coverage import coverage_did_not_shrink
from assets.selection.code_bodies import code_body_entries
from assets.selection.selection import PROVISIONS_FILE, Selection, load_selection
from assets.workspace import Workspace
from serving.contract.errors import NoSnapshotError, SnapshotCorruptError
from serving.contract.layers import answer_file
from serving.contract.layout import GIS, NODES, POINTER
from serving.contract.manifest import Manifest
from serving.contract.records import SNAPSHOT_NODES
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.table import map_table

_COMPARED = ("level", "status", "citation", "heading", "text")
"""Columns by which a provision is compared: what is law of it, and how it is cited."""

_BATCH = 4096
_EXAMPLES = 5
PREVIEW = "preview.json"


@dataclass(frozen=True, slots=True)
class NodeChanges:
    """Nodes that are added, removed and changed, by id; an id stays with its provision."""

    added: tuple[bytes, ...]
    removed: tuple[bytes, ...]
    changed: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class BodyPreview:
    """A code body before and after a publication.

    Attributes:
        before: nodes in service.
        after: nodes that would be.
        examples: citations of the first nodes that would be other.
        gaps: what would be known to be missing.
        stale_titles: titles that would be kept from an earlier edition.
    """

    key: str
    before: int
    after: int
    added: int
    removed: int
    changed: int
    examples: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    stale_titles: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """True where no node would be other."""
        return not (self.added or self.removed or self.changed)


@dataclass(frozen=True, slots=True)
class Preview:
    """A publication that was not made.

    Attributes:
        snapshot: id of the one in service; None: there is none.
        layers_added: short codes of zoning layers that would be new.
        layers_removed: of those that would leave service.
        findings: errors would hold it back, warnings are for a person to judge.
    """

    snapshot: str | None
    bodies: tuple[BodyPreview, ...]
    layers_added: tuple[str, ...]
    layers_removed: tuple[str, ...]
    findings: tuple[Finding, ...]

    def save(self, folder: Path) -> None:
        """Write `preview.json` into `folder`."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        (folder / PREVIEW).write_text(text, encoding="utf-8")


def compare_nodes(before: Mapping[bytes, bytes], after: Mapping[bytes, bytes]) -> NodeChanges:
    """Compare digests of nodes by their ids."""
    return NodeChanges(
        tuple(one for one in after if one not in before),
        tuple(one for one in before if one not in after),
        tuple(one for one, digest in after.items() if before.get(one, digest) != digest),
    )


def manifest_in_service(workspace: Workspace) -> Manifest | None:
    """Return the manifest of the snapshot in service; None where there is none yet.

    Raises:
        BuildError: it is damaged or of another version; says what to do.
    """
    snapshots = workspace.snapshots
    try:
        folder = snapshots / current_snapshot_id(snapshots)
    except NoSnapshotError:
        return None
    try:
        return Manifest.load(folder)
    except SnapshotCorruptError as error:
        raise BuildError(
            "The snapshot in service cannot be read, so that what has to stay there is not known: "
            f"{error.message}. `lawctl snapshot rollback` puts the one before it in service. If there is "
            f"none, move {folder} and {snapshots / POINTER} away: then the next publication is the first."
        ) from error


def published_layers(manifest: Manifest) -> tuple[str, ...]:
    """Return the short codes of the zoning layers of a published snapshot."""
    paths = {file.path for file in manifest.files}
    codes = (entry.short_code for entry in manifest.jurisdictions)
    return tuple(code for code in codes if f"{GIS}/{answer_file(code)}" in paths)


def preview_publication(
    workspace: Workspace,
    registry: Registry,
    served: Manifest | None,
    *,
    bodies: Sequence[str],
    layers: Sequence[str] | None,
) -> Preview:
    """Compare what a publication would hold with the snapshot in service.

    Args:
        workspace: with what was accepted, and the snapshots.
        registry: of the same workspace.
        served: manifest of the snapshot in service.
        bodies: keys of the code bodies to publish.
        layers: short codes of the layers; None: all that are no drafts.

    Raises:
        BuildError: a table that was accepted is damaged.
    """
    findings: list[Finding] = []
    selection = _selection(workspace, registry, bodies, layers, findings)
    held = {} if selection is None else {entry.body.key: entry for entry in selection.bodies}
    folder = None if served is None else workspace.snapshots / served.id
    known = {} if served is None else {body.key: index for index, body in enumerate(served.code_bodies)}
    previews = []
    for key in sorted({*bodies, *known}):
        before = _served_nodes(folder, known[key]) if folder is not None and key in known else {}
        after, named = _accepted_nodes(workspace, key) if key in held else ({}, {})
        changes = compare_nodes(before, after)
        report = held[key].report if key in held else None
        first = [*changes.added, *changes.changed][:_EXAMPLES]
        previews.append(
            BodyPreview(
                key=key,
                before=len(before),
                after=len(after),
                added=len(changes.added),
                removed=len(changes.removed),
                changed=len(changes.changed),
                examples=tuple(named[one] for one in first),
                gaps=() if report is None else report.gaps,
                stale_titles=() if report is None else tuple(one.label for one in report.stale_titles),
            )
        )
    if served is not None and selection is not None:
        findings += coverage_did_not_shrink(served.code_bodies, code_body_entries(selection)).findings
    findings += _not_accepted(workspace, registry)
    maps = set() if served is None else set(published_layers(served))
    ours = set() if selection is None else {entry.layer.short_code for entry in selection.layers}
    return Preview(
        snapshot=None if served is None else served.id,
        bodies=tuple(previews),
        layers_added=tuple(sorted(ours - maps)),
        layers_removed=tuple(sorted(maps - ours)),
        findings=tuple(findings),
    )


def _selection(
    workspace: Workspace,
    registry: Registry,
    bodies: Sequence[str],
    layers: Sequence[str] | None,
    findings: list[Finding],
) -> Selection | None:
    """Load what is to be published as a publication does; what fails in it would hold that back."""
    try:
        return load_selection(workspace, registry, bodies, layers)
    except BuildError as error:
        findings.append(Finding("not_publishable", "selection", error.message))
        return None


def _served_nodes(folder: Path, body: int) -> dict[bytes, bytes]:
    """Return the digests of the nodes of a code body in a snapshot, by id."""
    table = map_table(folder / NODES, SNAPSHOT_NODES)
    found = {}
    columns = ["id_hi", "id_lo", "code_body", *_COMPARED]
    for start in range(0, table.num_rows, _BATCH):
        for row in table.slice(start, _BATCH).select(columns).to_pylist():
            if row["code_body"] == body:
                one = row["id_hi"].to_bytes(8, "big") + row["id_lo"].to_bytes(8, "big")
                found[one] = _digest(row)
    return found


def _accepted_nodes(workspace: Workspace, key: str) -> tuple[dict[bytes, bytes], dict[bytes, str]]:
    """Return the digests and the citations of the accepted provisions of a code body, by id."""
    found, named = {}, {}
    with pq.ParquetFile(workspace.accepted(key) / PROVISIONS_FILE) as file:
        for batch in file.iter_batches(_BATCH, columns=["node_id", *_COMPARED]):
            for row in batch.to_pylist():
                one = UUID(row["node_id"]).bytes
                found[one] = _digest(row)
                named[one] = row["citation"]
    return found, named


def _digest(row: Mapping[str, str]) -> bytes:
    return hashlib.blake2b("\0".join(row[name] for name in _COMPARED).encode(), digest_size=16).digest()


def _not_accepted(workspace: Workspace, registry: Registry) -> Iterator[Finding]:
    """Yield a warning for each code body of which a newer source was read, and not accepted."""
    for body in registry.code_bodies:
        built = _source_of(workspace.provisions(body.key))
        if built is not None and built != _source_of(workspace.accepted(body.key) / "provisions"):
            said = (
                "Another source was read and not accepted: it was a trial, or failed a check, or its build "
                "did not end."
            )
            yield Finding("newer_not_accepted", body.key, said, Severity.WARNING)


def _source_of(folder: Path) -> str | None:
    """Return the hash of the source that provisions were read from; None where there are none."""
    try:
        report = json.loads((folder / "report.json").read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    found = report.get("source_sha256")
    return found if isinstance(found, str) else None

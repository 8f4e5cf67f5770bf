"""`lawctl snapshot`: list, show, verify and compare snapshots, beside the verbs of `lifecycle`."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from serving.commands import lifecycle
from serving.commands.output import print_json, print_text
from serving.commands.snapshot_diff import add_arguments, compare, counted_kinds
from serving.commands.verbs import Parsers, add_noun, add_snapshots, add_verb, settings_of
from serving.contract.changes import NOT_COMPARED, Summary
from serving.contract.errors import DamagedFileError, NoSnapshotError, SnapshotCorruptError
from serving.contract.layout import CHANGES_SUMMARY, MANIFEST
from serving.contract.manifest import Manifest
from serving.snapshot.inspections import Inspection, Inspections
from serving.snapshot.layers import list_layers
from serving.snapshot.lifecycle import pinned, require_retained
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.verify import read_whole, verify_files
from serving.transparency.publications import log_faults


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "snapshot", "list, verify, compare, promote, roll back and remove snapshots")
    for name, run, help_text, takes_id in (
        ("list", _list, "list the published snapshots, oldest first", False),
        ("show", _show, "show what a snapshot was made from and holds", True),
        ("verify", _verify, "check every file of a snapshot against its manifest's hashes", True),
    ):
        verb = add_verb(verbs, name, run, help_text)
        if takes_id:
            verb.add_argument("id", nargs="?", help="snapshot id (default: the one in service)")
        add_snapshots(verb)
    diff = add_verb(verbs, "diff", _diff, "say what changed from one snapshot to another")
    add_arguments(diff)
    add_snapshots(diff)
    lifecycle.add(verbs)


def _list(options: argparse.Namespace) -> int:
    folder = settings_of(options).snapshots
    current = _current(folder)
    inspections, pins = Inspections(folder), pinned(folder)
    rows: list[dict[str, Any]] = []
    for snapshot in list_snapshots(folder):
        row: dict[str, Any] = {"id": snapshot, "current": snapshot == current, "pinned": pins.get(snapshot)}
        try:
            row |= _described(Manifest.load(folder / snapshot))
            inspection = inspections.find(snapshot)
            problem = None if inspection is None else _damage(inspection)
        except SnapshotCorruptError as error:
            problem = f"{MANIFEST}: {error.reason}"
        rows.append(row | {"damage": problem})
    if options.json:
        print_json(rows)
    elif not rows:
        print_text(f"No snapshot has been published in {folder}.")
    for row in () if options.json else rows:
        mark = "*" if row["current"] else " "
        line = f"{mark} {row['id']}"
        if "created" in row:
            bodies = ", ".join(row["codeBodies"])
            line = f"{line}  {row['created']}  {row['nodes']:>9,} nodes  {bodies}"
        if row["pinned"] is not None:
            line = f"{line}  pinned: {row['pinned']}"
        print_text(line if row["damage"] is None else f"{line}  damaged: {row['damage']}")
    return 0


def _described(manifest: Manifest) -> dict[str, Any]:
    return {
        "created": manifest.created,
        "nodes": manifest.counts.get("nodes", 0),
        "codeBodies": [body.key for body in manifest.code_bodies],
        "rootSha256": manifest.root_sha256,
        "nodesRoot": manifest.nodes_root,
    }


def _show(options: argparse.Namespace) -> int:
    folder = _folder(options)
    manifest = Manifest.load(folder)
    inspection = Inspections(folder.parent).find(folder.name)
    changes = _changes(folder, manifest)
    if options.json:
        seen = None if inspection is None else {"ended": inspection.ended, "damage": _damage(inspection)}
        print_json(asdict(manifest) | {"inspection": seen, "changes": changes})
        return 0
    print_text(f"snapshot   {manifest.id}{_place(folder, inspection)}")
    print_text(f"created    {manifest.created}  revision {manifest.revision}")
    if inspection is not None:
        damage = _damage(inspection)
        found = "every file as it was published" if damage is None else f"damaged: {damage}"
        print_text(f"inspected  {inspection.ended}  {found}")
    print_text(f"root hash  {manifest.root_sha256}")
    print_text(f"nodes root {manifest.nodes_root or 'none: it was published without a tree'}")
    print_text(f"encoder    {manifest.encoder.name}, {manifest.encoder.dimension} dimensions")
    size = sum(entry.bytes for entry in manifest.files)
    print_text(f"files      {len(manifest.files)}, {size / 2**20:,.1f} MiB")
    print_text(
        f"counts     {', '.join(f'{name} {count:,}' for name, count in sorted(manifest.counts.items()))}"
    )
    for body in manifest.code_bodies:
        state = "complete" if body.complete else "with gaps"
        currency = f", {body.release_point or body.current_through or 'undated'}"
        print_text(
            f"  {body.key:<16} {body.node_count:>9,} nodes {body.chunk_count:>9,} chunks  {state}{currency}"
        )
    for layer in list_layers(folder):
        quality = f"{layer.citation_quality}{', not the newest' if layer.stale else ''}"
        print_text(
            f"  {layer.short_code:<16} {layer.feature_count:>9,} zones  {quality}, "
            f"map of {layer.layer_date}, law through {layer.code_date or 'no date'}"
        )
    _print_changes(changes)
    return 0


def _changes(folder: Path, manifest: Manifest) -> Summary | None:
    """Return the numbers of what changed with a snapshot; None where an earlier version built it."""
    found = next((entry for entry in manifest.files if entry.path == CHANGES_SUMMARY), None)
    return None if found is None else json.loads(read_whole(folder, found))


def _print_changes(changes: Summary | None) -> None:
    if changes is None or changes["from"] is None:
        print_text(f"changes    none are known: {NOT_COMPARED if changes is None else changes['reason']}")
        return
    print_text(f"changes    from {changes['from']['id']}")
    for body in changes["codeBodies"]:
        print_text(f"  {body['name']}: {counted_kinds(body)}")
        for title in body["staleTitles"]:
            print_text(f"    {title} is kept from an earlier edition: nothing is known of its changes")


def _verify(options: argparse.Namespace) -> int:
    folder = _folder(options)
    inspections = Inspections(folder.parent)
    try:
        manifest = Manifest.load(folder)
        problems = verify_files(folder, manifest)
        if manifest.id != folder.name:
            problems.insert(0, f"{MANIFEST}: is that of {manifest.id}, in the folder of {folder.name}")
        problems += [fault for fault in log_faults(folder.parent, folder.name) if fault not in problems]
        files = {MANIFEST, *(entry.path for entry in manifest.files)}
    except DamagedFileError as error:
        problems, files = [f"{MANIFEST}: {error.reason}"], {MANIFEST}
    # A stray file is named here, and hurts nobody.
    damaged = [one for one in (problem.split(": ", 1) for problem in problems) if one[0] in files]
    inspections.note(
        folder.name, DamagedFileError(str(folder / damaged[0][0]), damaged[0][1]) if damaged else None
    )
    if options.json:
        print_json({"id": folder.name, "files": len(files) - 1, "problems": problems})
    elif problems:
        print_text("\n".join(problems))
    else:
        print_text(f"{folder.name}: all {len(files) - 1} files are as they were published.")
    return 1 if problems else 0


def _diff(options: argparse.Namespace) -> int:
    return compare(settings_of(options).snapshots, options)


def _folder(options: argparse.Namespace) -> Path:
    """Return the folder of the snapshot that the options name, or of the one in service."""
    folder = settings_of(options).snapshots
    return require_retained(folder, options.id or current_snapshot_id(folder))


def _place(folder: Path, inspection: Inspection | None) -> str:
    """Return the remarks that are printed beside a snapshot's id."""
    if _current(folder.parent) != folder.name:
        return ""
    return " (in service)" if inspection is None or inspection.damage is None else " (out of service)"


def _damage(inspection: Inspection) -> str | None:
    damage = inspection.damage
    return None if damage is None else f"{damage.file}: {damage.reason}"


def _current(folder: Path) -> str | None:
    try:
        return current_snapshot_id(folder)
    except NoSnapshotError:
        return None

"""`lawctl snapshot`: list, show and verify the published snapshots."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from serving.commands.output import print_json, print_text
from serving.commands.verbs import Parsers, add_noun, add_snapshots, add_verb, settings_of
from serving.contract.errors import NoSnapshotError, NotFoundError
from serving.contract.manifest import Manifest
from serving.snapshot.layers import list_layers
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.verify import verify_files


def add(commands: Parsers) -> None:
    """Add the verbs."""
    verbs = add_noun(commands, "snapshot", "list, show and verify snapshots")
    for name, run, help_text, takes_id in (
        ("list", _list, "list the published snapshots, oldest first", False),
        ("show", _show, "show what a snapshot was made from and holds", True),
        ("verify", _verify, "check every file of a snapshot against its manifest's hashes", True),
    ):
        verb = add_verb(verbs, name, run, help_text)
        if takes_id:
            verb.add_argument("id", nargs="?", help="snapshot id (default: the one in service)")
        add_snapshots(verb)


def _list(options: argparse.Namespace) -> int:
    folder = settings_of(options).snapshots
    current = _current(folder)
    rows: list[dict[str, Any]] = []
    for snapshot in list_snapshots(folder):
        manifest = Manifest.load(folder / snapshot)
        rows.append(
            {
                "id": snapshot,
                "current": snapshot == current,
                "created": manifest.created,
                "nodes": manifest.counts.get("nodes", 0),
                "codeBodies": [body.key for body in manifest.code_bodies],
                "rootSha256": manifest.root_sha256,
            }
        )
    if options.json:
        print_json(rows)
    elif not rows:
        print_text(f"No snapshot has been published in {folder}.")
    for row in () if options.json else rows:
        mark = "*" if row["current"] else " "
        print_text(
            f"{mark} {row['id']}  {row['created']}  {row['nodes']:>9,} nodes  {', '.join(row['codeBodies'])}"
        )
    return 0


def _show(options: argparse.Namespace) -> int:
    folder, manifest = _chosen(options)
    if options.json:
        print_json(asdict(manifest))
        return 0
    print_text(f"snapshot   {manifest.id}{' (in service)' if _current(folder.parent) == manifest.id else ''}")
    print_text(f"created    {manifest.created}  revision {manifest.revision}")
    print_text(f"root hash  {manifest.root_sha256}")
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
    return 0


def _verify(options: argparse.Namespace) -> int:
    folder, manifest = _chosen(options)
    problems = verify_files(folder, manifest)
    if manifest.id != folder.name:
        problems.insert(0, f"manifest.json: is that of {manifest.id}, in the folder of {folder.name}")
    if options.json:
        print_json({"id": folder.name, "files": len(manifest.files), "problems": problems})
    elif problems:
        print_text("\n".join(problems))
    else:
        print_text(f"{manifest.id}: all {len(manifest.files)} files are as they were published.")
    return 1 if problems else 0


def _chosen(options: argparse.Namespace) -> tuple[Path, Manifest]:
    folder = settings_of(options).snapshots
    snapshot = options.id or current_snapshot_id(folder)
    known = list_snapshots(folder)
    if snapshot not in known:
        there = ", ".join(known) or "none"
        message = f"{folder} holds no snapshot {snapshot}; it holds {there}."
        raise NotFoundError(message, kind="snapshot_gone")
    return folder / snapshot, Manifest.load(folder / snapshot)


def _current(folder: Path) -> str | None:
    try:
        return current_snapshot_id(folder)
    except NoSnapshotError:
        return None

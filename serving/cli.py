"""`lawctl`: what an operator of the server does: serve, and look after the snapshots."""

import argparse
import json
import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from serving.contract.errors import LawError, NoSnapshotError, NotFoundError
from serving.contract.manifest import Manifest
from serving.examples import curl_lines
from serving.settings import Settings
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from serving.snapshot.verify import verify_files


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 done, 1 refused or found wrong, 2 misused."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except LawError as error:
        _complain(error.message)
        return 1
    except BrokenPipeError:
        # Whoever read the output has seen enough; the interpreter must not fail again on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lawctl",
        description="Operate the legal research server. Settings come from LAW_ variables (see the README); "
        "options override them.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_serve(commands)
    snapshot = commands.add_parser("snapshot", help="list, show and verify snapshots")
    verbs = snapshot.add_subparsers(required=True, metavar="VERB")
    for name, run, help_text, takes_id in (
        ("list", _list, "list the published snapshots, oldest first", False),
        ("show", _show, "show what a snapshot was made from and holds", True),
        ("verify", _verify, "check every file of a snapshot against its manifest's hashes", True),
    ):
        verb = verbs.add_parser(name, help=help_text, description=f"{help_text.capitalize()}.")
        if takes_id:
            verb.add_argument("id", nargs="?", help="snapshot id (default: the one in service)")
        verb.add_argument("--json", action="store_true", help="print JSON for programs")
        verb.add_argument("--snapshots", type=Path, metavar="FOLDER", help="folder that holds the snapshots")
        verb.set_defaults(run=run)
    return parser


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser(
        "serve",
        help="serve the current snapshot over HTTP",
        description="Serve the current snapshot over HTTP until SIGTERM or Ctrl-C. A snapshot that is "
        "published meanwhile is taken up without a restart.",
    )
    serve.add_argument("--snapshots", type=Path, metavar="FOLDER", help="folder that holds the snapshots")
    serve.add_argument("--host", help="address to listen on")
    serve.add_argument("--port", type=int, help="port to listen on")
    serve.add_argument("--workers", type=int, help="worker processes (default: one per core)")
    serve.set_defaults(run=_serve)


def _settings(options: argparse.Namespace) -> Settings:
    given = {
        name: value
        for name in ("snapshots", "host", "port", "workers")
        if (value := getattr(options, name, None)) is not None
    }
    settings = replace(Settings.from_env(), **given)
    # Read back as a worker will read it: what it would refuse is refused here, where somebody looks.
    return Settings.from_env(settings.environment())


def _serve(options: argparse.Namespace) -> int:
    settings = _settings(options)
    settings = replace(settings, snapshots=settings.snapshots.resolve())
    try:
        snapshot = current_snapshot_id(settings.snapshots)
    except NoSnapshotError as error:
        _complain(f"{error.message} Build one with `make snapshot`, or name another folder with --snapshots.")
        return 1
    folder = settings.snapshots / snapshot
    manifest = Manifest.load(folder)
    problem = _cannot_listen(settings.host, settings.port)
    if problem is not None:
        _complain(
            f"Cannot listen on {settings.host} port {settings.port}: {problem}. Choose another: --port."
        )
        return 1
    sys.stderr.write(f"Serving snapshot {snapshot} on {settings.public_url} (Ctrl-C stops). Try:\n")
    for line in curl_lines(folder, manifest, settings.public_url):
        sys.stderr.write(f"  {line}\n")
    sys.stderr.flush()
    return _become_gunicorn(settings)


def _become_gunicorn(settings: Settings) -> NoReturn:
    command = [sys.executable, "-m", "gunicorn", "--config", str(files("serving") / "gunicorn.conf.py")]
    os.execve(sys.executable, command, settings.environment())  # noqa: S606 (our own interpreter)


def _cannot_listen(host: str, port: int) -> str | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return (error.strerror or str(error)).lower()
    return None


def _list(options: argparse.Namespace) -> int:
    folder = _settings(options).snapshots
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
        _print_json(rows)
    elif not rows:
        _print(f"No snapshot has been published in {folder}.")
    for row in () if options.json else rows:
        mark = "*" if row["current"] else " "
        _print(
            f"{mark} {row['id']}  {row['created']}  {row['nodes']:>9,} nodes  {', '.join(row['codeBodies'])}"
        )
    return 0


def _show(options: argparse.Namespace) -> int:
    folder, manifest = _chosen(options)
    if options.json:
        _print_json(asdict(manifest))
        return 0
    _print(f"snapshot   {manifest.id}{' (in service)' if _current(folder.parent) == manifest.id else ''}")
    _print(f"created    {manifest.created}  revision {manifest.revision}")
    _print(f"root hash  {manifest.root_sha256}")
    _print(f"encoder    {manifest.encoder.name}, {manifest.encoder.dimension} dimensions")
    size = sum(entry.bytes for entry in manifest.files)
    _print(f"files      {len(manifest.files)}, {size / 2**20:,.1f} MiB")
    _print(f"counts     {', '.join(f'{name} {count:,}' for name, count in sorted(manifest.counts.items()))}")
    for body in manifest.code_bodies:
        state = "complete" if body.complete else "with gaps"
        currency = f", {body.release_point or body.current_through or 'undated'}"
        _print(
            f"  {body.key:<16} {body.node_count:>9,} nodes {body.chunk_count:>9,} chunks  {state}{currency}"
        )
    return 0


def _verify(options: argparse.Namespace) -> int:
    folder, manifest = _chosen(options)
    problems = verify_files(folder, manifest)
    if manifest.id != folder.name:
        problems.insert(0, f"manifest.json: is that of {manifest.id}, in the folder of {folder.name}")
    if options.json:
        _print_json({"id": folder.name, "files": len(manifest.files), "problems": problems})
    elif problems:
        _print("\n".join(problems))
    else:
        _print(f"{manifest.id}: all {len(manifest.files)} files are as they were published.")
    return 1 if problems else 0


def _chosen(options: argparse.Namespace) -> tuple[Path, Manifest]:
    folder = _settings(options).snapshots
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


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")


def _print_json(value: object) -> None:
    _print(json.dumps(value, ensure_ascii=False, indent=1))


def _complain(message: str) -> None:
    sys.stderr.write(f"lawctl: {message}\n")


if __name__ == "__main__":
    sys.exit(main())

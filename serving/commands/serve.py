"""`lawctl serve`: check for what would stop the server, bring the store up to date, and become gunicorn."""

import argparse
import os
import socket
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from serving.commands.demo import DAYS, LIVE_KEYS, demo_key
from serving.commands.examples import curl_lines
from serving.commands.output import remark
from serving.commands.verbs import Parsers, add_database, add_snapshots, settings_of
from serving.contract.errors import LawError, NoSnapshotError
from serving.contract.loopback import is_loopback
from serving.contract.manifest import Manifest
from serving.metering.database import Database
from serving.metering.migrations import migrate
from serving.settings.settings import Settings
from serving.snapshot.pointer import current_snapshot_id


class CannotServeError(LawError):
    """The server cannot start until the operator changes something."""

    code = "cannot_serve"


def add(commands: Parsers) -> None:
    """Add the command."""
    serve = commands.add_parser(
        "serve",
        help="serve the current snapshot over HTTP",
        description="Serve the current snapshot over HTTP until SIGTERM or Ctrl-C. A snapshot that is "
        "published meanwhile is taken up without a restart.",
    )
    add_snapshots(serve)
    serve.add_argument("--host", help="address to listen on")
    serve.add_argument("--port", type=int, help="port to listen on")
    serve.add_argument("--workers", type=int, help="worker processes (default: one per core)")
    add_database(serve)
    serve.add_argument(
        "--demo-key",
        action="store_true",
        help=f"print a new API key that works for {DAYS} days, for trying things out on a laptop; "
        f"of the keys made so the last {LIVE_KEYS} work",
    )
    serve.add_argument(
        "--allow-remote-demo-key",
        action="store_true",
        help="print it even where others can reach the server",
    )
    serve.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    settings = settings_of(options).absolute()
    if options.demo_key and not (options.allow_remote_demo_key or is_loopback(settings.host)):
        raise CannotServeError(
            f"A demo key is for this machine alone, and others can reach {settings.host}. Make a key with "
            "`lawctl keys create` instead, or add --allow-remote-demo-key."
        )
    if settings.traces_url is not None and find_spec("opentelemetry.exporter.otlp") is None:
        raise CannotServeError(
            "LAW_TRACES_URL is set, and what sends traces is not installed: "
            "pip install 'legal-research-api[traces]'."
        )
    snapshot = _snapshot(settings.snapshots)
    folder = settings.snapshots / snapshot
    manifest = Manifest.load(folder)
    _require_addresses(settings)
    migrate(settings.database_url)
    key = _demo_key(settings) if options.demo_key else None
    url = settings.public_url
    hint = f"Demo key: {key}" if key else f"Keys: {url}/settings or `lawctl keys create`."
    remark(f"Starting: {url} answers in a few seconds from snapshot {snapshot} (Ctrl-C stops).")
    if settings.metrics_address is not None and not is_loopback(_host_of(settings.metrics_address)):
        where = settings.metrics_address
        remark(f"WARNING: /metrics on {where} asks nobody to sign in: whoever reaches it reads it.")
    remark(hint)
    remark("Try:")
    for line in curl_lines(folder, manifest, url, key=key):
        remark(f"  {line}")
    sys.stderr.flush()
    _become_gunicorn(settings)


def _snapshot(folder: Path) -> str:
    try:
        return current_snapshot_id(folder)
    except NoSnapshotError as error:
        raise CannotServeError(
            f"{error.message} Build one with `make snapshot`, or name another folder with --snapshots."
        ) from error


def _demo_key(settings: Settings) -> str:
    database = Database(settings.database_url)
    try:
        return demo_key(database).text
    finally:
        database.close()


def _host_of(address: str) -> str:
    return address.rpartition(":")[0].strip("[]")


def _become_gunicorn(settings: Settings) -> NoReturn:
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        str(files("serving.process") / "gunicorn.conf.py"),
    ]
    os.execve(sys.executable, command, settings.environment())  # noqa: S606 (our own interpreter)


def _require_addresses(settings: Settings) -> None:
    """Raise an error if gunicorn could not listen at the addresses; its own message is less clear."""
    problem = _cannot_listen(settings.host, settings.port)
    if problem is not None:
        raise CannotServeError(
            f"Cannot listen on {settings.host} port {settings.port}: {problem}. Choose another: --port."
        )
    if settings.metrics_address is not None and settings.metrics_port is not None:
        problem = _cannot_listen(_host_of(settings.metrics_address), settings.metrics_port)
        if problem is not None:
            raise CannotServeError(
                f"Cannot listen on {settings.metrics_address}: {problem}. Change LAW_METRICS_ADDRESS."
            )


def _cannot_listen(host: str, port: int) -> str | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return (error.strerror or str(error)).lower()
    return None

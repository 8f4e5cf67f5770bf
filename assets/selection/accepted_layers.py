"""Accepted layers: the last version of each that passed all its checks, and whether a newer one failed."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from assets.errors import BuildError
from assets.registry import Layer
from assets.workspace import Workspace, replacing

_ATTEMPT = "attempt.json"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A build of a layer that was begun: when (RFC 3339 in UTC), and why it failed if a step said so."""

    at: str
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class AcceptedLayer:
    """A layer as it is published.

    Attributes:
        folder: with its zones, report and official sections.
        failure: why a newer build failed; None: this is the newest.
    """

    layer: Layer
    folder: Path
    failure: str | None


@dataclass(frozen=True, slots=True)
class FailedLayer:
    """A layer of which no version passed its checks, and why the newest did not."""

    layer: Layer
    failure: str


def begin(workspace: Workspace, short_code: str, *, now: datetime) -> None:
    """Record that a build begins. Until it is accepted, the version accepted before counts as stale."""
    folder = workspace.layer_attempts
    folder.mkdir(parents=True, exist_ok=True)
    at = now.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    _write(_path(workspace, short_code), Attempt(at))


def fail(workspace: Workspace, short_code: str, message: str) -> None:
    """Record why the build that was begun last failed."""
    begun = latest(workspace, short_code)
    if begun is not None:
        _write(_path(workspace, short_code), Attempt(begun.at, message))


def latest(workspace: Workspace, short_code: str) -> Attempt | None:
    """Return the build that was begun last."""
    return _read(_path(workspace, short_code))


def accept_layer(workspace: Workspace, short_code: str) -> dict[str, int]:
    """Put the present build of a layer in the place of the one accepted before; return bytes by file.

    Raises:
        BuildError: it was not built.
    """
    built = workspace.layer(short_code)
    if not built.is_dir():
        raise BuildError(f"{built} is missing: build the layer {short_code} first.")
    sizes = {}
    with replacing(workspace.accepted_layer(short_code)) as staging:
        for path in sorted(built.iterdir()):
            os.link(path, staging / path.name)
            sizes[path.name] = path.stat().st_size
        begun = latest(workspace, short_code)
        if begun is not None:
            _write(staging / _ATTEMPT, begun)
    return sizes


def withdraw_layer(workspace: Workspace, short_code: str) -> None:
    """Take back that a layer was accepted or tried; its pinned files stay."""
    shutil.rmtree(workspace.accepted_layer(short_code), ignore_errors=True)
    _path(workspace, short_code).unlink(missing_ok=True)


def newer_failure(workspace: Workspace, short_code: str) -> str | None:
    """Return in words why a build after the accepted one failed; None where that is the newest."""
    begun = latest(workspace, short_code)
    good = _read(workspace.accepted_layer(short_code) / _ATTEMPT)
    if begun is None or (good is not None and good.at == begun.at):
        return None
    return begun.failure or "It did not finish, or a check of it failed."


def available_layers(
    workspace: Workspace, layers: Sequence[Layer]
) -> tuple[tuple[AcceptedLayer, ...], tuple[FailedLayer, ...]]:
    """Return which of `layers` can be published, and which could not be built; drafts are neither."""
    accepted, failed = [], []
    for layer in sorted(layers, key=lambda layer: layer.short_code):
        folder = workspace.accepted_layer(layer.short_code)
        failure = newer_failure(workspace, layer.short_code)
        if layer.draft:
            continue
        if folder.is_dir():
            accepted.append(AcceptedLayer(layer, folder, failure))
        elif failure is not None:
            failed.append(FailedLayer(layer, failure))
    return tuple(accepted), tuple(failed)


def _path(workspace: Workspace, short_code: str) -> Path:
    return workspace.layer_attempts / f"{short_code}.json"


def _read(path: Path) -> Attempt | None:
    try:
        return Attempt(**json.loads(path.read_bytes()))
    except FileNotFoundError:
        return None


def _write(path: Path, attempt: Attempt) -> None:
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(json.dumps(asdict(attempt)) + "\n", encoding="utf-8")
    beside.replace(path)

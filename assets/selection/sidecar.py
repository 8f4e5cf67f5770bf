"""`built.json` beside an artefact: the inputs it was built from, so that none is mixed with others."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assets.errors import BuildError
from assets.selection.selection import Inputs

SIDECAR = "built.json"


def write_sidecar(folder: Path, inputs: Inputs, *, used: tuple[str, ...], counts: dict[str, int]) -> None:
    """Record in `folder` which inputs its artefact was built from, and how much it holds."""
    record = {
        "code_bodies": inputs.code_bodies,
        "inputs": {name: asdict(inputs)[name] for name in used},
        "counts": counts,
    }
    (folder / SIDECAR).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def require_inputs(folder: Path, inputs: Inputs) -> dict[str, int]:
    """Return the counts of the artefact in `folder`.

    Raises:
        BuildError: it was not built, or from other inputs than `inputs`.
    """
    record = _record(folder)
    selected = asdict(inputs)
    differing = sorted(name for name, value in record["inputs"].items() if selected[name] != value)
    if differing:
        raise BuildError(
            f"{folder.name} was built from other {', '.join(differing)} than those selected: build it again."
        )
    counts: dict[str, int] = record["counts"]
    return counts


def built_from(folder: Path) -> tuple[str, ...]:
    """Return the keys of the code bodies that the artefact in `folder` was built from.

    Raises:
        BuildError: it was not built.
    """
    return tuple(_record(folder)["code_bodies"])


def _record(folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / SIDECAR).read_bytes())
    except FileNotFoundError:
        raise BuildError(f"{folder} holds no finished artefact: build {folder.name} first.") from None
    return record

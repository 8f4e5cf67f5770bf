"""`made.json` in the folder of a stage: what its files were made from, so that the same is not made again."""

import json
from pathlib import Path

from assets.versions import files_version

RECORD = "made.json"


def record_made(folder: Path, *, inputs: str, rules: str) -> None:
    """Note in `folder`, which nobody else knows yet, what its files were made from.

    Args:
        folder: of the stage.
        inputs: version of all that they were made from.
        rules: version of the code and the settings among it, without the data.
    """
    begun = folder / f".{RECORD}"
    begun.write_text(json.dumps({"inputs": inputs, "rules": rules}) + "\n", encoding="utf-8")
    begun.rename(folder / RECORD)


def made_from(folder: Path) -> str | None:
    """Return the version of what the files in `folder` were made from; None where that is not known."""
    return _noted(folder, "inputs")


def made_by(folder: Path) -> str | None:
    """Return the version of the rules by which the files in `folder` were made; None where not known."""
    return _noted(folder, "rules")


def _noted(folder: Path, name: str) -> str | None:
    try:
        found = json.loads((folder / RECORD).read_bytes())[name]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, str) else None


def version_of(folder: Path) -> str:
    """Return the version of what a stage made: of the bytes of its files."""
    return files_version(path for path in sorted(folder.iterdir()) if path.name != RECORD)


def forget(folder: Path) -> None:
    """Make the next run of the stage make everything anew."""
    (folder / RECORD).unlink(missing_ok=True)

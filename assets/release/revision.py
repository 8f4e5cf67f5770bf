"""The revision of this code, for the manifest."""

import subprocess
from pathlib import Path

UNKNOWN = "unknown"


def code_revision() -> str:
    """Return the Git commit of the checkout, with `+` where it has changes; `unknown` outside one."""
    folder = Path(__file__).parent
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return UNKNOWN
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"{commit}+" if changed else commit


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        result = subprocess.run(  # noqa: S603 - arguments are this module's own
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - whichever Git the path has
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None  # no Git, or no checkout: an installed copy has neither
    return result.stdout.strip()

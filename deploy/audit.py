"""Ask a database of vulnerabilities about every package of a server: `python -m deploy.audit`.

It needs pip-audit, from `requirements-audit.lock`, and the network. A package that the database does not know
was not audited, and pip-audit passes over it with success: here it is no success.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = "requirements-serve.lock"
SOUND, VULNERABLE, NOT_AUDITED = 0, 1, 2
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an audit came to: exit status, and why in words."""

    status: int
    said: str


def judged(report: dict[str, Any] | None, problem: str = "") -> Outcome:
    """Return what a report of pip-audit comes to.

    Args:
        report: as it writes it in JSON; None where it wrote none.
        problem: the last that it said, for where it wrote none.
    """
    if report is None:
        return Outcome(NOT_AUDITED, f"Not audited: the database of vulnerabilities is silent ({problem}).")
    packages = report["dependencies"]
    found = [
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'none'}"
        for one in packages
        for flaw in one.get("vulns", ())
    ]
    if found:
        return Outcome(VULNERABLE, "\n".join(["Vulnerable:", *found]))
    skipped = [str(one["name"]) for one in packages if "skip_reason" in one]
    if skipped or not packages:
        named = ", ".join(skipped[:_SHOWN]) + (", ..." if len(skipped) > _SHOWN else "")
        return Outcome(
            NOT_AUDITED,
            f"Not audited: the database knows {len(packages) - len(skipped)} of {len(packages)} packages "
            f"(not {named or 'any'}). Is it reached from here?",
        )
    return Outcome(SOUND, f"No known vulnerability in {len(packages)} packages.")


def audit(lock: Path) -> Outcome:
    """Ask about every package of a lock file."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(lock), "--no-deps", "--disable-pip"]
    command += ["--require-hashes", "--format", "json", "--progress-spinner", "off", "--desc", "off"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (our own interpreter)
    try:
        return judged(json.loads(done.stdout))
    except ValueError:
        lines = done.stderr.strip().splitlines() or ["no word"]
        return judged(None, lines[-1][:300])


def main() -> int:
    """Audit, say what came of it, and exit with it."""
    outcome = audit(ROOT / LOCK)
    print(outcome.said, file=sys.stderr if outcome.status else sys.stdout)
    return outcome.status


if __name__ == "__main__":
    sys.exit(main())

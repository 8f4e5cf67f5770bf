"""What an audit comes to: sound only where every package was asked about and none is known to be vulnerable."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.audit import NOT_AUDITED, SOUND, VULNERABLE, judged

ROOT = Path(__file__).parents[2]
KNOWN = {"name": "falcon", "version": "4.4.0", "vulns": []}
UNKNOWN = {
    "name": "uvicorn",
    "skip_reason": "Dependency not found and could not be audited: uvicorn (0.54.0)",
}
FLAWED = {"name": "jinja2", "version": "3.0", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["3.1.6"]}]}


@pytest.mark.parametrize(
    ("packages", "status", "said"),
    [
        ([KNOWN], SOUND, "No known vulnerability in 1 packages."),
        ([KNOWN, FLAWED], VULNERABLE, "jinja2 3.0: PYSEC-2026-1, mended in 3.1.6"),
        ([FLAWED, UNKNOWN], VULNERABLE, "jinja2 3.0"),
        ([KNOWN, UNKNOWN], NOT_AUDITED, "knows 1 of 2 packages (not uvicorn)"),
        ([], NOT_AUDITED, "knows 0 of 0 packages"),
    ],
)
def test_what_was_not_asked_about_is_no_success(packages: list[object], status: int, said: str) -> None:
    outcome = judged({"dependencies": packages})
    assert outcome.status == status
    assert said in outcome.said


def test_no_answer_is_no_success() -> None:
    outcome = judged(None, "Failed to resolve")
    assert (outcome.status, "Failed to resolve" in outcome.said) == (NOT_AUDITED, True)


def test_without_its_tool_it_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.audit"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == NOT_AUDITED
    assert "No module named pip_audit" in done.stderr

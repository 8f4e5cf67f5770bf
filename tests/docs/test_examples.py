"""The examples of the documentation, run against a server of the embedded sample, as after `make run`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, blocks, commands
from tests.serving.servers import Server

pytestmark = pytest.mark.e2e
ADDRESS = "http://127.0.0.1:8000"
CALLS = sorted(
    {
        line
        for text in PAGES.values()
        for line in commands(text)
        if line.startswith(("curl ", "legal ")) and ADDRESS in line + ADDRESS
    }
)
PROGRAMS = [(page, program) for page, text in PAGES.items() for program in blocks(text, "python")]


@pytest.mark.parametrize("line", CALLS)
def test_a_call_is_answered(
    line: str, sample_server: Server, environment: dict[str, str], tmp_path: Path
) -> None:
    line = line.replace(ADDRESS, sample_server.url)
    (tmp_path / "draft.txt").write_text(
        "A deposit is returned in time, 2 Sample Code § 3103(a).", encoding="utf-8"
    )
    if line.startswith("curl "):
        line = line.replace("curl ", "curl --fail-with-body --silent --show-error ", 1)
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stdout.strip()
    assert '"results": []' not in done.stdout


def test_there_are_calls() -> None:
    assert len(CALLS) >= 12
    assert len(PROGRAMS) >= 3


@pytest.mark.parametrize(("page", "program"), PROGRAMS, ids=[page for page, _ in PROGRAMS])
def test_a_program_runs(page: str, program: str, sample_server: Server, environment: dict[str, str]) -> None:
    program = program.replace(ADDRESS, sample_server.url).replace("lr_live_...", environment["LAW_KEY"])
    arguments = ["2 Sample Code 3103(a)", "the landlord shall return the deposit with interest"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()

"""A build that is told to end while a hostile map is at work ends at once, and leaves no process behind."""

import math
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import yaml

from assets.workspace import Workspace, alone_in
from tests.hostile import geojson

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
BUILD = "import sys; from pipelines.build import main; sys.exit(main(sys.argv[1:]))"

KILLED = """
import os, signal
import dagster as dg
from assets.settings import BuildSettings
from pipelines.left_places import workspace_tags

@dg.asset(pool="publishers")
def killed():
    os.kill(os.getpid(), signal.SIGKILL)

tags = workspace_tags(BuildSettings.from_env().open())
dg.materialize([killed], instance=dg.DagsterInstance.get(), tags=tags)
"""


def test_a_build_ends_promptly_while_geos_is_at_work(workspace: Workspace, tmp_path: Path) -> None:
    given = tmp_path / "map.geojson"
    given.write_bytes(
        geojson.document([geojson.feature(geojson.polygon(star(70_001)))]).replace(b'"R1"', b'"SM"')
    )
    command = [sys.executable, "-c", BUILD, f"sample-city={given}"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=os.environ) as build:
        try:
            confined = _confined(build.pid)
            time.sleep(1)  # into GEOS, where no signal is looked at
            began = time.monotonic()
            build.send_signal(signal.SIGTERM)
            _, said = build.communicate(timeout=100)
            assert time.monotonic() - began < 30
            assert build.returncode == 128 + signal.SIGTERM
            assert "Traceback" not in said
            assert said.splitlines()[-1].startswith("lawbuild: stopped by SIGTERM;")
            with alone_in(workspace.root, waiting=lambda: pytest.fail("the lock is held still")):
                pass
            assert (
                not psutil.pid_exists(confined) or psutil.Process(confined).status() == psutil.STATUS_ZOMBIE
            )
        finally:
            build.kill()


def test_a_build_that_waits_for_another_is_stopped(workspace: Workspace) -> None:
    command = [sys.executable, "-c", BUILD, "sample-code"]
    with (
        alone_in(workspace.root, waiting=lambda: None),
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=os.environ) as build,
    ):
        assert build.stderr is not None
        assert "another build is at work" in build.stderr.readline()
        build.send_signal(signal.SIGINT)
        _, said = build.communicate(timeout=100)
        assert (build.returncode, said.count("\n")) == (128 + signal.SIGINT, 1)
        assert said.startswith("lawbuild: stopped by SIGINT;")


def test_a_build_does_not_wait_for_one_that_was_killed(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed run keeps its place in a pool, which Dagster gives to nobody else."""
    home = tmp_path / "dagster"
    home.mkdir()
    concurrency = yaml.safe_load((ROOT / "dagster.yaml").read_text(encoding="utf-8"))["concurrency"]
    (home / "dagster.yaml").write_text(yaml.safe_dump({"concurrency": concurrency}), encoding="utf-8")
    monkeypatch.setenv("DAGSTER_HOME", str(home))
    with subprocess.Popen([sys.executable, "-c", KILLED], cwd=ROOT) as killed:
        assert killed.wait(240) == -signal.SIGKILL
    command = [sys.executable, "-c", BUILD, "--trial", "sample-code"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    assert workspace.provisions("sample-code").is_dir()


def star(points: int) -> list[list[float]]:
    """Return a ring within the bounds of the sample city that crosses itself at almost each pair of its sides."""
    turn = 2 * math.pi * (points // 2) / points
    return [[-40.005 + 0.02 * math.cos(turn * n), 30.01 + 0.015 * math.sin(turn * n)] for n in range(points)]


def _confined(pid: int) -> int:
    """Return the process that reads the map, once it has worked for a while."""
    until = time.monotonic() + 240
    while time.monotonic() < until:
        for child in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # others come and go
                if "assets.confinement.process" in child.cmdline() and child.cpu_times().user > 1.5:
                    found: int = child.pid
                    return found
        time.sleep(0.05)
    raise AssertionError("no map was read")

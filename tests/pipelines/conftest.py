"""Fixtures of the build: a workspace of its own with the encoder in place, and `lawbuild` inside it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.settings import BuildSettings
from assets.workspace import Workspace
from pipelines.build import main
from tests.formation import add_naics_vectors


@pytest.fixture
def workspace(tmp_path: Path, encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An empty workspace that `lawbuild` will find in the environment; the encoder is built already."""
    monkeypatch.setenv("LAW_WORKSPACE", str(tmp_path / "work"))
    monkeypatch.setenv("LAW_SNAPSHOTS", str(tmp_path / "snapshots"))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    opened = BuildSettings.from_env().open()
    shutil.copytree(encoder_folder, opened.encoder)
    add_naics_vectors(opened, encoder_folder)
    return opened


@pytest.fixture
def lawbuild(workspace: Workspace, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run `lawbuild` in this process; return its exit status and what it said."""

    def run(*arguments: str) -> tuple[int, str]:
        capfd.readouterr()
        status = main(list(arguments))
        captured = capfd.readouterr()
        return status, captured.out + captured.err

    return run

"""Fixtures of the build: a workspace of its own with the encoder in place, and `lawbuild` inside it."""

import io
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assets.settings import BuildSettings
from assets.workspace import Workspace
from pipelines.build import main
from tests.assets.connectors.publisher import Publisher, publishing
from tests.formation import add_naics_vectors
from tests.object_stores import S3Server

DATASETS = Path("datasets").absolute()
WORKSPACE_ON = os.environ.get("WORKSPACE_ON")


@pytest.fixture
def workspace(
    tmp_path: Path, encoder_folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Workspace:
    """An empty workspace that `lawbuild` will find in the environment; the encoder is built already.

    With WORKSPACE_ON=s3 in the environment, as `make storage-suite` sets it, it is the working copy of one on S3.
    """
    for name, folder in (("LAW_WORKSPACE", "work"), ("LAW_SNAPSHOTS", "snapshots")):
        monkeypatch.setenv(name, str(tmp_path / folder))
        if WORKSPACE_ON == "s3":
            server: S3Server = request.getfixturevalue("s3")
            monkeypatch.setenv(f"{name}_CACHE", str(tmp_path / folder))
            monkeypatch.setenv(name, f"s3://{server.new_bucket()}/{folder}")
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


@pytest.fixture(scope="session")
def kept_builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what `already_built` made."""
    return tmp_path_factory.mktemp("built")


@pytest.fixture
def already_built(
    workspace: Workspace, lawbuild: Callable[..., tuple[int, str]], kept_builds: Path
) -> Callable[..., None]:
    """Fill the empty workspace with what `lawbuild` makes of sample bodies: built once, and copied from then on.

    For tests that look at what comes after. Where the workspace is on S3, it is built each time.
    """

    def fill(*bodies: str) -> None:
        kept = kept_builds / " ".join(bodies)
        places = {workspace.root: kept / "work", workspace.snapshots: kept / "snapshots"}
        if kept.exists():
            for folder, copy in places.items():
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(copy, folder, symlinks=True)
            return
        status, said = lawbuild(*bodies)
        assert status == 0, said
        if WORKSPACE_ON is None:
            for folder, copy in places.items():
                shutil.copytree(folder, copy, symlinks=True)

    return fill


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with publishing() as running:
        yield running


@pytest.fixture
def fetched_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make the sample's entry one that is fetched from an address instead of packaged."""

    def change(address: str) -> None:
        datasets = tmp_path / "datasets"
        datasets.mkdir()
        for path in DATASETS.iterdir():
            if path.name != "registry":
                (datasets / path.name).symlink_to(path)
        shutil.copytree(DATASETS / "registry", datasets / "registry")
        entries = datasets / "registry" / "code_bodies.toml"
        source = 'source = "sample/sample-code"\n'
        connector = f'[entry.connector]\nkind = "https"\nfile = "{address}"\nstale_after_days = 10\n'
        text = entries.read_text(encoding="utf-8")
        assert text.count(source) == 1
        entries.write_text(text.replace(source, f"\n{connector}"), encoding="utf-8")
        monkeypatch.setenv("LAW_DATASETS", str(datasets))

    return change


def sample() -> bytes:
    """Return the sample's code, packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((DATASETS / "sample" / "sample-code").rglob("*")):
            if path.is_file():
                archive.write(path, path.name)
    return out.getvalue()

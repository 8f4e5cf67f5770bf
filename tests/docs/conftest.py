"""A server of the embedded sample, as after `make run`, and the shell of somebody who calls it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assets.workspace import Workspace
from tests.docs.pages import ROOT
from tests.formation import add_naics_vectors
from tests.serving.servers import KeyRing, Server


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the guide, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("guide") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def sample_server(
    tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, site: Path, encoder_folder: Path
) -> Iterator[Server]:
    """Serves the snapshot that `make run` builds, with an encoder that is built already, and the guide."""
    folder = tmp_path_factory.mktemp("sample")
    workspace = Workspace(folder / "data", ROOT / "datasets", folder / "snapshots")
    shutil.copytree(encoder_folder, workspace.encoder)
    add_naics_vectors(workspace, encoder_folder)
    places = {"LAW_WORKSPACE": str(workspace.root), "LAW_SNAPSHOTS": str(workspace.snapshots)}
    subprocess.run(
        [str(Path(sys.executable).parent / "lawbuild"), "sample-code", "sample-city-code", "sample-city"],
        cwd=ROOT,
        env={**os.environ, **places},
        check=True,
        capture_output=True,
    )
    database = folder / "accounts.sqlite"
    database.write_bytes(sqlite_template.read_bytes())
    server = Server(
        workspace.snapshots,
        folder / "server.log",
        f"sqlite:///{database}",
        environment={"LAW_GUIDE": str(site)},
    )
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def environment(sample_server: Server) -> dict[str, str]:
    """The environment of a shell in which the key was exported."""
    key = KeyRing(sample_server.database).headers()["Authorization"].removeprefix("Bearer ")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    named = {"LAW_KEY": key, "LEGAL_API_KEY": key, "LEGAL_BASE_URL": sample_server.url, "PATH": path}
    return {**os.environ, **named}

"""Dockerfile and compose file: what they copy is there, and what they run is nobody's, bounded and read-only."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from serving.settings.table import TABLE
from tests.serving.servers import free_port

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVERS = ["sqlite", "postgres"]
PIPELINE = ["dagster", "daemon"]
IMAGES = {
    "Dockerfile": ".dockerignore",
    "deploy/pipeline.Dockerfile": "deploy/pipeline.Dockerfile.dockerignore",
}
NOBODY = "65534:65534"


def instructions(file: str = "Dockerfile") -> list[tuple[str, str]]:
    """The instructions of a Dockerfile with their arguments, one line each."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / file).read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def of(name: str, file: str = "Dockerfile") -> list[str]:
    return [rest for found, rest in instructions(file) if found == name]


@pytest.mark.parametrize("file", IMAGES)
def test_what_is_copied_is_there_and_not_ignored(file: str) -> None:
    allowed = [
        line[1:] for line in (ROOT / IMAGES[file]).read_text(encoding="utf-8").split() if line.startswith("!")
    ]
    copied = {
        source
        for line in of("COPY", file)
        if "--from=" not in line
        for source in [part for part in shlex.split(line) if not part.startswith("--")][:-1]
    }
    assert {"pyproject.toml", "serving"} <= copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(fnmatch.fnmatch(source, pattern) for pattern in allowed), source
    assert set(allowed) == copied, "nothing else is sent to the builder"


@pytest.mark.parametrize(
    ("file", "lock"),
    [("Dockerfile", "requirements-serve.lock"), ("deploy/pipeline.Dockerfile", "requirements.lock")],
)
def test_packages_come_from_a_lock_with_their_hashes(file: str, lock: str) -> None:
    installs = [line for line in of("RUN", file) for line in line.split("&&") if "pip install" in line]
    locked, own = installs
    assert {"--no-deps", "--require-hashes", lock} <= set(locked.split())
    assert {"--no-deps", "--no-build-isolation", "."} <= set(own.split())
    assert not of("ADD", file)
    assert all(":" in line.split()[0] and ":latest" not in line for line in of("FROM", file))


@pytest.mark.parametrize("file", IMAGES)
def test_an_image_runs_as_nobody(file: str) -> None:
    assert of("USER", file) == [NOBODY]
    names = [name for name, _ in instructions(file)]
    assert names.index("USER") > max(index for index, name in enumerate(names) if name in ("RUN", "COPY"))


def test_the_image_of_servers_says_how_it_is() -> None:
    assert "/health" in of("HEALTHCHECK")[0]
    assert (of("ENTRYPOINT"), of("CMD")) == (['["lawctl"]'], ['["serve"]'])


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_service_is_bounded(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"])
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert not {"privileged", "cap_add", "network_mode", "pid", "ipc", "devices"} & set(service)
    assert any(mount.startswith("/tmp:") and "noexec" in mount for mount in service["tmpfs"])
    writable = [mount for mount in service["volumes"] if mount["type"] == "bind" and "read_only" not in mount]
    assert [mount["target"] for mount in writable] == (["/snapshots"] if name in PIPELINE else [])


@pytest.mark.parametrize("name", SERVERS)
def test_servers_are_nobody_and_reach_this_machine_alone(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["user"] == NOBODY
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    (snapshots,) = [mount for mount in service["volumes"] if mount["target"] == "/snapshots"]
    assert snapshots["read_only"] is True


def test_the_pipeline_writes_the_folder_that_servers_read() -> None:
    sources = {
        mount["source"]
        for name in (*SERVERS, *PIPELINE)
        for mount in COMPOSE["services"][name]["volumes"]
        if mount["target"] == "/snapshots"
    }
    assert len(sources) == 1


def test_the_pages_of_dagster_reach_this_machine_alone() -> None:
    pages, daemon = (COMPOSE["services"][name] for name in PIPELINE)
    assert all(port.startswith("127.0.0.1:") for port in pages["ports"])
    assert "ports" not in daemon
    assert COMPOSE["networks"]["pipeline"]["internal"] is True
    for service in (pages, daemon):
        assert (service["user"], service["volumes"]) == (NOBODY, pages["volumes"])
        assert "store" not in service.get("networks", ())


@pytest.mark.e2e
def test_the_pipeline_starts_as_its_image_does(tmp_path: Path) -> None:
    """The command, settings and folders of the image, outside of one."""
    (line,) = of("ENV", "deploy/pipeline.Dockerfile")
    settings = dict(word.split("=", 1) for word in line.split())
    assert {"LAW_DATASETS", "LAW_WORKSPACE", "LAW_SNAPSHOTS"} < set(settings)
    home = tmp_path / settings["DAGSTER_HOME"].strip("/")
    home.mkdir()
    shutil.copy(ROOT / "dagster.yaml", home)
    places = {
        "DAGSTER_HOME": str(home),
        "LAW_DATASETS": str(ROOT / "datasets"),
        "LAW_WORKSPACE": str(tmp_path / "tables"),
        "LAW_SNAPSHOTS": str(tmp_path / "snapshots"),
        "PYTHONPATH": str(ROOT),
    }
    port = free_port()
    (told,) = of("CMD", "deploy/pipeline.Dockerfile")
    program, *arguments = json.loads(told.replace("0.0.0.0", "127.0.0.1").replace("3000", str(port)))
    command = [str(Path(sys.executable).parent / program), *arguments]
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(command, cwd=home, env={**os.environ, **places}, stdout=log, stderr=log) as process,
    ):
        try:
            names = _jobs(f"http://127.0.0.1:{port}/graphql", process)
        finally:
            process.terminate()
    assert {"build_code_body", "build_zoning_layer", "publish_snapshot"} <= names
    assert (home / ".dagster" / "storage").is_dir(), "its records lie in the volume"


def _jobs(address: str, process: subprocess.Popen[bytes]) -> set[str]:
    query = "{repositoriesOrError {... on RepositoryConnection {nodes {jobs {name}}}}}"
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        try:
            answer = httpx.post(address, json={"query": query}, timeout=60).json()
        except httpx.ConnectError:
            time.sleep(0.5)
            continue
        return {job["name"] for job in answer["data"]["repositoriesOrError"]["nodes"][0]["jobs"]}
    raise AssertionError("Dagster did not start")


def test_the_store_is_reached_by_its_server_alone_and_has_no_password_of_ours() -> None:
    store = COMPOSE["services"]["store"]
    assert "ports" not in store
    assert store["networks"] == ["store"]
    assert COMPOSE["networks"]["store"]["internal"] is True
    assert store["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_volumes_and_settings_are_known() -> None:
    mounted = {
        mount["source"]
        for service in COMPOSE["services"].values()
        for mount in service["volumes"]
        if mount["type"] == "volume"
    }
    assert mounted == set(COMPOSE["volumes"])
    known = {setting.variable for setting in TABLE}
    for name in SERVERS:
        assert set(COMPOSE["services"][name]["environment"]) <= known
    assert {line.split("=")[0] for line in of("ENV")[0].split() if line.startswith("LAW_")} <= known

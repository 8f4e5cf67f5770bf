"""Dockerfile and compose file: what they copy is there, and what they run is nobody's, bounded and read-only."""

import fnmatch
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from serving.settings import TABLE

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVERS = ["sqlite", "postgres"]
NOBODY = "65534:65534"


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with their arguments, one line each."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def of(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def test_what_is_copied_is_there_and_not_ignored() -> None:
    allowed = [
        line[1:]
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
        if line.startswith("!")
    ]
    copied = {
        source
        for line in of("COPY")
        if "--from=" not in line
        for source in [part for part in shlex.split(line) if not part.startswith("--")][:-1]
    }
    assert {"requirements-serve.lock", "serving"} <= copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(fnmatch.fnmatch(source, pattern) for pattern in allowed), source
    assert set(allowed) == copied, "nothing else is sent to the builder"


def test_packages_come_from_the_lock_of_servers_with_their_hashes() -> None:
    installs = [line for line in of("RUN") for line in line.split("&&") if "pip install" in line]
    locked, own = installs
    assert {"--no-deps", "--require-hashes", "requirements-serve.lock"} <= set(locked.split())
    assert {"--no-deps", "--no-build-isolation", "."} <= set(own.split())
    assert not of("ADD")
    assert all(":" in line.split()[0] and ":latest" not in line for line in of("FROM"))


def test_the_image_runs_as_nobody_and_says_how_it_is() -> None:
    assert of("USER") == [NOBODY]
    names = [name for name, _ in instructions()]
    assert names.index("USER") > max(index for index, name in enumerate(names) if name in ("RUN", "COPY"))
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
    assert all(mount["type"] == "volume" or mount["read_only"] for mount in service["volumes"])


@pytest.mark.parametrize("name", SERVERS)
def test_servers_are_nobody_and_reach_this_machine_alone(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["user"] == NOBODY
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    (snapshots,) = [mount for mount in service["volumes"] if mount["target"] == "/snapshots"]
    assert snapshots["read_only"] is True


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

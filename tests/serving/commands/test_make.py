"""What `make` does with accounts: it never deletes them, and shows a demo key on this machine alone."""

import subprocess
from pathlib import Path

import pytest

from tests.serving.servers import CHECKOUT


def make(folder: Path, *words: str) -> str:
    command = ["make", "-f", str(CHECKOUT / "Makefile"), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_cleaning_keeps_accounts(tmp_path):
    for path in (
        "data/accounts/accounts.sqlite",
        "data/provisions/x",
        "data/.hidden",
        "snapshots/y",
        ".cache/z",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    make(tmp_path, "clean")
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["data/accounts/accounts.sqlite"]
    make(tmp_path, "clean")


def test_cleaning_follows_a_link_to_the_workspace(tmp_path):
    (tmp_path / "disk" / "accounts").mkdir(parents=True)
    (tmp_path / "disk" / "provisions").mkdir()
    (tmp_path / "data").symlink_to("disk")
    make(tmp_path, "clean")
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["accounts"]


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("localhost", True), ("0.0.0.0", False)],
)
def test_only_this_machine_is_shown_a_demo_key(host, shown):
    commands = make(CHECKOUT, "--dry-run", "run", f"HOST={host}")
    assert ("--demo-key" in commands) == shown


def test_pages_of_the_sample_are_prepared_for_the_server_that_is_started(tmp_path):
    places = (f"SNAPSHOTS={tmp_path}", "HOST=127.1.2.3", "PORT=9000")
    commands = make(CHECKOUT, "--dry-run", "run", *places).splitlines()
    (prepares,) = [line for line in commands if "lawctl pages prepare" in line]
    assert {f"LAW_SNAPSHOTS={tmp_path}", "LAW_HOST=127.1.2.3", "LAW_PORT=9000"} <= set(prepares.split())
    (tmp_path / "current.json").touch()
    assert "pages prepare" not in make(CHECKOUT, "--dry-run", "run", *places)


def dry_run(*words: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--dry-run", "dev", *words]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_the_pipeline_is_opened_to_this_machine(host):
    commands = dry_run(f"HOST={host}").stdout
    assert f"--host {host}" in commands
    assert "exit 1" not in commands
    assert "WARNING" not in commands


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "law.example", ""])
def test_the_pipeline_is_opened_to_others_on_demand_alone(host):
    refused = dry_run(f"HOST={host}").stdout
    assert refused.index("exit 1") < refused.index("--host"), "nothing starts"
    assert "FOR_ALL=yes" in refused
    opened = dry_run(f"HOST={host}", "FOR_ALL=yes").stdout
    assert "exit 1" not in opened
    assert "WARNING" in opened
    assert f"--host {host}" in opened


def test_a_refusal_to_open_it_is_a_failure(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "installed").touch()
    command = ["make", "dev", "HOST=0.0.0.0", f"VENV={tmp_path}"]
    command += ["--assume-old=requirements.lock", "--assume-old=pyproject.toml"]
    run = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "asks nobody to sign in" in run.stdout

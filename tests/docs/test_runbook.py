"""The operator's runbook, followed step by step over a store and snapshots: each command does what it is there for."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from serving.accounts.accounts import Accounts
from serving.cli import main
from serving.metering.database import Database
from serving.snapshot.lifecycle import pinned
from serving.snapshot.pointer import current_snapshot_id, list_snapshots
from tests.docs.pages import PAGES, ROOT, commands
from tests.serving.conftest import encoder, snapshots_folder
from tests.serving.manifests import edit_manifest
from tests.serving.stores import new_databases

__all__ = ["encoder", "snapshots_folder"]

GUIDE = PAGES["docs/operate.md"]
LAWCTL = ".venv/bin/lawctl "
SNAPSHOTS = ("2026.11.21-1", "2026.11.21-2", "2026.11.21-3")
OWNER = "ada@example.org"
OF_OTHERS = {"cp", "curl", "df", "docker", "journalctl", "kubectl", "python3.11", "systemctl"}
"""Programs of the machine, whose commands are not run here: there is no machine to be operated on."""


def steps(heading: str) -> list[str]:
    """The commands below a heading of the guide."""
    (text,) = re.findall(rf"^#+ {heading}$(.*?)(?=^#+ |\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    return commands(text)


@pytest.fixture
def house(
    tmp_path: Path, snapshots_folder: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder with a store and three snapshots, the last one in service, and the shell of its operator."""
    folder = tmp_path / "snapshots"
    for snapshot in SNAPSHOTS:
        shutil.copytree(snapshots_folder / SNAPSHOTS[0], folder / snapshot)
        edit_manifest(folder / snapshot, id=snapshot)
    (folder / "current.json").write_text(json.dumps({"snapshot": SNAPSHOTS[-1]}), encoding="utf-8")
    shutil.copy(sqlite_template, tmp_path / "accounts.sqlite")
    monkeypatch.setenv("LAW_SNAPSHOTS", str(folder))
    monkeypatch.setenv("LAW_DATABASE_URL", f"sqlite:///{tmp_path / 'accounts.sqlite'}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(heading: str, *, expected: int = 0) -> None:
    """Run the commands of `lawctl` below a heading; those of others are only known."""
    ours = 0
    for line in steps(heading):
        words = shlex.split(line)
        if words[0] + " " == LAWCTL:
            assert main(words[1:]) == expected, line
            ours += 1
        elif words[0] != "export":
            assert words[0] in OF_OTHERS, line
    assert ours


def account() -> None:
    assert main(["accounts", "create", "--email", OWNER]) == 0
    assert main(["keys", "create", OWNER, "--name", "old", "--scopes", "search"]) == 0


def test_deploy(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (house / "accounts.sqlite").unlink()
    follow("Deploy")
    assert "lr_live_" in capsys.readouterr().out


def test_upgrade_keeps_what_was_there(house: Path) -> None:
    account()
    follow("Upgrade")
    back = f"sqlite:///{house / 'back.sqlite'}"
    assert main(["store", "restore", "accounts-before.gz", "--database", back]) == 0
    assert owners(back) == [OWNER]


def owners(url: str) -> list[str | None]:
    database = Database(url)
    try:
        return [one.email for one in Accounts(database).list()]
    finally:
        database.close()


def test_publish_and_roll_back(house: Path) -> None:
    follow("Publish and roll back")
    assert current_snapshot_id(house / "snapshots") == "2026.11.21-2"


def test_snapshots_are_pinned_and_pruned_as_told(house: Path) -> None:
    follow("Snapshots in service")
    assert set(pinned(house / "snapshots")) == {"2026.11.21-1"}


@pytest.mark.skipif(find_spec("tuf") is None, reason="the extra `mirror` is not installed: NOT tried")
def test_mirror_to_other_servers(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in steps("Mirror to other servers"):
        words = shlex.split(line)
        if words[0] == "export":
            monkeypatch.setenv(*words[1].split("=", 1))
        else:
            assert main(words[1:]) == 0, line
    assert list_snapshots(house / "pulled") == [SNAPSHOTS[-1]]
    assert current_snapshot_id(house / "pulled") == SNAPSHOTS[-1]


def test_back_up_and_restore(house: Path) -> None:
    account()
    (house / "restored").mkdir()
    lines = [
        line.replace("sqlite:///restored/", f"sqlite:///{house}/restored/")
        for line in steps("Back up and restore")
    ]
    assert len(lines) == 3
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0
    assert owners(f"sqlite:///{house}/restored/accounts.sqlite") == [OWNER]


@pytest.fixture
def postgres_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with new_databases(request, "postgres", tmp_path) as make:
        yield make()


def test_move_to_postgresql(house: Path, postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    account()
    backup, export, restore, check, serve = steps("Move to PostgreSQL")
    assert main(shlex.split(backup)[1:]) == 0
    assert export.startswith("export LAW_DATABASE_URL=postgresql://")
    monkeypatch.setenv("LAW_DATABASE_URL", postgres_database)
    for line in (restore, check):
        assert main(shlex.split(line)[1:]) == 0
    assert owners(postgres_database) == [OWNER]
    assert serve == f"{LAWCTL}serve"


def test_rotate_keys(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    account()
    follow("Rotate keys")
    capsys.readouterr()
    assert main(["keys", "list", OWNER, "--json"]) == 0
    told = {key["name"]: key["revokedAt"] for key in json.loads(capsys.readouterr().out)}
    assert told["second"] is None
    assert told["old"] is not None


def test_a_disk_is_full(house: Path) -> None:
    follow("A disk is full")
    assert list_snapshots(house / "snapshots") == list(SNAPSHOTS[1:])


def test_the_database_is_away(house: Path) -> None:
    follow("The database is away")


def test_a_snapshot_is_damaged(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (house / "snapshots" / "current.json").write_text('{"snapshot": "2026.11.21-2"}', encoding="utf-8")
    path = house / "snapshots" / "2026.11.21-2" / "nodes.arrow"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    verify, roll_back = steps("A snapshot is damaged")
    assert main(shlex.split(verify)[1:]) == 1
    assert "nodes.arrow" in "".join(capsys.readouterr())
    assert main(shlex.split(roll_back)[1:]) == 0
    assert current_snapshot_id(house / "snapshots") == "2026.11.21-1"


def test_abuse(house: Path) -> None:
    account()
    assert main(["keys", "create", OWNER, "--name", "worse", "--scopes", "search"]) == 0
    follow("Abuse")


def test_every_part_of_the_runbook_is_followed_here() -> None:
    (runbook,) = re.findall(r"^## Runbook$(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    ours = Path(__file__).read_text(encoding="utf-8")
    for heading in re.findall(r"^### (.+)$", runbook, re.MULTILINE):
        if any(LAWCTL in line for line in steps(heading)):
            assert f'"{heading}"' in ours, heading


def test_files_that_are_put_in_place_are_there() -> None:
    named = {word for line in commands(GUIDE) for word in shlex.split(line) if word.startswith("deploy/")}
    assert len(named) >= 2
    assert all((ROOT / name).is_file() for name in named)
    done = subprocess.run(["df", "--human-readable", ROOT], capture_output=True, check=False)
    assert done.returncode == 0

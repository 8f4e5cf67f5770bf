"""`lawctl serve`: the demo key, the store it makes, and what the greeting says."""

import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from serving.accounts.accounts import Accounts
from serving.cli import main
from serving.commands import serve
from serving.commands.demo import LIVE_KEYS, demo_key
from serving.metering.clock import DAY
from serving.metering.database import Database
from serving.metering.keys import SCOPES
from tests.serving.servers import CHECKOUT, START_SECONDS, free_port


@pytest.fixture
def accounts(url: str) -> Iterator[Accounts]:
    database = Database(url)
    yield Accounts(database)
    database.close()


def test_of_demo_keys_the_last_three_live(url, accounts):
    database = Database(url)
    made = [demo_key(database) for _ in range(5)]
    database.close()
    (account,) = accounts.list()
    assert account.email == "demo@localhost"
    other, _ = accounts.create_key(account.account_id, name="mine", scopes=["node"])
    keys = accounts.list_keys(account.account_id)
    live = {key.prefix for key in keys if key.revoked_at is None}
    assert live == {other.prefix, *(key.prefix for key in made[-LIVE_KEYS:])}
    newest = keys[1]
    assert newest.scopes == SCOPES
    assert newest.expires_at is not None
    assert abs(newest.expires_at - newest.created_at - 30 * DAY) < DAY / 24


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "law.example.org"])
def test_a_demo_key_is_refused_where_others_can_reach_the_server(capsys, url, accounts, host):
    assert main(["serve", "--demo-key", "--host", host, "--database", url]) == 1
    assert "--allow-remote-demo-key" in capsys.readouterr().err
    assert not accounts.list()


def test_a_store_of_a_newer_version_is_not_served(capsys, url, snapshots_folder):
    database = Database(url)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    words = ["--snapshots", str(snapshots_folder), "--port", str(free_port()), "--database", url]
    assert main(["serve", *words]) == 1
    assert "newer version" in capsys.readouterr().err


@pytest.mark.parametrize(("host", "warned"), [("0.0.0.0", True), ("[::]", True), ("127.0.0.1", False)])
def test_figures_that_others_can_read_are_warned_of(monkeypatch, capsys, url, snapshots_folder, host, warned):
    started: list[object] = []
    monkeypatch.setattr(serve, "_become_gunicorn", started.append)
    monkeypatch.setenv("LAW_METRICS_ADDRESS", f"{host}:{free_port()}")
    words = ["--snapshots", str(snapshots_folder), "--port", str(free_port()), "--database", url]
    main(["serve", *words])
    assert len(started) == 1
    assert ("WARNING: /metrics on" in capsys.readouterr().err) == warned


class Laptop:
    """`lawctl serve` in a folder of its own, with every default but the port."""

    def __init__(self, folder: Path, snapshots: Path, *words: str) -> None:
        self.folder = folder
        self.log = folder / "log"
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LAW_")}
        environment["PYTHONPATH"] = str(CHECKOUT)
        command = [sys.executable, "-m", "serving.cli", "serve", "--snapshots", str(snapshots)]
        command += ["--workers", "2", "--port", str(port), *words]
        with self.log.open("wb") as stream:
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stderr=stream)

    def wait(self) -> str:
        """Wait until it is ready and return what it wrote."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            try:
                if httpx.get(f"{self.url}/ready", timeout=5).status_code == 200:
                    return self.log.read_text(encoding="utf-8")
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError(self.log.read_text(encoding="utf-8"))


@pytest.fixture
def start(tmp_path: Path, snapshots_folder: Path) -> Iterator[object]:
    started: list[Laptop] = []

    def run(*words: str) -> Laptop:
        started.append(Laptop(tmp_path, snapshots_folder.resolve(), *words))
        return started[-1]

    yield run
    for laptop in started:
        if laptop.process.poll() is None:
            laptop.process.send_signal(signal.SIGTERM)
            laptop.process.wait(timeout=START_SECONDS)


def asked(line: str) -> httpx.Response:
    """Ask what a curl line would ask."""
    command, address, option, header = shlex.split(line)
    assert (command, option) == ("curl", "-H")
    name, _, value = header.partition(": ")
    return httpx.get(address, headers={name: value}, timeout=30)


@pytest.mark.e2e
def test_the_lines_that_are_printed_work_as_they_stand(start):
    laptop = start("--demo-key")
    log = laptop.wait()
    key = re.search(r"Demo key: (lr_live_\w{38})\n", log)
    assert key is not None
    lines = [line for line in log.splitlines() if line.startswith("  curl ")]
    assert len(lines) == 3
    assert all(f"'Authorization: Bearer {key[1]}'" in line for line in lines)
    answers = [asked(line) for line in lines]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert answers[-1].headers["x-credits-remaining"] == "997"
    # The store lies where the settings say, from whatever folder a worker runs in, for its owner alone.
    store = laptop.folder / "data" / "accounts" / "accounts.sqlite"
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    # After the greeting no log line holds the key.
    assert key[1] not in "".join(laptop.log.read_text(encoding="utf-8").splitlines(keepends=True)[6:])


@pytest.mark.e2e
def test_without_a_demo_key_the_lines_name_a_variable_and_where_keys_come_from(start):
    laptop = start()
    log = laptop.wait()
    assert "lr_live_" not in log
    assert f"{laptop.url}/settings" in log
    assert "`lawctl keys create`" in log
    (line, *_) = [line for line in log.splitlines() if line.startswith("  curl ")]
    assert '-H "Authorization: Bearer $LAW_KEY"' in line
    assert asked(line).status_code == 401
    # A shell that has set the variable can start the server as well, and a key made meanwhile works at once.
    environment = {**os.environ, "LAW_KEY": "lr_live_x", "PYTHONPATH": str(CHECKOUT)}
    del environment["LAW_DATABASE_URL"]

    def lawctl(*words: str) -> str:
        command = [sys.executable, "-m", "serving.cli", *words]
        done = subprocess.run(
            command, cwd=laptop.folder, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    lawctl("accounts", "create", "--email", "a@example.org")
    key = lawctl("keys", "create", "a@example.org", "--name", "k", "--scopes", "search")
    assert asked(line.replace("$LAW_KEY", key.strip())).status_code == 200
    assert "Every balance equals its entries" in lawctl("ledger", "check")

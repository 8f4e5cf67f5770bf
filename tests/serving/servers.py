"""The real server as a process: gunicorn with workers, started by `lawctl serve`, over a store of its own."""

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import count, cycle
from pathlib import Path

import httpx

from serving.accounts.accounts import MAX_LIVE_KEYS, Accounts
from serving.accounts.credits import Credits
from serving.metering.database import Database
from serving.metering.keys import SCOPES

CHECKOUT = Path(__file__).resolve().parents[2]
START_SECONDS = 240
"""What four workers may take on a machine that is busy with much else."""
ESTABLISHED = "01"
"""As the kernel's table of connections has it."""


LOWEST_PORT, USUAL_BOUND = 10_240, 32_768


def _ports() -> Iterator[int]:
    """Ports below those that the kernel deals out, from a place of this process's own.

    One of the kernel's, given back, may be dealt out again before the server that it is for has taken it.
    """
    told = Path("/proc/sys/net/ipv4/ip_local_port_range")
    bound = int(told.read_text(encoding="ascii").split()[0]) if told.exists() else USUAL_BOUND
    usable = range(LOWEST_PORT, max(bound, LOWEST_PORT + 10_000))
    for number in count(random.Random(os.getpid()).randrange(len(usable))):
        yield usable[number % len(usable)]


_next_ports = _ports()


def free_port() -> int:
    """A port that nobody listens on, and that no other test is given."""
    for port in _next_ports:
        with socket.socket() as probe, suppress(OSError):
            # A server that was here just now leaves connections behind, which hinder no server.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("ports do not end")


class Server:
    """A running server.

    Args:
        snapshots: what it serves.
        log: file for its standard error.
        database: URL of its store of accounts, migrated.
        environment: variables beyond those of this process.
        app: what gunicorn loads in place of the service's own application.
        files: how many files each of its processes may have open; None as many as this one may.
        launcher: command that becomes the server.
        port: port of a server that was here before; None for a free one.
    """

    def __init__(
        self,
        snapshots: Path,
        log: Path,
        database: str,
        *,
        workers: int = 2,
        environment: Mapping[str, str] | None = None,
        app: str | None = None,
        files: int | None = None,
        launcher: Sequence[str] = (),
        port: int | None = None,
    ) -> None:
        self.port = free_port() if port is None else port
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self.database = database
        command = [sys.executable, "-m", "serving.cli", "serve", "--snapshots", str(snapshots)]
        command += ["--port", str(self.port), "--workers", str(workers)]
        # A dozen servers of a session are idle beside the tests that run: their looking about adds up.
        settings = {"LAW_POLL_SECONDS": "0.5", "LAW_DATABASE_URL": database}
        if app is not None:
            command = [sys.executable, "-m", "gunicorn", "--config", "serving/process/gunicorn.conf.py", app]
            settings |= {"LAW_SNAPSHOTS": str(snapshots), "LAW_PORT": str(self.port)}
            settings["LAW_WORKERS"] = str(workers)
        if files is not None:
            command = ["prlimit", f"--nofile={files}", *command]
        with log.open("wb") as stream:
            self.process = subprocess.Popen(
                [*launcher, *command],
                cwd=CHECKOUT,
                env={**os.environ, **settings, **(environment or {})},
                stderr=stream,
            )

    def wait_until_ready(self, *, seconds: float = START_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            try:
                if httpx.get(f"{self.url}/ready", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError(self.log.read_text(encoding="utf-8"))

    def wait_for_workers(self, number: int) -> None:
        """Wait until so many workers take connections: the server is ready as soon as one does."""
        deadline = time.monotonic() + START_SECONDS
        took: set[int] = set()
        while len(took) < number:
            assert time.monotonic() < deadline, self.log.read_text(encoding="utf-8")
            # Closed after each look: in minutes they would be more than a process may have open.
            with ExitStack() as held:
                for _ in range(2 * number):
                    held.enter_context(socket.create_connection(("127.0.0.1", self.port), timeout=60))
                time.sleep(0.1)
                holding = self.connections()
            took = {pid for pid, count in holding.items() if count or pid in took}

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(timeout=START_SECONDS)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def workers(self) -> list[int]:
        """Process ids of the workers."""
        children = subprocess.run(
            ["ps", "--ppid", str(self.process.pid), "-o", "pid="], capture_output=True, text=True, check=True
        )
        return [int(pid) for pid in children.stdout.split()]

    def connections(self) -> dict[int, int]:
        """How many connections each worker holds, by its process id."""
        ours = set()
        for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == ESTABLISHED and int(local.rpartition(":")[2], 16) == self.port:
                ours.add(f"socket:[{inode}]")
        return {pid: len(ours.intersection(_open_files(pid))) for pid in self.workers()}


def _open_files(pid: int) -> list[str]:
    """What a process has open; files that it closes meanwhile, and all once it is gone, are left out."""
    found = []
    with suppress(FileNotFoundError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                found.append(str(descriptor.readlink()))
    return found


class KeyRing:
    """Keys of several accounts in turn, for a test that makes more requests than one key may."""

    def __init__(self, database: str, *, accounts: int = 1) -> None:
        opened = Database(database)
        keys = []
        for _ in range(accounts):
            account = Accounts(opened).create()
            Credits(opened).grant(account.account_id, 1_000_000)
            Credits(opened).purchase(account.account_id, "bulk", event_id=f"evt-ring-{account.account_id}")
            keys += [
                Accounts(opened).create_key(account.account_id, name="ring", scopes=SCOPES)[1].text
                for _ in range(MAX_LIVE_KEYS)
            ]
        opened.close()
        self._keys = cycle(keys)

    def headers(self) -> dict[str, str]:
        """The header of the next key."""
        return {"Authorization": f"Bearer {next(self._keys)}"}

"""A server as the container runs it: nobody, without capabilities, snapshots that it cannot write, one folder it can."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import httpx
import pytest

from tests.serving.servers import KeyRing, Server

pytestmark = pytest.mark.e2e
NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that nobody can pass, outside of pytest's own, which is its user's alone."""
    folder = Path(mkdtemp(prefix="law-container-"))
    folder.chmod(0o755)
    yield folder
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(folder)


def becomes_nobody() -> bool:
    """Whether the server can be run as nobody: root may change users, if nobody reaches the interpreter."""
    needed = (Path(sys.executable).resolve(), Path(__file__))
    reached = all(parent.stat().st_mode & 0o001 for path in needed for parent in path.parents)
    return os.geteuid() == 0 and reached


def launcher() -> list[str]:
    """The command that takes all privileges away: the user where that can be, what root may do in any case."""
    command = ["setpriv", "--no-new-privs"]
    if os.geteuid() == 0:
        command += ["--bounding-set=-all", "--inh-caps=-all"]
    if becomes_nobody():
        command += [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return command


def states(snapshots: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in snapshots.rglob("*")}


def test_nobody_serves_snapshots_that_nobody_can_write(
    folder: Path, snapshots_folder: Path, sqlite_template: Path, node
) -> None:
    snapshots, accounts, scratch = folder / "snapshots", folder / "accounts", folder / "tmp"
    shutil.copytree(snapshots_folder, snapshots)
    accounts.mkdir()
    scratch.mkdir(mode=0o777)
    shutil.copy(sqlite_template, accounts / "accounts.sqlite")
    database = f"sqlite:///{accounts / 'accounts.sqlite'}"
    keys = KeyRing(database)
    for path in (accounts, scratch, *accounts.iterdir()):
        if becomes_nobody():
            os.chown(path, NOBODY, NOBODY)
    for path in (*snapshots.rglob("*"), snapshots):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = states(snapshots)
    server = Server(
        snapshots,
        folder / "server.log",
        database,
        launcher=launcher(),
        environment={"TMPDIR": str(scratch), "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    try:
        server.wait_until_ready()
        status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
        told = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert told["NoNewPrivs"] == "1"
        if becomes_nobody():
            assert told["Uid"].split() == [str(NOBODY)] * 4
        if os.geteuid() == 0:
            assert {told[name] for name in ("CapEff", "CapPrm", "CapBnd")} == {"0" * 16}
        for page in (
            f"/api/v1/node/{node('/us/sample/t1/s9')}",
            "/api/v1/search?q=harbor+permit",
            "/api/v1/gis/sample-city/at?lat=37.5005&lon=-122.3995",
            "/settings",
            "/zoning/sample-city",
        ):
            answer = httpx.get(server.url + page, headers=keys.headers(), timeout=30)
            assert answer.status_code == 200, (page, answer.text)
        assert server.stop() == 0
    finally:
        server.kill()
    assert states(snapshots) == before
    assert "Traceback" not in server.log.read_text(encoding="utf-8")
    assert not list(scratch.rglob("law-keyword-*")), "what was opened is cleared away"

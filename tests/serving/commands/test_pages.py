"""`lawctl pages prepare`: what it prints, that it follows the pointer, and a server that finds its file."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from serving.cli import main
from serving.commands import pages
from serving.pages.prepared.shelf import LOOK_SECONDS
from serving.snapshot.lifecycle import promote
from serving.snapshot.pointer import list_snapshots
from tests.serving.commands.conftest import Ran
from tests.serving.pages.prepared.prepared import open_files
from tests.serving.servers import CHECKOUT, START_SECONDS, Server

URL = "http://law.example"
PAGE = "/law/us/sample/1/7"


@pytest.fixture
def lawctl(snapshots_folder, tmp_path, monkeypatch, capsys):
    """Runs a command over the sample law, which must be polite and here is not."""
    polite: list[int] = []
    monkeypatch.setattr("serving.commands.pages.os.nice", polite.append)
    monkeypatch.setenv("LAW_BASE_URL", URL)

    def run(*words: str) -> Ran:
        chosen = ("--snapshots", str(snapshots_folder), "--pages", str(tmp_path / "pages"))
        ran = Ran(main(["pages", "prepare", *words, *chosen]), *capsys.readouterr())
        assert polite
        assert polite[-1] > 0
        return ran

    return run


def test_it_says_what_it_did(lawctl, tmp_path):
    ran = lawctl()
    (file,) = (tmp_path / "pages").glob("*.pages")
    assert ran.status == 0
    assert ran.out.startswith("Prepared ")
    assert f" of 2026.11.21-1 for {URL} in " in ran.out
    assert str(file) in ran.out
    assert "Prepared before: " in lawctl("2026.11.21-1").out
    stray = tmp_path / "pages" / "2020.01.01-1-0123456789abcdef.pages"
    stray.touch()
    assert f"Removed {stray.name}" in lawctl().out


def test_it_tells_programs_what_it_did(lawctl, tmp_path):
    told = lawctl("--json").json
    file = Path(told["file"])
    assert (told["snapshot"], told["publicUrl"], told["made"]) == ("2026.11.21-1", URL, True)
    assert (told["bytes"], told["removed"]) == (file.stat().st_size, [])
    assert told["pages"] > 5
    assert lawctl("--json").json == {**told, "made": False, "seconds": pytest.approx(0, abs=30)}


def test_it_says_how_far_it_is(lawctl, monkeypatch):
    monkeypatch.setattr(pages, "_TOLD_SECONDS", 0)
    assert "2 of " in lawctl().err


def test_what_it_cannot_do_it_says(lawctl, tmp_path, capsys):
    ran = lawctl("2020.01.01-1")
    assert (ran.status, ran.out) == (1, "")
    assert "holds no snapshot 2020.01.01-1" in ran.err
    with pytest.raises(SystemExit):
        lawctl("2026.11.21-1", "--follow")


def wait(until, process, what):
    deadline = time.monotonic() + START_SECONDS
    while not until():
        assert time.monotonic() < deadline, what
        assert process.poll() is None, what
        time.sleep(0.1)


@pytest.mark.e2e
def test_it_follows_the_pointer(changed_folder, tmp_path):
    folder, prepared = tmp_path / "snapshots", tmp_path / "pages"
    folder.mkdir()
    environment = {**os.environ, "LAW_SNAPSHOTS": str(folder), "LAW_PAGES": str(prepared)}
    command = [sys.executable, "-m", "serving.cli", "pages", "prepare", "--follow", "--json"]
    with (tmp_path / "said").open("wb") as said, subprocess.Popen(
        command, cwd=CHECKOUT, stdout=said, stderr=subprocess.PIPE, env={**environment, "LAW_POLL_SECONDS": "0.1"}
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            assert b"No snapshot has been published" in process.stderr.readline()
        finally:
            process.kill()
    for one in list_snapshots(changed_folder):
        (folder / one).symlink_to(changed_folder / one)
    first, *_, last = list_snapshots(folder)
    (folder / "current.json").write_text(json.dumps({"snapshot": last}), encoding="utf-8")
    with subprocess.Popen(
        command, cwd=CHECKOUT, stdout=subprocess.DEVNULL, env={**environment, "LAW_POLL_SECONDS": "0.1"}
    ) as process:
        try:
            for one in (last, first):
                if one != last:
                    promote(folder, one)
                wait(lambda one=one: list(prepared.glob(f"{one}-*.pages")), process, one)
        finally:
            process.kill()
    assert len(list(prepared.glob("*.pages"))) == 2


@pytest.mark.e2e
def test_a_running_server_finds_the_file_and_outlives_its_damage(snapshots_folder, tmp_path):
    environment = {"LAW_PAGES": str(tmp_path / "pages"), "LAW_BASE_URL": URL, "LAW_PAGES_PER_MINUTE": "9999"}
    database = f"sqlite:///{tmp_path}/accounts.sqlite"
    server = Server(snapshots_folder, tmp_path / "log", database, workers=1, environment=environment)

    def ask(encoding: str, path: str = PAGE, **headers: str) -> httpx.Response:
        return httpx.get(server.url + path, headers={"Accept-Encoding": encoding, **headers})

    def told(encoding: str) -> tuple[object, ...]:
        answer = ask(encoding)
        assert answer.status_code == 200
        assert answer.headers.get("content-encoding") == (None if encoding == "identity" else encoding)
        of_request = {"x-request-id", "date"}
        return answer.content, {name: one for name, one in answer.headers.items() if name not in of_request}

    try:
        server.wait_until_ready()
        workers = server.workers()
        assert ask("gzip", "/law/us/sample/1/9").status_code == 200
        assert open_files(workers[0]) == 0
        command = [sys.executable, "-m", "serving.cli", "pages", "prepare"]
        command += ["--snapshots", str(snapshots_folder)]
        subprocess.run(command, cwd=CHECKOUT, env={**os.environ, **environment}, check=True)
        time.sleep(LOOK_SECONDS)
        encodings = ("zstd", "gzip", "identity")
        prepared = {encoding: told(encoding) for encoding in encodings}
        assert open_files(workers[0]) == 1
        etag = ask("gzip").headers["etag"]
        assert ask("gzip", **{"If-None-Match": etag}).status_code == 304
        assert ask("gzip", **{"If-None-Match": "*"}).status_code == 304
        head = httpx.head(server.url + PAGE)
        assert (head.headers["etag"], head.content) == (etag, b"")
        (file,) = (tmp_path / "pages").glob("*.pages")
        os.truncate(file, 10)
        assert {encoding: told(encoding) for encoding in encodings} == prepared, "as they are made"
        assert server.workers() == workers
        assert open_files(workers[0]) == 0
        assert server.log.read_text(encoding="utf-8").count("prepared_pages_not_used") == 1
    finally:
        server.kill()

"""Commits by git's own protocol: what is no commit, no answer or no git becomes an error that says so."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assets.connectors.errors import FetchError, PassingError, UnreachableError
from assets.connectors.git_commits import NEWEST, GitCommits, files_of
from assets.connectors.retries import Patience
from assets.connectors.session import Bounds, Session
from tests.assets.connectors.conftest import Watch
from tests.assets.connectors.taf_publisher import GitHost, Handler, Repository, hosting


@pytest.fixture
def session(watch: Watch) -> Iterator[Session]:
    patience = Patience(attempts=2)
    with Session(Bounds(silence=60, pause=0), patience, clock=watch.clock, sleep=watch.sleep) as opened:
        yield opened


@pytest.fixture
def host(tmp_path: Path) -> Iterator[GitHost]:
    with hosting(tmp_path / "host") as running:
        yield running


def fetch(address: str, folder: Path, session: Session, wanted: str = NEWEST) -> str:
    with GitCommits(folder, session) as commits:
        return commits.fetch(address, wanted, most=10_000_000, advance=lambda _, __: None)


def test_the_newest_commit_and_its_files(host: GitHost, session: Session, tmp_path: Path) -> None:
    repository = Repository(host.folder / "law")
    repository.put("metadata/root.json", b"{}")
    repository.put("certs/1.cert", b"x")
    first = repository.commit()
    repository.put("metadata/root.json", b"[]")
    newest = repository.commit()
    with GitCommits(tmp_path / "git", session) as commits:
        address, archive = f"{host.address}/law/.git", tmp_path / "law.tar.gz"
        assert commits.fetch(address, NEWEST, most=10_000_000, advance=lambda _, __: None) == newest
        commits.pack(newest, archive, top="top")
        assert files_of(archive, ("metadata/",), most=10) == {"metadata/root.json": b"[]"}
        with pytest.raises(FetchError, match="more than 1 bytes"):
            files_of(archive, ("metadata/",), most=1)
    assert not (tmp_path / "git").exists()
    assert fetch(address, tmp_path / "git", session, wanted=first) == first


def status(code: int, **headers: str) -> object:
    def answer(handler: Handler, _: bytes) -> bool:
        handler.reply(code, headers, b"")
        return True

    return answer


@pytest.mark.parametrize(
    ("code", "headers", "error", "asked"),
    [
        (404, {}, FetchError, 1),
        (403, {}, FetchError, 1),
        (503, {}, PassingError, 2),
        (429, {}, PassingError, 2),
        (301, {"Location": "http://127.0.0.1:9/"}, FetchError, 1),
    ],
)
def test_refusals_end_it_and_overload_is_tried_again(
    host: GitHost,
    session: Session,
    tmp_path: Path,
    code: int,
    headers: dict[str, str],
    error: type[FetchError],
    asked: int,
) -> None:
    host.answer = status(code, **headers)  # type: ignore[assignment]  # a function in a method's place
    with pytest.raises(FetchError, match=r"^http://127\.0\.0\.1:\d+/law") as raised:
        fetch(f"{host.address}/law", tmp_path / "git", session)
    assert type(raised.value) is error
    assert len(host.asked) == asked
    assert not (tmp_path / "git").exists()


def test_a_host_that_is_not_there_is_unreachable(host: GitHost, session: Session, tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match="cannot be reached"):
        fetch("http://127.0.0.1:9/law", tmp_path / "git", session)


def test_other_ways_than_http_are_closed(session: Session, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "law")
    repository.commit()
    with pytest.raises(FetchError, match="not allowed"):
        fetch(f"file://{repository.folder}", tmp_path / "git", session)


def test_a_machine_without_git_is_told_so(
    host: GitHost, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match="by the program git, which this machine does not have"):
        fetch(f"{host.address}/law", tmp_path / "git", session)


def test_a_fetch_that_takes_too_long_is_given_up_and_leaves_no_process(host: GitHost, tmp_path: Path) -> None:
    def slow(handler: Handler, _: bytes) -> bool:
        time.sleep(3)
        handler.reply(200, {}, b"")
        return True

    host.answer = slow
    with (
        Session(Bounds(seconds=0.5, silence=60, pause=0)) as session,
        pytest.raises(FetchError, match=r"takes more than|takes too long"),
    ):
        fetch(f"{host.address}/law", tmp_path / "git", session)
    assert not (tmp_path / "git").exists()

"""What is known of a publisher's newest release, asked again and again."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assets.connectors.fetching import connector_of
from assets.connectors.kept_answers import KeptAnswers
from assets.connectors.release import Connector
from assets.connectors.retries import Patience
from assets.connectors.session import Bounds, Session
from assets.connectors.sightings import PAUSE, Sighting, ask
from assets.registry import ConnectorEntry
from tests.assets.connectors.publisher import Publisher, status

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
COMMIT = "a" * 40
LISTED = b'{"sha": "%s", "commit": {"committer": {"date": "2026-11-20T10:00:00Z"}}}'


@pytest.fixture
def asking(tmp_path: Path, session: Session) -> Iterator[Session]:
    """A session that keeps what it was answered, and asks once."""
    del session  # its environment has no proxies
    bounds = Bounds(seconds=10, silence=2, pause=0)
    patience = Patience(attempts=1, most=float("inf"))
    with Session(bounds, patience, kept=KeptAnswers(tmp_path / "listings")) as opened:
        yield opened


def connect(publisher: Publisher, session: Session) -> Connector:
    entry = ConnectorEntry.from_dict(
        {
            "kind": "git-archive",
            "newest": publisher.address + "/commits/HEAD",
            "archive": publisher.address + "/tar.gz/{commit}",
        }
    )
    return connector_of("toy-code", entry, session)


def test_an_unchanged_list_is_asked_for_by_its_validator_alone(
    publisher: Publisher, asking: Session, tmp_path: Path
) -> None:
    publisher.put("/commits/HEAD", LISTED % COMMIT.encode(), etag='W/"one"', last_modified=None)
    connector = connect(publisher, asking)
    first = ask(connector, None, now=NOW)
    assert (first.release, first.date, first.failure) == (COMMIT, "2026-11-20", None)
    assert first.first_seen_at == first.seen_at == "2026-11-22T12:00:00Z"
    later = ask(connector, first, now=NOW + timedelta(days=1))
    assert [one.headers.get("If-None-Match") for one in publisher.asked] == [None, 'W/"one"']
    assert (later.release, later.first_seen_at) == (COMMIT, first.first_seen_at)
    assert later.seen_at == later.asked_at == "2026-11-23T12:00:00Z"
    path = tmp_path / "state" / "toy.json"
    later.save(path)
    assert Sighting.load(path) == later


def test_a_new_release_is_seen_for_the_first_time(publisher: Publisher, asking: Session) -> None:
    publisher.put("/commits/HEAD", LISTED % COMMIT.encode(), etag='"one"')
    connector = connect(publisher, asking)
    first = ask(connector, None, now=NOW)
    publisher.put("/commits/HEAD", LISTED % (b"b" * 40), etag='"two"')
    second = ask(connector, first, now=NOW + timedelta(days=1))
    assert (second.release, second.first_seen_at) == ("b" * 40, "2026-11-23T12:00:00Z")


def test_a_kept_list_that_was_damaged_is_asked_for_whole(
    publisher: Publisher, asking: Session, tmp_path: Path
) -> None:
    publisher.put("/commits/HEAD", LISTED % COMMIT.encode())
    connector = connect(publisher, asking)
    first = ask(connector, None, now=NOW)
    (content,) = (tmp_path / "listings").glob("*.content")
    content.write_bytes(content.read_bytes()[:20])
    assert ask(connector, first, now=NOW).release == COMMIT
    assert publisher.asked[-1].headers.get("If-None-Match") is None


@pytest.mark.parametrize(
    ("code", "headers", "wait", "busy"),
    [
        (503, {}, PAUSE, True),
        (429, {"Retry_After": "7200"}, timedelta(hours=2), True),
        (429, {"Retry_After": "99999999"}, timedelta(days=30), True),
        (403, {}, PAUSE, False),
        (404, {}, PAUSE, False),
    ],
)
def test_no_answer_leaves_what_was_known_and_says_when_to_ask_again(
    publisher: Publisher, asking: Session, code: int, headers: dict[str, str], wait: timedelta, busy: bool
) -> None:
    publisher.put("/commits/HEAD", LISTED % COMMIT.encode(), etag='"one"')
    connector = connect(publisher, asking)
    first = ask(connector, None, now=NOW)
    publisher.faults = [status(code, **headers)]
    publisher.asked.clear()
    later = NOW + timedelta(days=1)
    second = ask(connector, first, now=later)
    assert len(publisher.asked) == 1, "nobody waits, so nobody asks twice"
    assert (second.release, second.seen_at, second.date) == (COMMIT, first.seen_at, first.date)
    assert second.failure is not None
    assert publisher.address in second.failure
    assert (second.is_busy, second.is_silent) == (busy, busy)
    assert second.rests(later + wait - timedelta(seconds=1))
    assert not second.rests(later + wait)
    assert ask(connector, second, now=later + wait).failure is None


def test_what_is_no_list_is_a_failure(publisher: Publisher, asking: Session) -> None:
    publisher.put("/commits/HEAD", b"<html>Sign in</html>")
    sighting = ask(connect(publisher, asking), None, now=NOW)
    assert (sighting.release, sighting.seen_at) == (None, None)
    assert "no JSON" in (sighting.failure or "")


def test_a_damaged_record_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "toy.json"
    assert Sighting.load(path) is None
    for content in ("", "[]", '{"release": "x"}', '{"asked_at": "", "unknown": 1}'):
        path.write_text(content)
        assert Sighting.load(path) is None

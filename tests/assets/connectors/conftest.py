"""Fixtures: a publisher on this machine, and a session whose waiting is only written down."""

from collections.abc import Iterator

import pytest

from assets.connectors.retries import Patience
from assets.connectors.session import Bounds, Session
from tests.assets.connectors.publisher import Publisher, publishing


class Watch:
    """A clock that goes on by sleeping, and by what a test adds."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as running:
        yield running


@pytest.fixture
def session(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A session without pauses, whose retries wait on the watch."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    bounds = Bounds(seconds=600, silence=2, pause=0)
    with Session(bounds, Patience(), clock=watch.clock, sleep=watch.sleep) as opened:
        yield opened

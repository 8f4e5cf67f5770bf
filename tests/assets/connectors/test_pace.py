"""One request at a time to a host, with a pause between."""

import threading
import time
from pathlib import Path

from assets.connectors.download import download
from assets.connectors.pace import Pace
from assets.connectors.session import Bounds, Session
from tests.assets.connectors.conftest import Watch
from tests.assets.connectors.publisher import File, Handler, Publisher


def test_requests_to_a_host_are_apart_and_those_to_others_are_not(watch: Watch) -> None:
    pace = Pace(1.0, clock=watch.clock, sleep=watch.sleep)
    with pace.turn("a.example"):
        watch.now += 10
    with pace.turn("b.example"):
        watch.now += 0.25
    assert watch.slept == []
    with pace.turn("a.example"):
        pass
    assert watch.slept == [0.75]
    watch.now += 5
    with pace.turn("a.example"):
        pass
    assert watch.slept == [0.75]


def test_a_session_asks_a_host_one_thing_at_a_time(publisher: Publisher, tmp_path: Path) -> None:
    def slow(handler: Handler, _: File | None) -> bool:
        time.sleep(0.05)
        return False

    publisher.faults = [slow] * 4
    addresses = [publisher.put(f"/{name}", name.encode() * 1000) for name in "abcd"]
    with Session(Bounds(pause=0)) as session:
        threads = [
            threading.Thread(
                target=download,
                args=(session, address, tmp_path / address[-1]),
                kwargs={"most": 5000, "advance": lambda _, __: None},
            )
            for address in addresses
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert publisher.most_at_once == 1
    assert sorted(path.name for path in tmp_path.iterdir() if len(path.name) == 1) == list("abcd")

"""Searches under load on a real server: keys take turns, what is too much is refused, and node reads pass by."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.serving.pages.conftest import copied
from tests.serving.servers import KeyRing, Server

pytestmark = pytest.mark.e2e
CLIENTS, QUEUE = 24, 8
SECONDS = 2.0


@pytest.fixture(scope="module")
def server(snapshots_folder, sqlite_template, tmp_path_factory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("load")
    environment = {
        "LAW_LOG_LEVEL": "warning",
        "LAW_SEARCH_THREADS": "1",
        "LAW_MAX_CONCURRENT_SEARCHES": str(QUEUE),
    }
    server = Server(
        snapshots_folder,
        folder / "server.log",
        copied(sqlite_template, folder),
        workers=1,
        environment=environment,
    )
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.kill()


def ask(
    server: Server, path: str, headers: dict[str, str], until: Callable[[], bool]
) -> list[httpx.Response]:
    answers: list[httpx.Response] = []
    with httpx.Client(base_url=server.url, headers=headers, timeout=30) as client:
        while not until():
            answers.append(
                client.get(path, params={"q": f"permit {len(answers)}"} if "search" in path else {})
            )
    return answers


def test_one_key_with_many_clients_starves_no_other(server):
    keys = KeyRing(server.database, accounts=2)
    greedy, modest = keys.headers(), keys.headers()
    node = httpx.get(f"{server.url}/api/v1/search", params={"q": "permit"}, headers=modest).json()
    path = f"/api/v1/node/{node['results'][0]['nodeId']}"
    end = time.monotonic() + SECONDS
    crowd: list[httpx.Response] = []

    def press() -> None:
        crowd.extend(ask(server, "/api/v1/search", greedy, lambda: time.monotonic() > end))

    threads = [threading.Thread(target=press) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(SECONDS / 4)
    count = iter(range(8))
    alone = ask(server, "/api/v1/search", modest, lambda: next(count, None) is None)
    count = iter(range(8))
    reads = ask(server, path, modest, lambda: next(count, None) is None)
    under_pressure = time.monotonic() < end
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in (*alone, *reads)] == [200] * 16
    statuses = Counter(answer.status_code for answer in crowd)
    assert statuses[200] > 0
    if under_pressure:
        # Of a crowd that waits for one thread, a search waits for the one that runs and takes the next turn.
        slow = sorted(answer.elapsed.total_seconds() for answer in crowd if answer.status_code == 200)
        fast = sorted(answer.elapsed.total_seconds() for answer in alone)
        assert fast[len(fast) // 2] < slow[len(slow) // 2]
    for answer in crowd:
        assert answer.status_code in {200, 429, 503}
        if answer.status_code == 503:
            assert answer.json()["error"] == "overloaded"
            assert int(answer.headers["Retry-After"]) >= 1

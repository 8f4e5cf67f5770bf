"""Ask a running server 10,000 generated queries: `python -m tests.quality.robustness URL [--count N]`.

The key is in `LAW_KEY`; it pauses where the key's window is used up. Exit status 1 if an answer is neither 200 nor
422, or is 200 later than 250 ms after it was asked for.
"""

import argparse
import statistics
import sys
import time
from collections import Counter
from http import HTTPStatus

import httpx

from serving.settings.settings import client_key
from tests.quality.robustness.queries import queries

MOST_SECONDS = 0.25
FINE = {HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY}


def main() -> int:
    """Ask, print and judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.robustness")
    parser.add_argument("url", help="address of the server, such as http://127.0.0.1:8000")
    parser.add_argument("--count", type=int, default=10_000, help="queries (default 10,000)")
    parser.add_argument("--seed", type=int, default=13, help="another seed asks other queries")
    options = parser.parse_args()
    statuses: Counter[int] = Counter()
    taken: list[float] = []
    bad: list[str] = []
    headers = {"Authorization": f"Bearer {client_key()}"}
    with httpx.Client(base_url=options.url, headers=headers, timeout=30) as client:
        for query in queries(options.count, seed=options.seed):
            answer, seconds = _asked(client, query)
            statuses[answer.status_code] += 1
            taken.append(seconds)
            if answer.status_code not in FINE or seconds > MOST_SECONDS:
                bad.append(f"{answer.status_code} after {seconds * 1000:.0f} ms: {query!r}")
    p99 = statistics.quantiles(taken, n=100)[-1]
    print(f"{dict(statuses)}; p50 {statistics.median(taken) * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms")
    print("\n".join([f"{len(bad)} of {options.count} are not as they should be", *bad[:50]]))
    return 1 if bad else 0


def _asked(client: httpx.Client, query: str) -> tuple[httpx.Response, float]:
    """Ask until the key's window lets it pass."""
    while True:
        started = time.perf_counter()
        answer = client.get("/api/v1/search", params={"q": query})
        seconds = time.perf_counter() - started
        if answer.status_code != HTTPStatus.TOO_MANY_REQUESTS:
            return answer, seconds
        time.sleep(int(answer.headers.get("Retry-After", 1)))


if __name__ == "__main__":
    sys.exit(main())

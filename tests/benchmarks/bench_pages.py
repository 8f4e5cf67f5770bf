"""Measure pages of law over HTTP beside the API in the same run: a provision's page by a node read, a search page by a search.

Run: `python -m tests.benchmarks.bench_pages SNAPSHOT_FOLDER [--rounds N] [--seconds N] [--queries N]`. Prints each
ratio with its bound; exit status 1 if one is missed. Reads are driven with wrk and take turns, round by round, and
ratios are medians over the rounds. Node reads are those of the application without the meter. `again`: one page,
which is kept ready. `by turns`: more pages than are kept, all prepared, beside the nodes of the same provisions;
`unprepared`: the same pages, each made when it is asked for (in a small snapshot all are kept), which has no bound.
`to browsers`: prepared pages in zstd. Searches are asked once of each door, the first by turns.
"""

import argparse
import contextlib
import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from urllib.parse import quote

import httpx

from assets.release.evaluation.judgements import read_evaluation_set
from serving.contract.records import IN_FORCE
from serving.pages.law.preparing import prepare
from serving.pages.search.resources import SHOWN
from serving.services.addresses import page_of
from serving.settings.settings import Settings
from serving.snapshot.store import open_snapshot
from tests.benchmarks.bench_http import (
    WARM_SECONDS,
    Contestant,
    _accounts,
    _node,
    _server,
    _snapshots,
    _wrk,
)
from tests.benchmarks.http_bounds import Run, spread
from tests.serving.servers import CHECKOUT

LEAST_RATIO, MOST_MORE_MS = 0.7, 10.0
"""Bounds: answers per second of a page by those of a node read, and milliseconds of a search page beyond a search."""
BY_TURNS = 20_000
"""Provisions that are read by turns: their pages are some ten times what a worker keeps."""
NODE, AGAIN, NODES, PAGES = "node read", "page again", "nodes by turns", "pages by turns"
BROWSED, UNPREPARED = "pages to browsers", "unprepared pages"
_OF = {AGAIN: NODE, PAGES: NODES, BROWSED: NODES, UNPREPARED: NODES}
"""The one that each is measured by."""
ADDRESS = "http://localhost"
"""Address of the service in its pages, which are prepared for it."""


@dataclass(frozen=True, slots=True)
class Provisions:
    """Addresses that are asked for: the node that `bench_http` reads with its page, and a sample's nodes and pages."""

    node: str
    page: str
    nodes: tuple[str, ...]
    pages: tuple[str, ...]


def main() -> int:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default 5)")
    parser.add_argument("--seconds", type=int, default=4, help="how long each time (default 4)")
    parser.add_argument("--queries", type=int, default=150, help="searches of each door (default 150)")
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        print("Not measured: this needs wrk.")
        return 1
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="law-bench-"))
        stack.callback(shutil.rmtree, folder)
        provisions = _provisions(options.snapshot)
        database = f"sqlite:///{folder / 'law.db'}"
        _, keys = _accounts(database, folder / "keys", scopes=("node", "search"))
        snapshots = _snapshots(folder, options.snapshot)
        _prepare(snapshots, options.snapshot.name, folder / "pages")
        (server, master), (other, other_master) = (
            stack.enter_context(
                _server(snapshots, database, folder / f"{name}.log", **_settings(folder / name))
            )
            for name in ("pages", "unprepared")
        )
        contestants = [
            Contestant(
                name, at + path, keys, of, paths=_written(folder / f"{name}.paths", paths), encoding=encoding
            )
            for name, at, of, path, paths, encoding in (
                (NODE, server, master, provisions.node, (), None),
                (AGAIN, server, master, provisions.page, (), None),
                (NODES, server, master, provisions.node, provisions.nodes, None),
                (PAGES, server, master, provisions.page, provisions.pages, None),
                (BROWSED, server, master, provisions.page, provisions.pages, "zstd"),
                (UNPREPARED, other, other_master, provisions.page, provisions.pages, None),
            )
        ]
        sound = _reads(contestants, options.rounds, options.seconds)
        key = keys.read_text(encoding="utf-8").split()[0]
        return 0 if _searches(server, key, options.queries) and sound else 1


def _settings(pages: Path) -> dict[str, str]:
    return {
        "LAW_PAGES_PER_MINUTE": "1000000",
        "LAW_PAGE_SEARCHES_PER_MINUTE": "1000000",
        "LAW_BASE_URL": ADDRESS,
        "LAW_PAGES": str(pages),
    }


def _prepare(snapshots: Path, snapshot: str, pages: Path) -> None:
    settings = Settings(snapshots=snapshots, pages=pages, base_url=ADDRESS)
    spent, begun = process_time(), perf_counter()
    prepared = prepare(settings, snapshot, lambda _made, _total: None)
    spent, took, number = process_time() - spent, perf_counter() - begun, prepared.edition.pages
    print(
        f"prepared {number:,} pages in {took:.1f} s, {spent / number * 1e6:,.0f} us of processor time each; "
        f"{prepared.bytes / 1e6:,.1f} MB, {prepared.bytes / number:,.0f} bytes each"
    )


def _provisions(folder: Path) -> Provisions:
    node, _ = _node(folder)
    snapshot = open_snapshot(folder)
    nodes = snapshot.nodes
    living = [row for row in range(len(nodes)) if nodes.status(row) == IN_FORCE]
    rows = random.Random(16).sample(living, min(BY_TURNS, len(living)))
    found = Provisions(
        _read(node),
        next(quote(page_of(snapshot, row)) for row in living if str(nodes.id(row)) == node),
        tuple(_read(str(nodes.id(row))) for row in rows),
        tuple(quote(page_of(snapshot, row)) for row in rows),
    )
    snapshot.close()
    return found


def _read(node: str) -> str:
    return f"/api/v1/unmetered/{node}"


def _written(path: Path, lines: Sequence[str]) -> Path | None:
    if not lines:
        return None
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _reads(contestants: Sequence[Contestant], rounds: int, seconds: int) -> bool:
    for contestant in contestants:
        _wrk(contestant, WARM_SECONDS)
    measured = [{one.name: _wrk(one, seconds) for one in contestants} for _ in range(rounds)]
    print(f"{rounds} rounds, medians\n\n{'':<16} {'answers/s':>10} {'p50 ms':>8} {'CPU us':>8}")
    for contestant in contestants:
        runs = [one[contestant.name] for one in measured]
        print(
            f"{contestant.name:<16} {statistics.median(run.rate for run in runs):>10,.0f} "
            f"{statistics.median(run.p50 for run in runs):>8.2f} {statistics.median(run.cpu for run in runs):>8.1f}"
        )
    print()
    sound = not any(run.failed for one in measured for run in one.values())
    for name, of in _OF.items():
        sound &= _judge(name, of, [(one[name], one[of]) for one in measured])
    return sound


def _judge(name: str, of: str, pairs: Sequence[tuple[Run, Run]]) -> bool:
    rate = [page.rate / node.rate for page, node in pairs]
    cpu = [node.cpu / page.cpu for page, node in pairs]
    is_met = statistics.median(rate) >= LEAST_RATIO
    told = f"{name} by {of}: {spread(rate)} of the answers per second, {spread(cpu)} by processor time"
    if name == UNPREPARED:
        print(told)
        return True
    print(f"{told}; at least {LEAST_RATIO:g}: {'met' if is_met else 'MISSED'}")
    return is_met


def _searches(server: str, key: str, number: int) -> bool:
    asked = read_evaluation_set(CHECKOUT / "datasets" / "evaluation").queries
    queries = [query.text for query in asked[::3]][:number]
    taken: dict[str, list[float]] = {"/search": [], "/api/v1/search": []}
    with httpx.Client(base_url=server, headers={"Authorization": f"Bearer {key}"}) as client:
        for place, query in enumerate(queries):
            times = {}
            for path in list(taken)[:: 1 if place % 2 else -1]:
                asked_for = {"q": query} if path == "/search" else {"q": query, "limit": str(SHOWN)}
                started = perf_counter()
                answer = client.get(path, params=asked_for)
                times[path] = (perf_counter() - started) * 1000
                if answer.status_code not in (200, 303):
                    raise RuntimeError(
                        f"{path} answers {answer.status_code} to {query!r}: {answer.text[:300]}"
                    )
                if answer.status_code == 303:
                    break
            else:
                for path, time in times.items():
                    taken[path].append(time)
    page, api = (statistics.median(times) for times in taken.values())
    is_met = page - api <= MOST_MORE_MS
    print(
        f"search page p50 {page:.2f} ms, search {api:.2f} ms over {len(taken['/search'])} queries: "
        f"{page - api:+.2f} ms; at most {MOST_MORE_MS:+g}: {'met' if is_met else 'MISSED'}"
    )
    return is_met


if __name__ == "__main__":
    sys.exit(main())

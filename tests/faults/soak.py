"""Serve mixed traffic for a long time, with promotions and rollbacks: memory, descriptors and times have to stay flat.

Run: `python -m tests.faults.soak [--seconds 900] [--moves 20] [--snapshot FOLDER]`. Exit status 1 if an answer fails, an
answer comes from a snapshot that was not retained, a worker is replaced, or a bound below is broken. Without a folder
it builds the sample first.
"""

import argparse
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from serving.snapshot.lifecycle import promote, roll_back
from serving.snapshot.pointer import current_snapshot_id
from serving.snapshot.store import open_snapshot
from tests.benchmarks.bench_attack import resident
from tests.faults.house import NEWER, OLDER, House, build_sample, house, paths_of
from tests.serving.metering.crowds import Answer

PARTS = 5
"""Parts that the run is divided into: the first is for warming up, the second is what the last is compared with."""
MOST_GROWTH, MOST_FILES, MOST_SLOWER = 40.0, 8, 2.0
"""Megabytes and files more that a worker may have at the end, and how much slower one in a hundred answers may be."""
LEAST_P99 = 0.1
"""Seconds below which a time is none of a server that gets slower."""


@dataclass(frozen=True, slots=True)
class State:
    """The workers at one moment: megabytes and open files of each, by process id; and the answers so far."""

    at: float
    memory: dict[int, float]
    files: dict[int, int]
    answers: int


def main() -> int:
    """Serve, measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=900, help="how long (default 900)")
    parser.add_argument("--moves", type=int, default=20, help="promotions and rollbacks (default 20)")
    parser.add_argument(
        "--snapshot", type=Path, help="folder of one snapshot (default: the sample, built now)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="law-soak-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        snapshot = options.snapshot
        if snapshot is None:
            built = Path(build_sample(folder)["LAW_SNAPSHOTS"])
            snapshot = built / current_snapshot_id(built)
        database = f"sqlite:///{folder / 'accounts.sqlite'}"
        with house(folder, snapshot, database, paths=(*paths_of(snapshot), *mixed(snapshot))) as home:
            states = _soak(home, seconds=options.seconds, moves=options.moves)
            answers = tuple(home.load.answers)
            broken = len(home.load.broken)
            home.load.__exit__(None, None, None)
            reckoning = home.settle()
    problems = judge(states, answers)
    if broken:
        problems.append(f"{broken} requests had no answer")
    if not reckoning.is_exact:
        problems.append(f"the ledger is not exact: {reckoning}")
    print("held" if not problems else "BROKEN: " + "; ".join(problems))
    return 1 if problems else 0


def mixed(snapshot: Path) -> list[str]:
    """Calls of one credit beyond those of `paths_of`: searches of each kind, lists, citations, people's pages."""
    opened = open_snapshot(snapshot)
    body = opened.manifest.code_bodies[0].id
    node = str(opened.nodes.id(len(opened.nodes) // 2))
    opened.close()
    searches = [
        f"/api/v1/search?q={words}" for words in ("fees+for+permits", "who+may+appeal", "harbor+OR+noise")
    ]
    return [
        *searches,
        "/api/v1/search?q=notice&mode=keyword&facets=true",
        "/api/v1/search?q=keeping+animals&mode=semantic",
        f"/api/v1/browse?codeBodyId={body}",
        "/api/v1/code-bodies",
        f"/api/v1/node/{node}/cited-by",
        "/api/v1/resolve?citation=2+Sample+Code+3103",
        "/api/v1/me",
    ]


def _soak(home: House, *, seconds: float, moves: int) -> list[State]:
    """Let time pass, and move the pointer to and fro; return the state at the end of each part."""
    begun, states, moved = time.monotonic(), [_state(home)], 0
    while (passed := time.monotonic() - begun) < seconds:
        if moved < moves and passed >= seconds * (moved + 0.5) / moves:
            if current_snapshot_id(home.snapshots) == NEWER:
                roll_back(home.snapshots)
            else:
                promote(home.snapshots, NEWER)
            moved += 1
        if passed >= seconds * len(states) / PARTS:
            states.append(_state(home))
        time.sleep(0.1)
    states.append(_state(home))
    print(f"{seconds:g} s, {moved} promotions and rollbacks")
    return states


def _state(home: House) -> State:
    workers = home.server.workers()
    return State(
        time.monotonic(),
        {pid: resident(pid) for pid in workers},
        {pid: len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in workers},
        len(home.load.answers),
    )


def judge(states: Sequence[State], answers: Sequence[Answer]) -> list[str]:
    """Print what was measured in each part; return what is not as it has to be."""
    problems = []
    p99s = []
    for before, after in itertools.pairwise(states):
        part = answers[before.answers : after.answers]
        took = [(answer.answered_at - answer.asked_at) / 1e6 for answer in part]
        p99s.append(statistics.quantiles(took, n=100)[98] if len(took) > 1 else float("inf"))
        print(
            f"{len(part):>7} answers, p99 {p99s[-1] * 1000:>7.1f} ms; MB {_told(after.memory)}; "
            f"files {_told(after.files)}"
        )
    bad = {answer.status for answer in answers} - {200}
    if bad:
        problems.append(f"answers of status {sorted(bad)}")
    strange = {answer.headers.get("x-snapshot-id", "") for answer in answers} - {OLDER, NEWER}
    if strange:
        problems.append(f"answers from {sorted(strange)}")
    warm, last = states[1], states[-1]
    if set(states[0].memory) != set(last.memory):
        return [*problems, "a worker was replaced"]
    for pid, megabytes in warm.memory.items():
        if last.memory[pid] - megabytes > MOST_GROWTH:
            problems.append(f"a worker grew from {megabytes:.0f} to {last.memory[pid]:.0f} MB")
        if last.files[pid] - warm.files[pid] > MOST_FILES:
            problems.append(f"a worker had {warm.files[pid]} files open, and then {last.files[pid]}")
    if p99s[-1] > MOST_SLOWER * max(p99s[1], LEAST_P99):
        problems.append(f"p99 rose from {p99s[1]:.3f} to {p99s[-1]:.3f} s")
    return problems


def _told(numbers: dict[int, float] | dict[int, int]) -> str:
    return " ".join(f"{number:.0f}" for number in numbers.values())


if __name__ == "__main__":
    sys.exit(main())

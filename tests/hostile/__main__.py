"""Give every hostile file to the build and print what each cost and came to.

Run: `python -m tests.hostile [WORDS ...] [--list]`: all cases, or those whose name holds one of the words. Each
runs in a process of its own, with those that it starts. Exit status 1 if one took more than a minute or 2 GB, or
ended in anything but a named result.
"""

import argparse
import contextlib
import os
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.case import LARGEST, Case
from tests.hostile.corpus import corpus
from tests.hostile.trial import kind_of, outcome

SECONDS = 60
MEMORY = 2_000_000_000
_SHOWN = 90


@dataclass(frozen=True)
class Cost:
    """What a case took: of the largest of its processes, bytes of memory that it held at once."""

    result: str
    seconds: float
    memory: int
    size: int

    @property
    def named(self) -> bool:
        """True where it ended in a result, not a traceback."""
        return not self.result.startswith("TRACEBACK")

    @property
    def passes(self) -> bool:
        """True where it kept the promise."""
        return self.named and self.seconds <= SECONDS and self.memory <= MEMORY and self.size <= LARGEST


def main() -> int:
    """Run the cases and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", metavar="WORDS")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take one case in N")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N", help="begin with the Nth")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    options = parser.parse_args()
    cases = [
        case for case in corpus() if not options.words or any(word in case.name for word in options.words)
    ]
    cases = cases[options.first :: options.every]
    if options.list:
        print("\n".join(case.name for case in cases))
        return 0
    print(f"{'case':<58}{'kB':>7}{'s':>7}{'MiB':>7}  result")
    costs = [_shown(case, _cost(case)) for case in cases]
    return _summary(costs)


def _shown(case: Case, cost: Cost) -> Cost:
    mark = "" if cost.passes else "  <<<"
    result = cost.result if not cost.named else cost.result[:_SHOWN]
    print(
        f"{case.name[:57]:<58}{cost.size / 1e3:>7,.0f}{cost.seconds:>7.1f}{cost.memory / 2**20:>7,.0f}"
        f"  {result}{mark}",
        flush=True,
    )
    return cost


def _summary(costs: Sequence[Cost]) -> int:
    kinds = Counter(kind_of(cost.result) if cost.named else "TRACEBACK" for cost in costs)
    print(f"\n{len(costs)} files, of at most {max(cost.size for cost in costs):,} bytes")
    print(
        f"longest {max(cost.seconds for cost in costs):.1f} s, largest {max(cost.memory for cost in costs) / 2**20:,.0f} MiB"
    )
    for kind, count in kinds.most_common():
        print(f"{count:>6}  {kind}")
    failed = sum(not cost.passes for cost in costs)
    print(f"{failed} broke the promise of {SECONDS} s, {MEMORY / 1e9:g} GB and a named result")
    return 1 if failed else 0


def _cost(case: Case) -> Cost:
    """Run a case in a process of its own: what it and its children held is told when it ends."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile("w+") as said:
        folder = Path(name)
        _forked(lambda: case.make(folder))
        path = _given(folder)
        began = time.monotonic()

        def tell() -> None:
            said.write(_result(case, path))
            said.flush()

        used = _forked(tell)
        seconds = time.monotonic() - began
        said.seek(0)
        result = said.read() or "TRACEBACK: the process ended without a word"
        return Cost(result, seconds, used.ru_maxrss * 1024, path.stat().st_size)


def _given(folder: Path) -> Path:
    paths = sorted(folder.iterdir())
    return next((path for path in paths if path.suffix == ".shp"), paths[0])


def _result(case: Case, path: Path) -> str:
    try:
        return outcome(case, path)
    except BaseException:
        return f"TRACEBACK: {traceback.format_exc()}"


def _forked(work: Callable[[], object]) -> resource.struct_rusage:
    """Run a function in a fork of this process, in which nothing was used yet, and return what that took."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            work()
        os._exit(0)
    return os.wait4(pid, 0)[2]


if __name__ == "__main__":
    sys.exit(main())

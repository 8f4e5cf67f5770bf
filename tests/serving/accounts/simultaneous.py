"""The same deed at the same moment: in threads, and in processes."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from serving.contract.errors import LawError

WORKER = Path(__file__).with_name("customer_worker.py")
ROOT = Path(__file__).parents[3]


def at_once(count: int, deed: Callable[[int], object]) -> Counter[str]:
    """Outcomes of the deed done in some threads at once: the type's name of what came back or was raised."""
    outcomes: Counter[str] = Counter()
    barrier = threading.Barrier(count)

    def one(number: int) -> None:
        barrier.wait()
        try:
            outcomes[type(deed(number)).__name__] += 1
        except LawError as error:
            outcomes[error.code] += 1

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def of_processes(url: str, count: int, *arguments: str) -> Counter[str]:
    """Outcomes of some processes that were started first and let go together."""
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                str(WORKER),
                url,
                *(argument.replace("%", str(number)) for argument in arguments),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
        )
        for number in range(count)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return Counter(line for process in processes for line in process.communicate(timeout=60)[0].splitlines())

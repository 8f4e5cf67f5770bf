"""The confined process: takes bounds upon itself, does one piece of work, leaves its outcome in a file.

Started by `assets.confinement.room` with the folder of the job, the descriptor of the worksheet, the process
that is to outlive it, and its bounds on memory and output in bytes.
"""

import ctypes
import errno
import os
import pickle
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

from assets.confinement.bounds import MIB, Allowance, Bounds, Taken
from assets.confinement.held_memory import peak, resident
from assets.confinement.outcome import Broken, Done, Outcome, Refused
from assets.confinement.worksheet import Worksheet
from serving.contract.errors import LawError

JOB = "job"
OUTCOME = "outcome"
SCRATCH = "scratch"

_PR_SET_PDEATHSIG = 1
_STACK = 256 * MIB
"""Beside the memory that is measured: what threads and allocators ask for and never touch."""


def main() -> None:
    """Do the work that lies in the folder."""
    folder = Path(sys.argv[1])
    descriptor, parent, memory, output = map(int, sys.argv[2:6])
    die_with(parent)
    _take_bounds(memory, output)
    outcome = _work(folder, descriptor)
    (folder / OUTCOME).write_bytes(pickle.dumps(outcome))
    sys.stdout.flush()
    sys.stderr.flush()
    # Without the destructors: taking a parsed title apart again takes as long as a part of reading it.
    os._exit(0)


def die_with(parent: int) -> None:
    """Have this process killed when its parent ends, however that ends and whatever this one is doing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: it is the parent's to answer
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _take_bounds(memory: int, output: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
    # Private memory that may be written to: unlike the address space it leaves out mapped files.
    resource.setrlimit(resource.RLIMIT_DATA, (memory + _STACK, memory + _STACK))


def _work(folder: Path, descriptor: int) -> Outcome:
    try:
        task, arguments, settings, *bounds = pickle.loads((folder / JOB).read_bytes())  # noqa: S301 - written by the parent
        sheet = _JudgedSheet(descriptor, *bounds)
        value = task(sheet, *arguments, **settings)
        sheet.end()
        return Done(value)
    except _ExcessError as excess:
        return Broken(str(excess))
    except LawError as error:
        return Refused.of(error)
    except MemoryError:
        return Broken("takes more memory to read than a file of its size may")
    except RecursionError:
        return Broken("is nested too deeply to be read")
    except Exception as error:  # whatever a hostile file brings about is said of that file
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            return Broken("comes to more output than a file of its size may")
        reason = f"cannot be read: {type(error).__name__}: {error}".partition("\n")[0]
        return Broken(reason, traceback.format_exc())


class _ExcessError(Exception):
    """The work that is done took more than it may."""


class _JudgedSheet(Worksheet):
    """A worksheet that judges what is done before the next is taken up.

    Whoever watches from outside looks now and then, and misses what swells and shrinks between two looks: it
    would depend on the machine whether a file is read.
    """

    def __init__(self, descriptor: int, whole: Bounds, each: Allowance | None) -> None:
        super().__init__(descriptor)
        self._whole = whole
        self._each = each
        self._began, self._spent = time.monotonic(), time.process_time()
        self._held = self._held_before = resident(os.getpid())
        self._peak_before = peak()
        self.put_down()

    def take_up(self, name: str, size: int) -> None:
        """Note that work on a file begins, once the one before is found within its bounds."""
        self._judge_file()
        self._held_before, self._peak_before = resident(os.getpid()), peak()
        super().take_up(name, size)

    def end(self) -> None:
        """Judge the last file, and all of the work."""
        self._judge_file()
        _judge(self._whole, self._taken(self._spent, self._began, peak() - self._held))

    def _judge_file(self) -> None:
        done = self.in_hand()
        if done is None or not done.name or self._each is None:
            return
        most = peak()
        # An earlier peak that was not reached again says nothing of this file.
        rise = most - self._held_before if most > self._peak_before else 0
        _judge(self._each.of(done.size), self._taken(done.spent, done.since, rise))

    @staticmethod
    def _taken(spent: float, since: float, rise: int) -> Taken:
        return Taken(time.process_time() - spent, time.monotonic() - since, rise)


def _judge(bounds: Bounds, taken: Taken) -> None:
    reason = bounds.excess(taken)
    if reason is not None:
        raise _ExcessError(reason)


if __name__ == "__main__":
    main()

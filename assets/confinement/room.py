"""Run work on untrusted files in a confined process and watch it: what exceeds its bounds is ended and named.

The bounds keep a build alive and prompt; they are no wall against code that takes the process over.
"""

import logging
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from assets.confinement.bounds import Allowance, Bounds, Taken
from assets.confinement.held_memory import resident
from assets.confinement.outcome import Broken, Done, Outcome
from assets.confinement.process import JOB, OUTCOME, SCRATCH
from assets.confinement.processor_time import processor_seconds
from assets.confinement.worksheet import InHand, Worksheet
from assets.errors import ConfinementError

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Progress = Callable[[int, int], None]

_LOG = logging.getLogger(__name__)
_LOOKS_EVERY = 0.02
_SECONDS_TO_START = 60.0
"""Before the work itself begins: imports, on a machine that may be very busy."""

_FRUGAL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
"""Allocators that ask for what they use: Arrow's own sets aside a gibibyte at once, which would count."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """Confinement of one piece of work.

    Attributes:
        whole: bounds on all of the work.
        each: what each file may take that the work takes up by name; None: as much as the whole.
        environment: variables of the process beside those of this one.
        progress: called with (done, in all) as the work notes it.
    """

    whole: Bounds
    each: Allowance | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    progress: _Progress | None = None

    def run(
        self,
        task: Callable[Concatenate[Worksheet, _Arguments], _Result],
        *arguments: _Arguments.args,
        **settings: _Arguments.kwargs,
    ) -> _Result:
        """Run `task(worksheet, *arguments)` in a process of its own.

        Args:
            task: a function of a module, which the process imports.
            arguments: small, picklable; large things are handed over as files.
            settings: likewise, by name.

        Raises:
            ConfinementError: it took more than it may, crashed, or failed in a way that nobody foresaw; says
                which file was in hand.
            LawError: as the task raised it.
        """
        with tempfile.TemporaryDirectory(prefix="confined-") as name, Worksheet.blank() as sheet:
            folder = Path(name)
            (folder / SCRATCH).mkdir()
            (folder / JOB).write_bytes(pickle.dumps((task, arguments, settings, self.whole, self.each)))
            process = self._start(folder, sheet)
            try:
                reason = _Watch(process, sheet, self).until_it_ends() or _crash(process.returncode)
            finally:
                # An interrupted build, too, leaves nobody behind.
                process.kill()
                process.wait()
            return self._result(folder, sheet, reason)  # type: ignore[return-value]  # what the task gave

    def _start(self, folder: Path, sheet: Worksheet) -> subprocess.Popen[bytes]:
        bounds = [str(self.whole.memory), str(self.whole.output)]
        return subprocess.Popen(  # noqa: S603 - this interpreter, with arguments of ours
            [
                *(sys.executable, "-P", "-m", "assets.confinement.process", str(folder)),
                *(str(sheet.descriptor), str(os.getpid()), *bounds),
            ],
            stdin=subprocess.DEVNULL,
            pass_fds=[sheet.descriptor],
            env={
                **os.environ,
                # The modules that this process sees, wherever it works.
                "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path),
                "TMPDIR": str(folder / SCRATCH),
                **_FRUGAL,
                **self.environment,
            },
        )

    def _result(self, folder: Path, sheet: Worksheet, reason: str | None) -> object:
        held = sheet.in_hand()
        name = held.name if held is not None else ""
        if reason is not None:
            raise ConfinementError(name, reason)
        outcome: Outcome = pickle.loads((folder / OUTCOME).read_bytes())  # noqa: S301 - of our own process
        if isinstance(outcome, Done):
            return outcome.value
        if isinstance(outcome, Broken):
            if outcome.traceback:
                _LOG.error("Nobody foresaw how %s fails:\n%s", name or "this work", outcome.traceback)
            raise ConfinementError(name, outcome.reason)
        raise outcome.error()


class _Watch:
    """Looks at a confined process until it ends, or ends it; what falls between looks, that one judges."""

    def __init__(self, process: subprocess.Popen[bytes], sheet: Worksheet, confinement: Confinement) -> None:
        self._process = process
        self._sheet = sheet
        self._confinement = confinement
        self._latest = time.monotonic() + _SECONDS_TO_START
        self._held = 0
        self._began: InHand | None = None
        self._in_hand: InHand | None = None
        self._held_before = 0
        self._told = (0, 0)

    def until_it_ends(self) -> str | None:
        """Wait; return what the process takes too much of, or None where it ended by itself."""
        # Not by Popen's own waiting: an interrupt that falls into it may leave its lock held, for good.
        ending = os.pidfd_open(self._process.pid)
        try:
            while not select.select([ending], [], [], _LOOKS_EVERY)[0]:
                reason = self._excess()
                self._tell()
                if reason is not None:
                    return reason
        finally:
            os.close(ending)
        self._process.wait()
        self._tell()
        return None

    def _excess(self) -> str | None:
        """Return what the process takes too much of, in words that follow a file's name."""
        now = time.monotonic()
        in_hand = self._sheet.in_hand()
        if in_hand is None:
            return "cannot be read: the process to read it did not start" if now > self._latest else None
        memory, spent = resident(self._process.pid), processor_seconds(self._process.pid)
        if self._began is None:
            self._began, self._held = in_hand, memory
        if in_hand != self._in_hand:
            self._in_hand, self._held_before = in_hand, memory
        whole, each = self._confinement.whole, self._confinement.each
        began = self._began
        reason = whole.excess(Taken(spent - began.spent, now - began.since, memory - self._held))
        if reason is None and each is not None and in_hand.name:
            taken = Taken(spent - in_hand.spent, now - in_hand.since, memory - self._held_before)
            reason = each.of(in_hand.size).excess(taken)
        return reason

    def _tell(self) -> None:
        progress = self._sheet.progress()
        if self._confinement.progress is not None and progress != self._told:
            self._told = progress
            self._confinement.progress(*progress)


def _crash(code: int) -> str | None:
    """Return in words why a process ended that left no outcome; None where it ended well."""
    if code == 0:
        return None
    if code == -signal.SIGKILL:
        return "cannot be read: the process that read it was killed, as happens where memory runs out"
    how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    return f"cannot be read: the process that read it crashed ({how})"

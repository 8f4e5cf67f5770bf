"""Confined work: results and errors come back, and whatever exceeds its bounds or dies is named and leaves nobody."""

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assets.confinement.bounds import MIB, Allowance, Bounds
from assets.confinement.room import Confinement
from assets.errors import ConfinementError, MalformedFileError
from tests.assets.confinement import tasks

TIGHT = Bounds(seconds=2, memory=100 * MIB, output=MIB)
ROOT = Path(__file__).parents[3]


def test_a_result_and_the_progress_come_back() -> None:
    told: list[tuple[int, int]] = []
    confinement = Confinement(TIGHT, progress=lambda done, total: told.append((done, total)))
    assert confinement.run(tasks.doubled, 21) == 42
    assert told == [(1, 2)]


def test_an_error_of_ours_comes_back_whole() -> None:
    with pytest.raises(MalformedFileError) as failed:
        Confinement(TIGHT).run(tasks.refusing, "a.xml")
    error = failed.value
    assert (error.message, error.file, error.line, error.column) == ("a.xml:3:4: is no law", "a.xml", 3, 4)


def test_the_process_has_its_own_environment() -> None:
    confined = Confinement(TIGHT, environment={"GDAL_SKIP": "WFS"})
    assert confined.run(tasks.telling_environment, "GDAL_SKIP") == "WFS"
    assert "GDAL_SKIP" not in os.environ


@pytest.mark.parametrize(
    ("task", "arguments", "reason"),
    [
        (tasks.spinning, (), "takes more than 2 s to read"),
        (tasks.growing, (2_000,), "takes more than 100 MiB of memory to read"),
        (tasks.allocating, (8_000,), "takes more memory to read than a file of its size may"),
        (tasks.nesting, (), "is nested too deeply to be read"),
        (tasks.crashing, (), "cannot be read: the process that read it crashed (SIGSEGV)"),
        (tasks.crashing, (signal.SIGABRT,), "cannot be read: the process that read it crashed (SIGABRT)"),
        (tasks.crashing, (signal.SIGKILL,), "cannot be read: the process that read it was killed"),
        (tasks.failing, (), "cannot be read: ValueError: not foreseen"),
    ],
    ids=["spin", "growth", "allocation", "depth", "segv", "abort", "kill", "error"],
)
def test_what_goes_wrong_is_named_with_the_file_in_hand(
    task: object, arguments: tuple[object, ...], reason: str
) -> None:
    with pytest.raises(ConfinementError) as failed:
        Confinement(TIGHT).run(task, "a.xml", *arguments)  # type: ignore[arg-type]  # of whichever task
    assert failed.value.file == "a.xml"
    assert failed.value.reason.startswith(reason)


@pytest.mark.parametrize("task", [tasks.hanging, tasks.hanging_in_c], ids=["hang", "lock"])
def test_what_only_waits_ends_too(task: object) -> None:
    bounds = Bounds(seconds=0.4, memory=100 * MIB)
    with pytest.raises(ConfinementError, match=r"^a\.xml: takes more than 2 s to read"):
        Confinement(bounds).run(task, "a.xml")  # type: ignore[arg-type]  # of whichever task


def test_too_much_output_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfinementError, match=r"^a\.xml: comes to more output") as failed:
        Confinement(TIGHT).run(tasks.writing, "a.xml", str(tmp_path / "out"), 8)
    assert failed.value.file == "a.xml"
    assert (tmp_path / "out").stat().st_size <= MIB


def test_what_nobody_foresaw_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR), pytest.raises(ConfinementError):
        Confinement(TIGHT).run(tasks.failing, "a.xml")
    assert "ValueError: not foreseen" in caplog.text


def test_each_file_has_bounds_of_its_own_beside_those_of_the_whole() -> None:
    each = Allowance(seconds=0.5, seconds_per_mib=0, memory=100 * MIB, memory_per_byte=0)
    wide = Bounds(seconds=20, memory=100 * MIB)
    Confinement(wide, each=each).run(tasks.in_turn, dict.fromkeys("abcd", 0.2))
    with pytest.raises(ConfinementError, match=r"^c: takes more than 2 s"):
        Confinement(wide, each=each).run(tasks.in_turn, {"a": 0.1, "b": 0.1, "c": 5.0})


def test_waiting_for_the_processor_is_not_held_against_a_file() -> None:
    """A busy machine refused good law: reading took longer there than the bound on its work."""
    each = Allowance(seconds=0.5, seconds_per_mib=0, memory=100 * MIB, memory_per_byte=0)
    Confinement(Bounds(seconds=1, memory=100 * MIB), each=each).run(tasks.in_turn, {"a": 1.5, "b": 0.7})


@pytest.mark.parametrize("files", [{"a": 10, "b": 60, "c": 10}, {"a": 10, "b": 60}], ids=["followed", "last"])
def test_what_swells_between_two_looks_is_named_all_the_same(files: dict[str, int]) -> None:
    each = Allowance(seconds=20, seconds_per_mib=0, memory=40 * MIB, memory_per_byte=0)
    with pytest.raises(ConfinementError, match=r"^b: takes more than 40 MiB of memory to read"):
        Confinement(Bounds(seconds=60, memory=200 * MIB), each=each).run(tasks.swelling, files)


def test_bounds_grow_with_the_size() -> None:
    allowance = Allowance(seconds=10, seconds_per_mib=2, memory=100, memory_per_byte=3)
    assert (allowance.of(5 * MIB).seconds, allowance.of(50).memory) == (20, 250)


RUNNING = """
import signal
import sys
from assets.confinement.bounds import Bounds
from assets.confinement.room import Confinement
from tests.assets.confinement import tasks
# Whoever starts a suite may have it ignore or hold back signals, as a shell does with those of a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_SETMASK, ())
Confinement(Bounds(seconds=300, memory=2**30)).run(tasks.hanging, "a.xml", sys.argv[1])
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_the_process_does_not_outlive_who_started_it(tmp_path: Path, how: signal.Signals) -> None:
    mark = tmp_path / "pid"
    with subprocess.Popen(
        [sys.executable, "-c", RUNNING, str(mark)], cwd=ROOT, stderr=subprocess.PIPE
    ) as parent:
        try:
            child = int(_when_written(mark))
            parent.send_signal(how)
            parent.wait(120)
        finally:
            parent.kill()
        assert _ends(child)


def _when_written(path: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if path.is_file() and (text := path.read_text(encoding="utf-8")):
            return text
        time.sleep(0.02)
    raise AssertionError(f"{path} was not written")


def _ends(pid: int) -> bool:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        except (FileNotFoundError, ProcessLookupError):
            return True
        if status.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False

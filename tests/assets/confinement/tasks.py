"""Work of every bad kind, for processes that import it by name."""

import ctypes
import os
import signal
import time
from pathlib import Path

from assets.confinement.worksheet import Worksheet
from assets.errors import MalformedFileError

MIB = 1024 * 1024


def doubled(sheet: Worksheet, number: int) -> int:
    sheet.advance(1, 2)
    return 2 * number


def refusing(sheet: Worksheet, file: str) -> None:
    raise MalformedFileError(file, "is no law", line=3, column=4)


def hanging(sheet: Worksheet, file: str, mark: str | None = None) -> None:
    sheet.take_up(file, 0)
    if mark is not None:
        Path(mark).write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(600)


def spinning(sheet: Worksheet, file: str) -> None:
    sheet.take_up(file, 0)
    while True:
        pass


def hanging_in_c(sheet: Worksheet, file: str) -> None:
    """Hold the interpreter's lock for good, so that no thread or handler of Python's can run."""
    sheet.take_up(file, 0)
    ctypes.PyDLL(None).sleep(600)


def growing(sheet: Worksheet, file: str, mebibytes: int) -> int:
    sheet.take_up(file, 0)
    held = []
    for _ in range(mebibytes):
        held.append(b"x" * MIB)
        time.sleep(0.001)
    return len(held)


def allocating(sheet: Worksheet, file: str, mebibytes: int) -> int:
    sheet.take_up(file, 0)
    return len(b"x" * (mebibytes * MIB))


def writing(sheet: Worksheet, file: str, path: str, mebibytes: int) -> None:
    sheet.take_up(file, 0)
    Path(path).write_bytes(b"x" * (mebibytes * MIB))


def nesting(sheet: Worksheet, file: str) -> None:
    sheet.take_up(file, 0)
    nesting(sheet, file)


def crashing(sheet: Worksheet, file: str, number: int = signal.SIGSEGV) -> None:
    sheet.take_up(file, 0)
    os.kill(os.getpid(), number)


def failing(sheet: Worksheet, file: str) -> None:
    sheet.take_up(file, 0)
    raise ValueError("not foreseen\nat all")


def in_turn(sheet: Worksheet, seconds: dict[str, float]) -> None:
    for file, pause in seconds.items():
        sheet.take_up(file, 0)
        time.sleep(pause)


def telling_environment(sheet: Worksheet, name: str) -> str | None:
    return os.environ.get(name)


def swelling(sheet: Worksheet, files: dict[str, int]) -> None:
    """Hold as many mebibytes for each file as are said, too briefly to be seen from outside."""
    for file, mebibytes in files.items():
        sheet.take_up(file, 0)
        len(b"x" * (mebibytes * MIB))

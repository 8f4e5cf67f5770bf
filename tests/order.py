"""The order in which the processes of a run take its files: the longest first, so that none is left alone with one.

`durations.json` holds the seconds of files that take long; `RECORD_DURATIONS=yes make test` measures them anew.
"""

import json
import os
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parents[1]
DURATIONS = ROOT / "tests" / "durations.json"
LONG_SECONDS = 2
"""Files that take less are not listed."""
ROOMS = ("tests/serving/metering",)
"""Folders whose files share servers of each engine, which one process starts once for all of them."""


def unit_of(node: str) -> str:
    """Return what is run by one process: the test's file, or the folder where files share servers."""
    file = node.partition("::")[0]
    return next((room for room in ROOMS if file.startswith(f"{room}/")), file)


class LongestFirst(LoadFileScheduling):  # type: ignore[misc]  # the package has no types
    """Gives out the longest files first, and those whose time is not known by their numbers of tests."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)


def in_order(units: dict[str, int], seconds: dict[str, float]) -> list[str]:
    """Return units in the order in which they begin.

    Args:
        units: their numbers of tests.
        seconds: of those that take long.
    """
    return sorted(units, key=lambda unit: (-seconds.get(unit, 0), -units[unit]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LongestFirst | None:
    """Give out files in the order in which the processes have collected them."""
    if config.getvalue("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False  # else by the number of their tests
    return LongestFirst(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests in that order, where this is one process of several."""
    if not hasattr(config, "workerinput"):
        return
    found = in_order(Counter(unit_of(item.nodeid) for item in items), _known())
    place = {unit: number for number, unit in enumerate(found)}
    items.sort(key=lambda item: place[unit_of(item.nodeid)])


class _Recorder:
    """Adds up what each file took, in all processes."""

    def __init__(self) -> None:
        self._seconds = defaultdict[str, float](float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[unit_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        measured = {unit: round(taken) for unit, taken in self._seconds.items()}
        known = {unit: taken for unit, taken in _known().items() if (ROOT / unit).exists()}
        known.update(measured)
        long = {unit: taken for unit, taken in sorted(known.items()) if taken >= LONG_SECONDS}
        DURATIONS.write_text(json.dumps(long, indent=2) + "\n", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Measure, where that is asked for."""
    if os.environ.get("RECORD_DURATIONS") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder())


def _known() -> dict[str, float]:
    known: dict[str, float] = json.loads(DURATIONS.read_text(encoding="utf-8"))
    return known

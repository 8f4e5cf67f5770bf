"""No input breaks what takes bytes from anybody: those that once did, and a short run of new ones.

`make fuzz SECONDS=...` runs for longer, on inputs that no run has seen, and keeps in the corpus what breaks something.
"""

import importlib.util
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.corpus import FOLDER, keep, kept
from tests.fuzz.target import Check, Grounds, Target
from tests.fuzz.targets import TARGETS

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0")) / len(TARGETS)
"""For one target; 0 for the short run, which is the same each time."""
NAMES = {target.name: target for target in TARGETS}
each = pytest.mark.parametrize("target", TARGETS, ids=NAMES)


@pytest.fixture(scope="module")
def grounds(
    snapshots_folder: Path, sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Grounds]:
    folder = tmp_path_factory.mktemp("fuzz")
    shutil.copy(sqlite_template, folder / "accounts.sqlite")
    grounds = Grounds(snapshots_folder, f"sqlite:///{folder / 'accounts.sqlite'}", folder)
    yield grounds
    grounds.close()


@each
def test_what_once_broke_it_does_so_no_more(target: Target, grounds: Grounds) -> None:
    with target.ready(grounds) as check:
        for path in kept(target.name):
            check(path.read_bytes())


@each
def test_no_input_breaks_it(target: Target, grounds: Grounds) -> None:
    with target.ready(grounds) as check:
        if not SECONDS:
            _search(target, check)
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            _search_on(target, check)


@pytest.mark.skipif(not SECONDS, reason="led by what inputs reach: with `make fuzz` alone")
@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="Atheris is not installed here: `make fuzz` runs this"
)
@pytest.mark.parametrize("target", [one for one in TARGETS if one.check], ids=lambda one: one.name)
def test_no_input_that_leads_further_breaks_it(target: Target, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.guided", target.name, str(int(SECONDS) + 1), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    assert done.returncode == 0, done.stderr[-6_000:]


def test_corpus_has_no_other_folders() -> None:
    assert {path.name for path in FOLDER.iterdir()} <= set(NAMES)


def _search(target: Target, check: Check) -> None:
    """Try as many inputs as the target has in the short run; those of the profile that is in use."""

    def run(data: bytes) -> None:
        try:
            check(data)
        except BaseException as error:
            error.add_note(f"The input is {data!r}")
            raise

    _settled(target)(given(target.inputs)(run))()


def _search_on(target: Target, check: Check) -> None:
    """Try as many that no run has seen; keep the simplest that breaks something."""
    last = b""

    def noting(data: bytes) -> None:
        nonlocal last
        last = data
        check(data)

    run = seed(random.getrandbits(64))(given(target.inputs)(noting))
    try:
        _settled(target, derandomize=False)(run)()
    except BaseException as error:
        error.add_note(f"The input is kept as {keep(target.name, last)}")
        raise


def _settled(target: Target, **more: Any) -> settings:
    return settings(
        max_examples=target.examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        **more,
    )

"""The tree of tests mirrors the tree of sources, so that the tests of a room are found by its path."""

from collections import defaultdict
from pathlib import Path

from tests.architecture.modules import ROOT

TESTS = ROOT / "tests"
WHOLE = {
    *("architecture", "benchmarks", "container", "docs", "faults", "fuzz", "hostile", "publications"),
    "quality",
}
"""Folders of tests of the whole tree or the whole product, and of what such tests read."""


def test_every_folder_of_tests_is_a_folder_of_sources() -> None:
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("*.py")}
    astray = {
        str(folder)
        for folder in folders
        if folder.parts and folder.parts[0] not in WHOLE and not (ROOT / folder).is_dir()
    }
    assert not astray


def test_tests_with_the_name_of_a_module_stand_at_its_place() -> None:
    """A module's name may be taken by tests of another room only where that room has such a module too."""
    places = defaultdict[str, set[Path]](set)
    for room in ("assets", "deploy", "pipelines", "serving"):
        for path in (ROOT / room).rglob("*.py"):
            places[path.stem].add(path.parent.relative_to(ROOT))
    astray = {
        str(path.relative_to(ROOT)): sorted(map(str, places[name]))
        for path in TESTS.rglob("test_*.py")
        if path.relative_to(TESTS).parts[0] not in WHOLE
        if (name := path.stem.removeprefix("test_")) in places
        and path.parent.relative_to(TESTS) not in places[name]
        and not (ROOT / path.parent.relative_to(TESTS) / name).is_dir()
    }
    assert not astray

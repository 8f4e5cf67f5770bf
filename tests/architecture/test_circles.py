"""No circles: what lies in one package imports one way, at every depth of the tree."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.architecture.modules import imports, modules


def unit_of(module: str, package: str) -> str:
    """Return the part of a package that a module lies in: a subpackage, a module, or the `__init__` itself."""
    below = module.removeprefix(package).lstrip(".")
    return below.partition(".")[0] or "__init__"


def arrows(sources: Mapping[str, set[str]]) -> dict[str, dict[str, set[str]]]:
    """Return, for each package, which of its parts import which others."""
    packages = {name.rpartition(".")[0] for name in sources if "." in name}
    drawn: dict[str, dict[str, set[str]]] = {package: {} for package in packages}
    for module, targets in sources.items():
        for target in targets:
            common = shared_package(module, target, packages)
            if common is None:
                continue
            start, end = unit_of(module, common), unit_of(target, common)
            if start != end:
                drawn[common].setdefault(start, set()).add(end)
    return drawn


def shared_package(module: str, target: str, packages: set[str]) -> str | None:
    """Return the innermost package that both modules lie in, or are."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        package = ".".join(parts[:length])
        if package in packages and (target == package or target.startswith(f"{package}.")):
            return package
    return None


def circles(graph: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """Yield the sets of parts that import each other, directly or through others."""
    reach = {part: reached(part, graph) for part in graph}
    seen: set[str] = set()
    for part in sorted(graph):
        if part in reach[part] and part not in seen:
            ring = frozenset(other for other in reach[part] if part in reach.get(other, set()))
            seen |= ring
            yield ring


def reached(part: str, graph: Mapping[str, set[str]]) -> set[str]:
    """Return all parts that one imports, directly or through others."""
    found: set[str] = set()
    waiting = list(graph.get(part, ()))
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += graph.get(other, ())
    return found


def ours() -> dict[str, set[str]]:
    """Return all modules of the tree, each with those that it imports."""
    paths: dict[str, Path] = dict(modules())

    def module_of(name: str) -> str | None:
        while name and name not in paths:
            name = name.rpartition(".")[0]
        return name or None

    return {
        name: {module for target in imports(path) if (module := module_of(target)) is not None}
        for name, path in paths.items()
    }


ARROWS = arrows(ours())


@pytest.mark.parametrize("package", sorted(ARROWS))
def test_parts_of_a_package_import_one_way(package: str) -> None:
    found = set(circles(ARROWS[package]))
    assert not found, "; ".join(" and ".join(sorted(circle)) for circle in found)


def test_a_circle_is_seen_however_long_and_however_deep() -> None:
    tree = {
        "top.first.deep.one": {"top.first.deep.two"},
        "top.first.deep.two": {"top.first.deep.three"},
        "top.first.deep.three": {"top.first.deep.one"},
        "top.first.beside": {"top.second.part"},
        "top.second.part": {"top.floor"},
        "top.floor": set[str](),
    }
    assert set(circles(arrows(tree)["top.first.deep"])) == {frozenset({"one", "two", "three"})}
    assert not set(circles(arrows(tree)["top"]))
    tree["top.second.other"] = {"top.first.beside"}
    assert set(circles(arrows(tree)["top"])) == {frozenset({"first", "second"})}

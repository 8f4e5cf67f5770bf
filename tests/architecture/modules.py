"""The modules of the tree and what each imports, read from their syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = {
    # package of ours: the folder that holds it
    **dict.fromkeys(("assets", "pipelines", "serving"), ROOT),
    "legal_client": ROOT / "serving" / "client",
}
OURS = set(ROOMS)


def modules() -> Iterator[tuple[str, Path]]:
    """Yield every module of ours by its dotted name; a package's `__init__` goes by the package's name."""
    for package, folder in sorted(ROOMS.items()):
        for path in sorted((folder / package).rglob("*.py")):
            if package != "serving" or ROOMS["legal_client"] not in path.parents:
                name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
                yield name, path


def imports(path: Path) -> set[str]:
    """Return what a module imports: modules, and names of modules with what is taken from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def lies_in(module: str, packages: set[str]) -> bool:
    """Return whether a module is one of the packages, or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)

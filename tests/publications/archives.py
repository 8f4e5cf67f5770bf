"""The archives that the tests read, and what each is made of, as `archives.toml` has them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Repository:
    """A public Git repository; `objects` are Git's ids of files and folders, by their path in it.

    They go into `folder` of the archive.
    """

    address: str
    folder: str
    objects: dict[str, str]


@dataclass(frozen=True)
class Site:
    """A site that offers one zip for each XML file; `files` are their SHA-256, by name without `.xml`."""

    address: str
    folder: str
    files: dict[str, str]


@dataclass(frozen=True)
class Archive:
    """One archive: what it holds, under which licence, and where its files are published."""

    name: str
    what: str
    licence: str
    repository: tuple[Repository, ...] = ()
    site: Site | None = None


def load_archives(path: Path) -> list[Archive]:
    """Read the archives of a file."""
    return [
        Archive(
            entry["name"],
            entry["what"],
            entry["licence"],
            tuple(Repository(**repository) for repository in entry.get("repository", ())),
            Site(**entry["site"]) if "site" in entry else None,
        )
        for entry in tomllib.loads(path.read_text())["archive"]
    ]

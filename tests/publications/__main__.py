"""Take the official publications that the tests read: `python -m tests.publications [FOLDER] [--only NAME]`."""

import argparse
import sys
from pathlib import Path

from tests.publications.archives import load_archives
from tests.publications.errors import PublicationError
from tests.publications.packing import pack

CHECKOUT = Path(__file__).resolve().parents[2]
BESIDE = CHECKOUT.parent / "shared" / "data"
"""Where the tests look for them."""


def main(arguments: list[str] | None = None) -> int:
    """Take each archive that is not there yet; return 1 if one could not be had."""
    parser = argparse.ArgumentParser(prog="python -m tests.publications", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=BESIDE, help=f"default: {BESIDE}")
    parser.add_argument("--only", action="append", metavar="NAME", help="take this archive alone; repeatable")
    parser.add_argument("--archives", type=Path, default=Path(__file__).with_name("archives.toml"))
    given = parser.parse_args(arguments)
    archives = {archive.name: archive for archive in load_archives(given.archives)}
    if unknown := sorted(set(given.only or ()) - set(archives)):
        parser.error(f"no archive {', '.join(unknown)}; there are {', '.join(archives)}")
    given.folder.mkdir(parents=True, exist_ok=True)
    status = 0
    for name in given.only or archives:
        target = given.folder / f"{name}.tar.xz"
        if target.exists():
            print(f"{name}: is there")
            continue
        try:
            for line in pack(archives[name], target):
                print(f"{name}: {line}", flush=True)
        except PublicationError as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

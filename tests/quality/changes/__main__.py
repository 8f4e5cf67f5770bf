"""Compare two editions of a code by the feed of changes and by an independent look at the publisher's files.

`python -m tests.quality.changes FORMAT OLD NEW OLD_SOURCE NEW_SOURCE` takes two folders with `provisions.parquet`
and `report.json`, and two with the unpacked source: `law-xml` of the D.C. Code, or `pages` of San Mateo's site. The
independent look (`trees.py`) uses none of our readers. The command prints the kinds of both and each provision on
which they disagree; `rendered` is what a site makes differ, and may be `editorial` in the feed or not in it.
"""

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from serving.comparison.comparison import Comparison
from serving.comparison.pairing import NONE
from tests.quality.changes.law_xml_tree import read_tree
from tests.quality.changes.pages_tree import read_pages
from tests.quality.changes.tables import law_of
from tests.quality.changes.trees import RENDERED, Kinds, Unit, compared, container_name

READERS: Mapping[str, Callable[[Path], Iterator[Unit]]] = {"law-xml": read_tree, "pages": read_pages}


def feed_of(old: Path, new: Path, scratch: Path) -> Kinds:
    """Return the kinds of the changes between two folders of provisions, by the names that trees have."""
    comparison = Comparison(
        law_of(old, scratch / "old", snapshot="2000.01.01-1"),
        law_of(new, scratch / "new", snapshot="2000.01.02-1"),
    )
    (body,) = comparison.new.code_bodies
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for one in comparison.differences(body.id):
        after = one.after != NONE
        answer = comparison.new.nodes.answer(one.after) if after else comparison.old.nodes.answer(one.before)
        found[_name(answer)][one.kind] += 1
    return found


def _name(answer: Mapping[str, Any]) -> str:
    if answer["level"] == "section":
        return str(answer["num"])
    label, *place = (f"{one['level']} {one['num']}".lower() for one in (answer, *answer["ancestors"]))
    return container_name(place, label)


def disagreements(seen: Kinds, told: Kinds) -> dict[str, tuple[Counter[str], Counter[str]]]:
    """Return what the files and the feed say of each name on which they disagree."""
    found = {}
    for name in seen.keys() | told.keys():
        files, feed = seen.get(name, Counter()), told.get(name, Counter())
        free = Counter({"editorial": files[RENDERED]})
        certain = Counter({kind: count for kind, count in files.items() if kind != RENDERED})
        if feed - certain - free or certain - feed:
            found[name] = (files, feed)
    return found


def total(kinds: Iterable[Counter[str]]) -> dict[str, int]:
    """Return the sum of kinds."""
    return dict(sum(kinds, Counter()))


def main() -> None:
    """Print both comparisons and where they disagree."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.changes", description=__doc__)
    parser.add_argument("format", choices=READERS)
    for name in ("old", "new", "old_source", "new_source"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    read = READERS[options.format]
    with tempfile.TemporaryDirectory() as scratch:
        told = feed_of(options.old, options.new, Path(scratch))
    seen = compared(read(options.old_source), read(options.new_source))
    print("feed:", total(told.values()))
    print("files:", total(seen.values()))
    found = disagreements(seen, told)
    print(
        "they agree on", len(seen.keys() | told.keys()) - len(found), "provisions and disagree on", len(found)
    )
    for name, (files, feed) in sorted(found.items()):
        print(f"  {name}: files {dict(files)}, feed {dict(feed)}")


if __name__ == "__main__":
    main()

"""Compare two editions of the D.C. Code by the feed of changes and by an independent look at the publisher's files.

`python -m tests.quality.changes OLD NEW OLD_XML NEW_XML` takes two folders with `provisions.parquet` and
`report.json`, and two with the unpacked XML. The independent look uses none of our readers: a section is a file,
its number is its `num`, and it changed if its words or its `reason` differ. The command lists where the two disagree.
"""

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from lxml import etree

from serving.comparison.comparison import Comparison
from serving.contract.changes import Change
from tests.quality.changes.tables import law_of

_SHOWN = 40
Sections = Mapping[str, list[tuple[str, str]]]
"""Reason and words of each file of a number."""


def read_sections(folder: Path) -> Sections:
    """Read the files of sections below a folder."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in sorted(folder.rglob("titles/**/*.xml")):
        root = etree.parse(str(path)).getroot()
        if etree.QName(root).localname != "section":
            continue
        apart = {"num": "", "reason": ""}
        for child in list(root):
            name = etree.QName(child).localname if isinstance(child.tag, str) else ""
            if name in apart:
                apart[name] = _words(child)
                root.remove(child)
        found[apart["num"]].append((apart["reason"], _words(root)))
    return {number: sorted(files) for number, files in found.items()}


def _words(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())


def compared(old: Sections, new: Sections) -> dict[str, str]:
    """Return the numbers that are added, removed or changed."""
    verdicts = dict.fromkeys(new.keys() - old.keys(), "added") | dict.fromkeys(
        old.keys() - new.keys(), "removed"
    )
    return verdicts | {number: "changed" for number in old.keys() & new.keys() if old[number] != new[number]}


def by_number(changes: Iterable[Change]) -> dict[str, list[Change]]:
    """Return the changes of sections by the numbers that they name."""
    found: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        sides = [
            side for side in (change["before"], change["after"]) if side and change["level"] == "section"
        ]
        for number in {side["num"] or "" for side in sides}:
            found[number].append(change)
    return found


def main() -> None:
    """Print both comparisons and where they disagree."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.changes", description=__doc__)
    for name in ("old", "new", "old_xml", "new_xml"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        comparison = Comparison(
            law_of(options.old, Path(scratch) / "old", snapshot="2000.01.01-1"),
            law_of(options.new, Path(scratch) / "new", snapshot="2000.01.02-1"),
        )
        (body,) = comparison.new.code_bodies
        changes = [comparison.describe(body, one) for one in comparison.differences(body.id)]
    told = by_number(changes)
    seen = compared(read_sections(options.old_xml), read_sections(options.new_xml))
    print("feed:", dict(Counter(change["kind"] for change in changes)))
    print("files:", dict(Counter(seen.values())))
    print("both:", dict(Counter((seen[one], told[one][0]["kind"]) for one in seen.keys() & told.keys())))
    for words, numbers in (
        ("in the files and not in the feed", seen.keys() - told.keys()),
        ("in the feed and not in the files", told.keys() - seen.keys()),
    ):
        print(f"{words}: {len(numbers)}")
        for number in sorted(numbers)[:_SHOWN]:
            kinds = [(change["kind"], change["fields"]) for change in told.get(number, ())]
            print(f"  {number}: {seen.get(number) or kinds}")


if __name__ == "__main__":
    main()

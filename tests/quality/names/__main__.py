"""Judge the names of acts that lead a search: `python -m tests.quality.names SNAPSHOT_FOLDER [--missed]`.

Prints for each kind of names how many lead to a section that a lawyer would take, first or among those that lead. Where
no act is named, nothing may lead.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from serving.contract.citations.keys import citation_key
from serving.services.citations.leads import find_leads
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot, open_snapshot

TABLE = Path(__file__).with_name("names.tsv")
_NONE = "-"


class Name(NamedTuple):
    """A name as it is typed, with the citations that are right; none where no act is named."""

    query: str
    answers: tuple[str, ...]
    kind: str


class Judged(NamedTuple):
    """A name and what it leads to; `rank` is the place of the first that is right, from 1."""

    name: Name
    leads: tuple[str, ...]
    rank: int | None

    @property
    def is_first(self) -> bool:
        """It leads to the right section first, or rightly to none."""
        return self.rank == 1 if self.name.answers else not self.leads


def read_names(table: Path = TABLE) -> Iterator[Name]:
    """Yield the lines of a table."""
    for line in table.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            query, answers, kind = line.split("\t")
            yield Name(query, () if answers == _NONE else tuple(answers.split(" | ")), kind)


def judge(snapshot: Snapshot, name: Name) -> Judged:
    """Return what a name leads to in a snapshot."""
    rows = find_leads(snapshot, name.query, Filters()).rows
    leads = tuple(map(snapshot.nodes.citation, rows))
    right = set(map(citation_key, name.answers))
    ranks = (rank for rank, lead in enumerate(leads, start=1) if citation_key(lead) in right)
    return Judged(name, leads, next(ranks, None))


def main() -> int:
    """Judge and print; status 1 where something leads though no act is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.names")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--missed", action="store_true", help="also print what does not lead rightly")
    options = parser.parse_args()
    snapshot = open_snapshot(options.snapshot)
    judged = [judge(snapshot, name) for name in read_names()]
    print(f"{'kind':<8}{'names':>6}{'first':>7}{'leads':>7}{'wrong':>7}{'none':>6}")
    for kind in dict.fromkeys(one.name.kind for one in judged):
        own = [one for one in judged if one.name.kind == kind]
        wrong = sum(bool(one.leads) and one.rank is None for one in own)
        first, led = sum(one.is_first for one in own), sum(one.rank is not None for one in own)
        print(f"{kind:<8}{len(own):>6}{first:>7}{led:>7}{wrong:>7}{sum(not one.leads for one in own):>6}")
    if options.missed:
        for one in judged:
            if not one.is_first:
                print(f"{one.name.kind}: {one.name.query} | {', '.join(one.name.answers)} | {one.leads[:3]}")
    return int(any(one.leads and not one.name.answers for one in judged))


if __name__ == "__main__":
    sys.exit(main())

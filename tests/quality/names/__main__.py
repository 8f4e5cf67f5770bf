"""Judge searches that name acts: `python -m tests.quality.names SNAPSHOT_FOLDER [--missed]`.

Prints for each kind of names how many lead to a section that a lawyer would take, first or among those that lead, and
how many a hybrid search finds first and among its first three. Where no act is named, nothing may lead.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from serving.contract.citations.keys import citation_key
from serving.services.citations.leads import find_leads
from serving.services.opening import open_warm
from serving.services.requests import SearchRequest
from serving.services.search import SearchService
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot

TABLE = Path(__file__).with_name("names.tsv")
DEPTH, THREE = 10, 3
_NONE = "-"


class Name(NamedTuple):
    """A name as it is typed, with the citations that are right; none where no act is named."""

    query: str
    answers: tuple[str, ...]
    kind: str


class Judged(NamedTuple):
    """A name, and what it leads to and finds.

    Attributes:
        name: the name.
        leads: citations of what leads.
        rank: place of the first of them that is right, from 1.
        found: place of the first right one among the first ten that a hybrid search finds.
    """

    name: Name
    leads: tuple[str, ...]
    rank: int | None
    found: int | None

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


def judge(snapshot: Snapshot, service: SearchService, name: Name) -> Judged:
    """Return what a name leads to and finds in a snapshot."""
    rows = find_leads(snapshot, name.query, Filters()).rows
    leads = tuple(map(snapshot.nodes.citation, rows))
    items = service.search(snapshot, SearchRequest(query=name.query, limit=DEPTH)).items
    right = set(map(citation_key, name.answers))
    return Judged(name, leads, _place(leads, right), _place([item.citation for item in items], right))


def _place(citations: Sequence[str], right: Set[str]) -> int | None:
    places = (place for place, one in enumerate(citations, start=1) if citation_key(one) in right)
    return next(places, None)


def main() -> int:
    """Judge and print; status 1 where something leads though no act is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.names")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--missed", action="store_true", help="also print what does not lead rightly")
    options = parser.parse_args()
    snapshot, service = open_warm(options.snapshot), SearchService()
    judged = [judge(snapshot, service, name) for name in read_names()]
    columns = ("names", "first", "leads", "wrong", "none", "found first", "in three")
    print(f"{'kind':<8}", *(f"{column:>11}" for column in columns))
    for kind in dict.fromkeys(one.name.kind for one in judged):
        own = [one for one in judged if one.name.kind == kind]
        figures = (
            len(own),
            sum(one.is_first for one in own),
            sum(one.rank is not None for one in own),
            sum(bool(one.leads) and one.rank is None for one in own),
            sum(not one.leads for one in own),
            sum(one.found == 1 for one in own),
            sum((one.found or DEPTH) <= THREE for one in own),
        )
        print(f"{kind:<8}", *(f"{figure:>11}" for figure in figures))
    if options.missed:
        for one in judged:
            if not one.is_first or (one.name.answers and one.found != 1):
                print(one.name.kind, one.name.query, one.name.answers, one.leads[:3], one.found, sep=" | ")
    return int(any(one.leads and not one.name.answers for one in judged))


if __name__ == "__main__":
    sys.exit(main())

"""Judge searches by queries that nothing was tuned on: `python -m tests.quality.unseen SNAPSHOT_FOLDER [--missed]`.

Prints for each kind of queries how many a hybrid search answers with a section that a lawyer would take first, among its
first three and its first ten; and how many lead to one as the name of an act, first or among what leads. Where no act is
named, nothing may lead. Queries whose sections a snapshot does not hold are left out.
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

TABLE = Path(__file__).with_name("queries.tsv")
DEPTH, THREE = 10, 3
_NONE = "-"


class Unseen(NamedTuple):
    """A query as it is typed, with the citations that are right; none where no act is named."""

    query: str
    answers: tuple[str, ...]
    kind: str
    jurisdiction: str | None = None


class Judged(NamedTuple):
    """A query, and what it leads to and finds.

    Attributes:
        asked: the query.
        leads: citations of what leads.
        rank: place of the first of them that is right, from 1.
        found: place of the first right one among the first ten that a hybrid search finds.
    """

    asked: Unseen
    leads: tuple[str, ...]
    rank: int | None
    found: int | None

    @property
    def is_first(self) -> bool:
        """It leads to the right section first, or rightly to none."""
        return self.rank == 1 if self.asked.answers else not self.leads


def read_queries(table: Path = TABLE) -> Iterator[Unseen]:
    """Yield the lines of a table."""
    for line in table.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            query, answers, *kind = line.split("\t")
            yield Unseen(query, () if answers == _NONE else tuple(answers.split(" | ")), *kind)


def judge(snapshot: Snapshot, service: SearchService, asked: Unseen) -> Judged:
    """Return what a query leads to and finds in a snapshot."""
    rows = find_leads(snapshot, asked.query, Filters(jurisdiction=asked.jurisdiction)).rows
    leads = tuple(map(snapshot.nodes.citation, rows))
    request = SearchRequest(query=asked.query, jurisdiction=asked.jurisdiction, limit=DEPTH)
    found = [item.citation for item in service.search(snapshot, request).items]
    right = set(map(citation_key, asked.answers))
    return Judged(asked, leads, _place(leads, right), _place(found, right))


def is_held(snapshot: Snapshot, asked: Unseen) -> bool:
    """Return whether a snapshot holds a section that is right, or none is."""
    return not asked.answers or any(len(snapshot.citations.find(citation_key(one))) for one in asked.answers)


def _place(citations: Sequence[str], right: Set[str]) -> int | None:
    places = (place for place, one in enumerate(citations, start=1) if citation_key(one) in right)
    return next(places, None)


def main() -> int:
    """Judge and print; status 1 where something leads though no act is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.unseen")
    parser.add_argument("snapshot", type=Path, help="folder of one snapshot")
    parser.add_argument("--missed", action="store_true", help="also print what is not found first")
    options = parser.parse_args()
    snapshot, service = open_warm(options.snapshot), SearchService()
    judged = [judge(snapshot, service, asked) for asked in read_queries() if is_held(snapshot, asked)]
    columns = ("queries", "first", "in three", "in ten", "leads first", "leads", "leads astray")
    print(f"{'kind':<8}", *(f"{column:>12}" for column in columns))
    for kind in dict.fromkeys(one.asked.kind for one in judged):
        own = [one for one in judged if one.asked.kind == kind]
        figures = (
            len(own),
            *(sum((one.found or DEPTH + 1) <= most for one in own) for most in (1, THREE, DEPTH)),
            sum(one.is_first for one in own),
            sum(one.rank is not None for one in own),
            sum(bool(one.leads) and one.rank is None for one in own),
        )
        print(f"{kind:<8}", *(f"{figure:>12}" for figure in figures))
    if options.missed:
        for one in judged:
            if one.found != 1 and (one.asked.answers or one.leads):
                asked = one.asked
                print(asked.kind, asked.query, asked.answers, one.leads[:THREE], one.found, sep=" | ")
    return int(any(one.leads and not one.asked.answers for one in judged))


if __name__ == "__main__":
    sys.exit(main())

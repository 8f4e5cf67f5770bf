"""The evaluation set: queries with their kinds and splits, and graded judgements of provisions."""

import csv
import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

QUERIES, JUDGEMENTS = "queries*.jsonl", "judgements*.tsv"
"""Files of the set, of which there may be several."""
HELDOUT = "heldout"
SPLITS = ("train", HELDOUT)
NOTHING = "nothing"
"""Kind of the queries that no law at hand answers."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query as somebody types it.

    Attributes:
        jurisdiction: short code that the search is narrowed to; None for all.
        split: `train`, or `heldout` for whole titles that nothing is trained on.
    """

    id: str
    kind: str
    text: str
    jurisdiction: str | None
    split: str


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Queries with, for each, the grades of the provisions that were judged.

    Attributes:
        queries: in the order of the files.
        grades: by the id of a query, then by the id of a provision.
        revision: SHA-256 over the files that the set was read from.
    """

    queries: tuple[Query, ...]
    grades: dict[str, dict[str, int]]
    revision: str = ""

    def of_split(self, split: str | None) -> tuple[Query, ...]:
        """Return the queries of a split; all for None."""
        return tuple(query for query in self.queries if split in (None, query.split))


def read_evaluation_set(folder: Path) -> EvaluationSet:
    """Read the set in a folder; one without queries is empty.

    Raises:
        ValueError: an id stands twice, a split or a grade is unknown, or a judgement names no query.
    """
    queries: dict[str, Query] = {}
    for line in "".join(
        path.read_text(encoding="utf-8") for path in sorted(folder.glob(QUERIES))
    ).splitlines():
        stored = json.loads(line)
        query = Query(stored["id"], stored["kind"], stored["query"], stored["jurisdiction"], stored["split"])
        if query.id in queries or query.split not in SPLITS:
            raise ValueError(f"{query.id} stands twice, or its split {query.split} is none of {SPLITS}")
        queries[query.id] = query
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for path in sorted(folder.glob(JUDGEMENTS)):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, dialect="excel-tab", quoting=csv.QUOTE_NONE):
                grade = int(row["grade"])
                if row["query"] not in queries or not 0 <= grade <= 3:
                    raise ValueError(f"{row['query']} is no query, or {grade} no grade")
                grades[row["query"]][row["node"]] = grade
    return EvaluationSet(tuple(queries.values()), dict(grades), _revision(folder))


def _revision(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in [*sorted(folder.glob(QUERIES)), *sorted(folder.glob(JUDGEMENTS))]:
        digest.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()

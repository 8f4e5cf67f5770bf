"""The questions by which search is judged: whole, well formed, and split as their README says."""

import csv
import json
import re
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from uuid import UUID

FOLDER = Path("datasets/evaluation")
BODIES = {
    "U.S.C.": "us-usc",
    "D.C. Code": "dc-code",
    "San Mateo": "ca-san-mateo-code",
    "Alaska Stat.": "ak-code",
    "Tenn. Code Ann.": "tn-code",
}


def queries() -> list[dict[str, str | None]]:
    return [
        json.loads(line)
        for path in sorted(FOLDER.glob("queries*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def judgements() -> list[dict[str, str]]:
    rows = []
    for path in sorted(FOLDER.glob("judgements*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return rows


def title_of(citation: str) -> tuple[str, str]:
    """Return the code body and the title of a citation."""
    (body,) = [key for mark, key in BODIES.items() if mark in citation]
    number = citation.split(maxsplit=1)[0] if body == "us-usc" else citation.rpartition("§")[2].strip()
    return body, re.split(r"[-.:]", number)[0].lower()


def test_the_queries_are_as_many_and_of_the_kinds_that_the_table_says() -> None:
    rows = queries()
    assert all(set(row) == {"id", "kind", "query", "jurisdiction", "split", "why"} for row in rows)
    assert (
        len({row["id"] for row in rows}) == len({str(row["query"]).casefold() for row in rows}) == len(rows)
    )
    assert {row["jurisdiction"] for row in rows} <= {None, "us", "dc", "ca-san-mateo", "ak", "tn"}
    stated = re.findall(
        r"^\| `(\w+)` \| (\d+) \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert Counter(row["kind"] for row in rows) == {kind: int(count) for kind, count in stated}


def test_judgements_are_of_known_queries_and_each_node_is_graded_once() -> None:
    known = {row["id"] for row in queries()}
    rows = judgements()
    assert {row["query"] for row in rows} <= known
    assert len({(row["query"], row["node"]) for row in rows}) == len(rows)
    assert {row["grade"] for row in rows} == {"0", "1", "2", "3"}
    assert {row["by"] for row in rows} <= {"seed", "pool"}
    assert all(str(UUID(row["node"])) == row["node"] for row in rows)


def test_every_question_with_an_answer_has_one_and_nothing_has_none() -> None:
    best: dict[str, int] = defaultdict(int)
    for row in judgements():
        best[row["query"]] = max(best[row["query"]], int(row["grade"]))
    for query in queries():
        grade = best[str(query["id"])]
        assert grade <= 1 if query["kind"] == "nothing" else grade == 3, query["id"]


def test_the_split_follows_the_titles_of_the_answers() -> None:
    held = tomllib.loads((FOLDER / "split.toml").read_text(encoding="utf-8"))
    titles: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in judgements():
        if row["grade"] == "3" and row["by"] == "seed":
            titles[row["query"]].add(title_of(row["citation"]))
    for query in queries():
        identifier = str(query["id"])
        if identifier in titles:
            is_held = any(title in held[body] for body, title in titles[identifier])
        else:
            is_held = int(identifier.rpartition("-")[2]) % 2 == 1
        assert (query["split"] == "heldout") == is_held, identifier

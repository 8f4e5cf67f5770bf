"""The questions that search learns from: well formed, and none of a title that is held out."""

import json
import tomllib
from collections import Counter
from pathlib import Path
from uuid import UUID

from tests.datasets.test_evaluation import queries, title_of

QUESTIONS = Path("datasets/training/questions.jsonl")


def test_the_questions_are_distinct_and_of_known_kinds() -> None:
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 6_000
    assert all(set(row) == {"kind", "query", "node", "citation"} for row in rows)
    assert all(str(UUID(row["node"])) == row["node"] for row in rows)
    assert len({row["query"].casefold() for row in rows}) == len(rows)
    kinds = Counter(row["kind"] for row in rows)
    assert set(kinds) == {"lay", "professional", "keyword", "hard"}
    assert min(kinds.values()) > 800


def test_no_question_is_of_a_held_out_title_or_of_the_evaluation_set() -> None:
    held = tomllib.loads(Path("datasets/evaluation/split.toml").read_text(encoding="utf-8"))
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        body, title = title_of(row["citation"])
        assert title not in held[body], row
    assert not {row["query"].casefold() for row in rows} & {str(row["query"]).casefold() for row in queries()}

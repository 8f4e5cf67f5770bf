"""The questions that lead searches: well formed, distinct, and none that search is judged by."""

import json
import re
from collections import Counter
from pathlib import Path
from uuid import UUID

from tests.datasets.test_evaluation import queries

FOLDER = Path("datasets/expansion")


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def test_the_questions_are_distinct_and_as_many_as_the_readme_says() -> None:
    asked = rows("questions.jsonl")
    for row in [*asked, *rows("sample.jsonl")]:
        assert set(row) == {"kind", "query", "node", "citation"}
        assert str(UUID(row["node"])) == row["node"]
        assert 3 < len(row["query"]) < 200
    assert len({row["query"].casefold() for row in asked}) == len(asked)
    assert set(Counter(row["kind"] for row in asked)) == {"lay", "hard", "keyword"}
    stated = re.search(r"([\d,]+) questions for ([\d,]+) sections", (FOLDER / "README.md").read_text("utf-8"))
    assert stated is not None
    assert [int(figure.replace(",", "")) for figure in stated.groups()] == [
        len(asked),
        len({row["node"] for row in asked}),
    ]


def test_no_question_is_one_that_search_is_judged_by() -> None:
    judged = {str(row["query"]).casefold() for row in queries()}
    assert not {row["query"].casefold() for row in rows("questions.jsonl")} & judged


def test_further_questions_are_distinct_and_as_many_as_the_readme_says() -> None:
    found = [row for path in sorted(FOLDER.glob("*-*.jsonl")) for row in rows(path.name)]
    for row in found:
        assert set(row) == {"kind", "query", "node", "citation"}
        assert str(UUID(row["node"])) == row["node"]
        assert "§" not in row["query"]
    asked = {row["query"].casefold() for row in found}
    assert len(asked) == len(found)
    assert not asked & {row["query"].casefold() for row in rows("questions.jsonl")}
    assert not asked & {str(row["query"]).casefold() for row in queries()}
    said = (FOLDER / "README.md").read_text("utf-8")
    stated = re.search(r"([\d,]+) more questions for ([\d,]+) sections", said)
    assert stated is not None
    assert [int(figure.replace(",", "")) for figure in stated.groups()] == [
        len(found),
        len({row["node"] for row in found}),
    ]


def test_no_question_cites_what_answers_it() -> None:
    for row in rows("questions.jsonl"):
        assert "§" not in row["query"], row
        number = row["citation"].rpartition("§")[2].strip()
        if len(number) > 2 and number.isdigit():
            assert not re.search(rf"section {number}\b", row["query"]), row

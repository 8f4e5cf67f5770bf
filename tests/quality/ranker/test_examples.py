"""Examples of the ranker: a question that leads is asked as if it did not, and leads again when it was asked."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assets.release.evaluation.judgements import Query
from serving.contract.ranking import FEATURES
from serving.services.opening import open_warm
from serving.snapshot.store import Snapshot
from tests.quality.ranker.examples import (
    ANSWERS,
    Example,
    Question,
    example,
    question_examples,
    read_questions,
)

ASKED = "when do i get my bond back after moving out"
CITATION = "1 Sample Code § 102"
LEAD = FEATURES.index("asked_lead")


@pytest.fixture
def snapshot(small_snapshot: Path) -> Iterator[Snapshot]:
    opened = open_warm(small_snapshot)
    yield opened
    opened.close()


def _row(snapshot: Snapshot) -> int:
    return next(row for row in range(len(snapshot.nodes)) if snapshot.nodes.citation(row) == CITATION)


def _lead(one: Example, node: str) -> float:
    return float(one.features[one.nodes.index(node), LEAD])


def test_a_question_is_asked_as_if_it_did_not_lead(snapshot: Snapshot) -> None:
    row = _row(snapshot)
    node, vectors = str(snapshot.nodes.id(row)), np.array(snapshot.questions._vectors)
    led = example(snapshot, Query("", "", ASKED, None, ""), {})
    (asked,) = question_examples(snapshot, [Question(ASKED, row)])
    assert _lead(asked, node) < _lead(led, node) - 0.01
    assert asked.grades[asked.nodes.index(node)] == ANSWERS
    assert asked.grades.sum() == ANSWERS
    assert (snapshot.questions._vectors == vectors).all()
    assert _lead(example(snapshot, Query("", "", ASKED, None, ""), {}), node) == _lead(led, node)


def test_questions_of_law_that_is_not_held_are_not_read(snapshot: Snapshot, tmp_path: Path) -> None:
    node = str(snapshot.nodes.id(_row(snapshot)))
    lines = [
        {"node": node, "citation": CITATION, "query": ASKED},
        {
            "node": "00000000-0000-0000-0000-000000000000",
            "citation": "§ 1",
            "query": "of law that is not held",
        },
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert read_questions(snapshot, [path], count=10) == [Question(ASKED, _row(snapshot))]
    assert read_questions(snapshot, [path], count=0) == []

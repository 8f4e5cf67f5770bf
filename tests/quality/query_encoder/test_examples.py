"""Examples for the query encoder: what is held out is left out, and answers are rows of the passages."""

import json
from pathlib import Path

import numpy as np
import pytest

from serving.snapshot.store import Snapshot, open_snapshot
from tests.quality.query_encoder.examples import QUESTIONS, is_held_out, read_examples

SPLIT = {"us-usc": ["7", "42"], "dc-code": ["5"], "ak-code": ["11"]}


@pytest.mark.parametrize(
    ("citation", "body", "held"),
    [
        ("42 U.S.C. § 1983", "us-usc", True),
        ("4 U.S.C. § 42", "us-usc", False),
        ("D.C. Code § 5-101.03", "dc-code", True),
        ("D.C. Code § 42-3505.01", "dc-code", False),
        ("Alaska Stat. § 11.41.100", "ak-code", True),
        ("Va. Code Ann. § 5-1", "va-code", False),
    ],
)
def test_titles_that_are_held_out_are_known_by_their_citations(citation, body, held):
    assert is_held_out(citation, body, SPLIT) == held


def test_answers_are_the_passages_of_the_sections_asked_of(tmp_path, snapshot: Snapshot):
    rows = [row for row in range(len(snapshot.nodes)) if np.ptp(snapshot.nodes.chunk_ranges(np.array([row])))]
    lines = [
        {
            "node": str(snapshot.nodes.id(row)),
            "citation": snapshot.nodes.citation(row),
            "query": f"what is {row}",
        }
        for row in rows[:5]
    ]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    examples = read_examples(snapshot, 10**6, files=[path])
    assert len(examples.passages) == len(snapshot.chunks)
    for place, row in enumerate(rows[:5]):
        first, last = (int(edge[0]) for edge in snapshot.nodes.chunk_ranges(np.array([row])))
        answers = examples.answers[place]
        expected = snapshot.vectors.passages.read(np.arange(first, min(last, first + 12))).units()
        assert np.array_equal(examples.passages[answers[answers >= 0]], expected)
        ids = snapshot.encoder.tokenizer.query_ids(f"what is {row}")
        assert examples.tokens[place, : examples.lengths[place]].tolist() == ids.tolist()
    few = read_examples(snapshot, 1, files=[path])
    assert len(few.passages) == len({answer for answer in examples.answers.ravel().tolist() if answer >= 0})


def test_the_files_that_it_learned_from_are_there():
    assert all(path.is_file() for path in QUESTIONS)
    assert set(Path("datasets/expansion").glob("*-drawn.jsonl")) <= set(QUESTIONS)


@pytest.fixture
def snapshot(small_snapshot: Path):
    opened = open_snapshot(small_snapshot)
    yield opened
    opened.close()

"""The question index as it is built: vectors of what is asked, in the order of the provisions that answer."""

import json
from pathlib import Path

import numpy as np
import pytest

from assets.errors import RegistryError
from assets.registry import Registry
from assets.search import questions
from assets.search.questions import Question, build_question_index, load_questions
from assets.selection.selection import load_selection
from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.contract.layout import VECTOR_CODES
from serving.encoder.encoder import open_encoder
from serving.snapshot.codes import VectorCodes


def test_questions_stand_in_the_order_of_their_provisions(
    small_workspace: Workspace, registry: Registry, encoder_folder: Path, tmp_path: Path
) -> None:
    selection = load_selection(small_workspace, registry)
    ids = [str(node_id(name)) for name in selection.provisions.column("identifier").to_pylist()]
    given = [
        *(Question(node, f"question {place}") for place, node in enumerate(ids[:3])),
        Question(ids[0], "question 0"),
        Question(ids[0], "another"),
        Question(str(node_id("/nowhere")), "left out"),
    ]
    (tmp_path / "built").mkdir()
    encoder = open_encoder(encoder_folder)
    counts = build_question_index(
        selection, tmp_path / "built", questions=given, encoder=encoder, cache=tmp_path / "cache"
    )
    assert counts == {"questions": 4, "asked": 3}
    assert not (tmp_path / "built" / "questions" / VECTOR_CODES).exists(), "so few are compared each"
    nodes = np.load(tmp_path / "built" / "questions" / "nodes.npy")
    vectors = np.load(tmp_path / "built" / "questions" / "vectors.npy")
    assert (vectors.dtype, vectors.shape, nodes.tolist()) == (np.float32, (4, 384), sorted(nodes.tolist()))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    expected = encoder.encode_batch(["another"])[0]
    own = vectors[nodes == selection.numbering.rows[0]]
    assert (own @ expected / np.linalg.norm(expected)).max() == pytest.approx(1, abs=1e-3)


def test_many_questions_have_codes(
    small_workspace: Workspace,
    registry: Registry,
    encoder_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "CODED_FROM", 30)
    selection = load_selection(small_workspace, registry)
    asked = str(node_id(selection.provisions.column("identifier")[0].as_py()))
    counts = build_question_index(
        selection,
        tmp_path,
        questions=[Question(asked, f"may I keep {number} hens") for number in range(30)],
        encoder=open_encoder(encoder_folder),
        cache=tmp_path / "cache",
    )
    assert counts == {"questions": 30, "asked": 1}
    assert VectorCodes(tmp_path / "questions" / VECTOR_CODES).shape == (30, 384)


NODE = str(node_id("/a"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        '{"node": "x", "query": "y"}',
        '{"query": "y"}',
        '{"node": 5, "query": "y"}',
        f'{{"node": "{NODE}a", "query": "y"}}',
        f'{{"node": "{NODE}", "query": null}}',
        f'{{"node": "{NODE}", "query": " "}}',
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    good = json.dumps({"node": NODE, "query": "how"})
    (tmp_path / "asked.jsonl").write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=r"asked\.jsonl, line 2: is no question"):
        load_questions((tmp_path,))


def test_other_ends_of_lines_belong_to_a_question(tmp_path: Path) -> None:
    line = json.dumps({"node": NODE, "query": "may I\u2028keep hens"}, ensure_ascii=False)
    (tmp_path / "asked.jsonl").write_text(f"{line}\n{line}", encoding="utf-8")
    (tmp_path / "none.jsonl").touch()
    assert load_questions((tmp_path,)) == [Question(NODE, "may I\u2028keep hens")] * 2


def test_folders_that_are_not_there_hold_no_questions(tmp_path: Path) -> None:
    assert load_questions((tmp_path / "none",)) == []

"""Scores at publication: measured on the coming snapshot, carried by it, and compared with those in service."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from assets.progress import ProgressLines
from assets.registry import Registry
from assets.release.evaluation.figures import MEASURES
from assets.release.evaluation.gate import SearchLossError
from assets.release.publish import Published
from assets.release.verification import verify_snapshot
from assets.workspace import Workspace
from serving.contract.layout import EVALUATION, LOG, QUALITY
from serving.snapshot.pointer import current_snapshot_id
from tests.assets.release.evaluation.conftest import ASKED, CHECKOUT

Publish = Callable[..., Published]
DOCUMENT = json.loads((CHECKOUT / "serving" / "api" / "openapi.json").read_bytes())
QUALITY_OF_API = Draft202012Validator(
    {"$ref": "#/components/schemas/Quality", "components": DOCUMENT["components"]}
)


@pytest.fixture
def workspace(workspace: Workspace, own_datasets: Path) -> Workspace:
    """The small workspace with the evaluation set of `ASKED`."""
    return replace(workspace, datasets=own_datasets)


def retrieval(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / QUALITY).read_bytes())
    assert not list(QUALITY_OF_API.iter_errors(report))
    assert report["citations"]
    found: dict[str, Any] = report["retrieval"]
    return found


def test_a_snapshot_carries_the_scores_of_what_it_can_answer(publish: Publish, workspace: Workspace) -> None:
    lines: list[str] = []
    published = publish(progress=ProgressLines(lines.append))
    found = retrieval(published.folder)
    assert found == published.scores.report
    assert found["reason"] is None
    assert found["set"]["split"] == "heldout"
    assert (found["set"]["queries"], found["queries"]) == (6, 4)
    assert set(found["modes"]) == {"hybrid", "keyword", "semantic"}
    for mode in found["modes"].values():
        assert [(kind["kind"], kind["queries"]) for kind in mode["kinds"]] == [
            ("lay", 2),
            ("keyword", 2),
            ("all", 4),
        ]
        assert all({measure.field for measure in MEASURES} < set(kind) for kind in mode["kinds"])
        assert mode["nothing"]["queries"] == 1
    last = found["modes"]["hybrid"]["kinds"][-1]
    assert 0.5 < last["ndcgAt10"]["low"] <= last["ndcgAt10"]["mean"] <= last["ndcgAt10"]["high"] <= 1
    assert found["comparison"] == {
        "snapshot": None,
        "queries": 0,
        "reason": "first_publication",
        "kinds": [],
    }
    carried = json.loads((published.folder / EVALUATION).read_bytes())
    assert set(carried["answers"]) == set(ASKED) - {"elsewhere-1"}
    assert verify_snapshot(published.folder).passed
    assert lines == [line for line in lines if line.startswith("evaluation of search: 15 searches in ")] != []
    assert "retrieval" not in json.loads((workspace.artefact("citation_quality") / QUALITY).read_bytes())


def test_the_same_law_is_as_good_as_it_was(publish: Publish) -> None:
    first = publish()
    second = publish()
    assert second.manifest.root_sha256 == first.manifest.root_sha256
    compared = retrieval(second.folder)["comparison"]
    assert (compared["snapshot"], compared["queries"], compared["reason"]) == (first.manifest.id, 4, None)
    assert [(kind["kind"], kind["margin"]) for kind in compared["kinds"]] == [
        ("lay", 0.05),
        ("keyword", 0.05),
        ("all", 0.02),
    ]
    assert all(kind["before"] == kind["now"] for kind in compared["kinds"])


def test_worse_search_is_held_back_unless_somebody_wants_it(
    publish: Publish,
    workspace: Workspace,
    registry: Registry,
    artefact_builder: Callable[[Workspace, Registry], None],
) -> None:
    good = publish().manifest.id
    path = workspace.accepted("sample-code") / "embeddings" / "embeddings.npy"
    vectors = np.load(path)
    path.unlink()
    np.save(path, vectors[::-1])
    artefact_builder(workspace, registry)
    with pytest.raises(
        SearchLossError, match=rf"than that of {good}\. lay \(2 questions\): nDCG@10 0\.7\d* after 1\.000"
    ):
        publish()
    assert current_snapshot_id(workspace.snapshots) == good
    assert {entry.name for entry in workspace.snapshots.iterdir() if entry.is_dir()} == {good, LOG}
    worse = publish(publish_worse=True)
    assert current_snapshot_id(workspace.snapshots) == worse.manifest.id
    lay = retrieval(worse.folder)["comparison"]["kinds"][0]
    assert lay["before"] - lay["now"] > lay["margin"]


def test_without_questions_of_its_law_a_snapshot_has_a_reason_and_no_scores(
    publish: Publish, workspace: Workspace
) -> None:
    margins = workspace.evaluation / "gate.toml"
    margins.write_text(margins.read_text().replace("least = 3", "least = 5"))
    few = publish()
    found = retrieval(few.folder)
    assert (found["queries"], found["reason"], found["modes"], found["comparison"]) == (
        4,
        "few_queries",
        None,
        None,
    )
    assert not (few.folder / EVALUATION).exists()
    margins.write_text(margins.read_text().replace("least = 5", "least = 3"))
    scored = publish()
    compared = retrieval(scored.folder)["comparison"]
    assert (compared["snapshot"], compared["reason"]) == (few.manifest.id, "not_measured")
    (scored.folder / EVALUATION).write_bytes(b"{}")
    assert retrieval(publish().folder)["comparison"]["reason"] == "unreadable"
    shutil.rmtree(workspace.evaluation)
    assert retrieval(publish().folder)["reason"] == "no_evaluation_set"

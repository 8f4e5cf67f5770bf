"""`lawbuild` of law in which search no longer finds what it found: held back, unless somebody wants it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.contract.layout import QUALITY
from serving.snapshot.pointer import current_snapshot_id

Build = Callable[..., tuple[int, str]]
LICENSE = "titles/1/sections/1-201.xml"
ANSWER = node_id("/sample-city/code/1-201")
QUESTIONS = ("puppy license", "license for my dog", "must a dog wear its tag")


@pytest.fixture
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The reviewed data with an evaluation set about dogs, as the build finds it."""
    folder = tmp_path / "datasets"
    folder.mkdir()
    for path in Path("datasets").resolve().iterdir():
        if path.name != "evaluation":
            (folder / path.name).symlink_to(path)
    evaluation = folder / "evaluation"
    evaluation.mkdir()
    asked = [
        {"id": text, "kind": "lay", "query": text, "jurisdiction": None, "split": "heldout"}
        for text in QUESTIONS
    ]
    (evaluation / "queries.jsonl").write_text("".join(f"{json.dumps(query)}\n" for query in asked))
    judged = "".join(f"{text}\t{ANSWER}\t3\n" for text in QUESTIONS)
    (evaluation / "judgements.tsv").write_text(f"query\tnode\tgrade\n{judged}")
    (evaluation / "gate.toml").write_text(
        "[margins]\nall = 0.02\nkind = 0.05\nleast_of_kind = 3\nleast = 3\n"
    )
    monkeypatch.setenv("LAW_DATASETS", str(folder))
    return folder


@pytest.mark.usefixtures("datasets")
def test_a_loss_is_named_and_published_only_on_demand(
    workspace: Workspace, lawbuild: Build, tmp_path: Path
) -> None:
    city = Path(shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city"))
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 0, said
    assert "evaluation of search: 9 searches" in said
    good = current_snapshot_id(workspace.snapshots)
    section = city / LICENSE
    text = section.read_text(encoding="utf-8")
    for word, other in (("Dog", "Boat"), ("dog", "boat"), ("license", "mooring"), ("tag", "buoy")):
        text = text.replace(word, other)
    section.write_text(text, encoding="utf-8")
    status, said = lawbuild(f"sample-city-code={city}")
    assert status == 1
    assert f"its search finds less than that of {good}. lay (3 questions): nDCG@10 0." in said
    assert "lawbuild --publish-worse" in said
    assert current_snapshot_id(workspace.snapshots) == good
    status, said = lawbuild(f"sample-city-code={city}", "--publish-worse")
    assert status == 0, said
    worse = current_snapshot_id(workspace.snapshots)
    assert worse != good
    report = json.loads((workspace.snapshots / worse / QUALITY).read_bytes())
    assert report["retrieval"]["comparison"]["snapshot"] == good

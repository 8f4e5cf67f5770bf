"""The list of corrections: the project's own holds to its fields, and a malformed one holds back a publication."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import orjson
import pytest

from assets.errors import RegistryError
from assets.registry import Registry
from assets.release.corrections import load_corrections
from assets.release.publish import Published, publish_snapshot
from assets.selection.selection import load_selection
from assets.workspace import Workspace
from serving.contract.identity import node_id
from serving.snapshot.store import open_snapshot
from tests.conftest import CHECKOUT

HEADER = """# A comment.
source = "a test"
date = 2026-11-22
"""
GOOD = """
[[correction]]
citation = "1 Code § 1"
wrong = "It was wrong."
found_by = "A reader."
found_on = 2026-11-20
"""


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_projects_own_list_is_sound() -> None:
    own = load_corrections(CHECKOUT / "datasets" / "corrections.toml")
    released = re.findall(
        r"^## (\d+\.\d+\.\d+)\b", (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert released
    for entry in own.entries:
        fixed_in = entry.fixed_in or ""
        if re.fullmatch(r"\d+\.\d+\.\d+", fixed_in):
            assert fixed_in in released, f"{entry}: a version that the CHANGELOG does not have"
    assert len(set(own.entries)) == len(own.entries)


def test_entries_are_read_as_they_stand_and_what_was_found_last_comes_first(tmp_path: Path) -> None:
    later = (
        '[[ correction ]]\nidentifier = "/us/usc/t17/s107"\nwrong = "x"\nfound_by = "y"\n'
        'found_on = 2026-11-22\nfixed_in = "0.2.0"\n'
    )
    listed = load_corrections(_write(tmp_path / "list.toml", HEADER + GOOD + later))
    assert [entry.found_on for entry in listed.entries] == [date(2026, 11, 20), date(2026, 11, 22)]
    newest, oldest = listed.answer()["corrections"]
    assert (newest["nodeId"], newest["status"]) == (str(node_id("/us/usc/t17/s107")), "fixed")
    assert (oldest["nodeId"], oldest["status"], oldest["fixedIn"]) == (None, "open", None)
    empty = load_corrections(_write(tmp_path / "empty.toml", HEADER)).answer()
    assert (empty["source"], empty["date"], empty["corrections"]) == ("a test", "2026-11-22", [])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('wrong = "It was wrong."', "", "has no `wrong`"),
        ("found_on = 2026-11-20", "", "has no `found_on`"),
        ('citation = "1 Code § 1"', "", "neither `identifier` nor `citation`"),
        (
            'citation = "1 Code § 1"',
            'identifier = "17 usc 107"',
            "an `identifier` that is none: '17 usc 107'",
        ),
        ('citation = "1 Code § 1"', 'identifier = "/us"', "an `identifier` that is none"),
        ("wrong =", "what =", "the unknown field `what`"),
        ('"A reader."', '" "', "a `found_by` that is not a text"),
        ('"A reader."', '["A reader."]', "a `found_by` that is not a text"),
        ("2026-11-20", '"2026-11-20"', "a `found_on` that is no date"),
        ("2026-11-20", "2026-11-20T10:00:00Z", "a `found_on` that is no date"),
        ("2026-11-20", "2026-11-23", "after the `date` of the file, 2026-11-22"),
        (
            "2026-11-20",
            '2026-11-20\nfixed_in = "soon"',
            "neither a version, a snapshot nor `next version`: 'soon'",
        ),
        ("2026-11-20", '2026-11-20\nfixed_in = "2026.11.21"', "neither a version, a snapshot"),
    ],
)
def test_a_bad_entry_is_named_by_file_and_line(tmp_path: Path, before: str, after: str, said: str) -> None:
    assert GOOD.count(before) == 1
    path = _write(tmp_path / "list.toml", HEADER + GOOD + GOOD.replace(before, after))
    with pytest.raises(RegistryError) as refused:
        load_corrections(path)
    assert refused.value.message.startswith(f"{path}:11: the correction ")
    assert said in refused.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADER.replace("date", "day"), "states no `source` and `date`"),
        (HEADER.replace('"a test"', '""'), "states no `source` and `date`"),
        (HEADER + "colour = 1\n", "the unknown field `colour`"),
        (HEADER + GOOD.replace("[[correction]]", "[correction]"), "begins with a line `[[correction]]`"),
        (HEADER + 'correction = [{wrong = "x"}]\n', "begins with a line `[[correction]]`"),
        (HEADER + GOOD.replace('"A reader."', "A reader."), "line 8"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = _write(tmp_path / "list.toml", text)
    with pytest.raises(RegistryError, match=re.escape(said)) as refused:
        load_corrections(path)
    assert str(path) in refused.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match=r"list\.toml is missing"):
        load_corrections(tmp_path / "list.toml")


def test_a_publication_carries_the_list(publish: Callable[..., Published], workspace: Workspace) -> None:
    snapshot = open_snapshot(publish().folder)
    carried = orjson.loads(snapshot.static("corrections").plain)
    assert carried == json.loads(json.dumps(load_corrections(workspace.corrections).answer()))


def test_a_malformed_list_holds_the_publication_back_by_name(
    workspace: Workspace, registry: Registry, tmp_path: Path
) -> None:
    own = tmp_path / "datasets"
    own.mkdir()
    for path in workspace.datasets.iterdir():
        if path.name != "corrections.toml":
            (own / path.name).symlink_to(path)
    bad = replace(workspace, datasets=own)
    _write(bad.corrections, HEADER + GOOD.replace("found_by", "how"))
    with pytest.raises(
        RegistryError, match=r"corrections\.toml:5: the correction has the unknown field `how`"
    ):
        publish_snapshot(bad, load_selection(bad, registry), revision="test")
    assert not [entry for entry in workspace.snapshots.iterdir() if entry.is_dir()]

"""Failures of assets, through real runs: the first line names file or address, place and next step."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from assets.errors import MalformedFileError, RegistryError
from assets.failing import NEXT_STEPS, failing_plainly, next_step
from assets.ingest.assets import provisions, source_files
from assets.progress import ProgressLines
from assets.settings import BuildSettings
from assets.workspace import Workspace
from assets.zoning.assets import layer_files
from serving.contract.errors import LawError


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    opened = BuildSettings.from_env().open()
    return Workspace(tmp_path / "work", opened.datasets, tmp_path / "snapshots")


def failure(
    assets: list[dg.AssetsDefinition], partition: str, workspace: Workspace, **paths: str
) -> tuple[str, dict[str, object]]:
    """Run assets until one fails; return what Dagster shows of it: the first line, and the metadata."""
    result = dg.materialize(
        assets,
        partition_key=partition,
        resources={"workspace": workspace, "progress": ProgressLines(lambda _: None)},
        run_config={"ops": {name: {"config": {"path": path}} for name, path in paths.items()}},
        raise_on_error=False,
    )
    assert not result.success
    (failed,) = [event for event in result.all_events if event.event_type is dg.DagsterEventType.STEP_FAILURE]
    told = failed.step_failure_data.user_failure_data
    assert told is not None, "it is a failure of Dagster's own kind"
    first = (failed.step_failure_data.error.message if failed.step_failure_data.error else "").splitlines()[0]
    assert (told.description or "") in first
    assert "\n" not in (told.description or "")
    return told.description or "", {name: value.value for name, value in told.metadata.items()}


def test_a_source_that_is_not_there(workspace: Workspace) -> None:
    said, facts = failure([source_files], "sample-code", workspace, source_files="/no/such/archive.zip")
    assert said.startswith("sample-code: ")
    assert "/no/such/archive.zip" in said
    assert " Next: give a whole source" in said
    assert facts["code"] == "source_unusable"


def test_a_file_in_which_nothing_can_be_read(workspace: Workspace, tmp_path: Path) -> None:
    source = tmp_path / "broken"
    source.mkdir()
    (source / "title01.xml").write_text("<title>\n<section>\n</title>\n")
    said, facts = failure([source_files, provisions], "sample-code", workspace, source_files=str(source))
    assert "title01.xml:3:" in said, "file, line and column"
    assert " Next: " in said
    assert facts["next step"]


def test_a_map_that_is_cut_off(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "zones.geojson.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00 cut off")
    said, facts = failure([layer_files], "sample-city", workspace, layer_files=str(path))
    assert said.startswith("sample-city: zones.geojson.gz: ")
    assert " Next: mend or replace this file" in said
    assert (facts["code"], facts["file"]) == ("file_malformed", "zones.geojson.gz")


def test_a_place_is_told_and_every_step_is_of_an_error_that_there_is() -> None:
    @dg.asset
    def reading(context: dg.AssetExecutionContext) -> None:
        with failing_plainly(context):
            raise MalformedFileError("t5/ch1.xml", "mismatched tag\n  <b>", line=12, column=3)

    result = dg.materialize([reading], raise_on_error=False)
    told = result.failure_data_for_node("reading")
    assert told is not None
    assert told.user_failure_data is not None
    assert (told.user_failure_data.description or "").startswith(
        "reading: t5/ch1.xml:12:3: mismatched tag <b>. Next: mend"
    )
    assert {code for code, _ in NEXT_STEPS} <= {error.code for error in _errors(LawError)}


@pytest.mark.parametrize(
    ("known", "place"),
    [({}, "t5.xml"), ({"line": 12}, "t5.xml:12"), ({"line": 12, "column": 3}, "t5.xml:12:3")],
)
def test_of_a_place_only_what_is_known_is_told(known: dict[str, int], place: str) -> None:
    assert MalformedFileError("t5.xml", "cut off", **known).message == f"{place}: cut off"


def test_the_next_step_sends_nobody_to_the_registry_for_a_file_of_another_folder() -> None:
    error = RegistryError("datasets/corrections.toml is missing.")
    assert "`datasets`" in next_step(error)
    assert "datasets/registry" not in next_step(error)


def _errors(of: type[LawError]) -> Iterator[type[LawError]]:
    yield of
    for below in of.__subclasses__():
        yield from _errors(below)

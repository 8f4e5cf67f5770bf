"""Dagster's data versions: they change with the data, not with each run."""

import shutil
from pathlib import Path

import dagster as dg

from assets.workspace import Workspace
from pipelines.definitions import defs
from pipelines.jobs import CODE_BODY
from pipelines.progress import progress_on_stderr

DATA_VERSION = "dagster/data_version"


def versions(workspace: Workspace, source: Path, instance: dg.DagsterInstance) -> dict[str, str]:
    """Build the city's code in a run of its own; return the data version of each asset."""
    with progress_on_stderr() as progress:
        result = (
            defs()
            .resolve_job_def("build_code_body")
            .execute_in_process(
                run_config={"ops": {"source_files": {"config": {"path": str(source)}}}},
                instance=instance,
                partition_key="sample-city-code",
                resources={"workspace": workspace, "progress": progress},
            )
        )
    events = [event.materialization for event in result.get_asset_materialization_events()]
    return {event.asset_key.to_user_string(): (event.tags or {})[DATA_VERSION] for event in events}


def test_what_hangs_behind_unchanged_data_stays_as_it_is(workspace: Workspace, tmp_path: Path) -> None:
    source = Path(shutil.copytree("datasets/sample/sample-city-code", tmp_path / "city"))
    with dg.instance_for_test() as instance:
        first = versions(workspace, source, instance)
        assert set(first) == set(CODE_BODY)
        assert versions(workspace, source, instance) == first

        # A note that nobody cuts into chunks: the provisions differ, and what is made of their texts does not.
        section = source / "titles/1/sections/1-101.xml"
        text = section.read_text(encoding="utf-8")
        assert "</annotations>" in text
        section.write_text(text.replace("</annotations>", "<!-- seen --></annotations>"), encoding="utf-8")
        second = versions(workspace, source, instance)
    same = {name for name in first if first[name] == second[name]}
    assert same == {"encoder", "chunks", "embeddings"}

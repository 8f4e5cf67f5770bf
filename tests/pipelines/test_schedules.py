"""Schedules: builds of what is new once a week, freshness checks once a day; neither goes by itself."""

from collections.abc import Callable

import dagster as dg

from assets.connectors.sightings import Sighting
from assets.registry import load_registry
from assets.settings import BuildSettings
from assets.workspace import Workspace
from pipelines.definitions import defs
from pipelines.schedules import release_schedules
from tests.assets.connectors.publisher import Publisher, status
from tests.pipelines.conftest import sample


def ticked(name: str) -> tuple[list[dg.RunRequest], str]:
    """Evaluate a schedule over the sample's code alone; return its requests, or else the reason for none."""
    workspace = BuildSettings.from_env().open()
    (schedule,) = [one for one in release_schedules(load_registry(workspace.registry)) if one.name == name]
    everything = defs()
    repository = dg.Definitions(
        assets=everything.assets,
        asset_checks=everything.asset_checks,
        jobs=everything.jobs,
        resources=everything.resources,
        schedules=[schedule],
    ).get_repository_def()
    with dg.build_schedule_context(repository_def=repository, resources={"workspace": workspace}) as context:
        result = repository.get_schedule_def(name).evaluate_tick(context)
    return list(result.run_requests or []), result.skip_message or ""


def without_others(workspace: Workspace) -> None:
    """Let every entry but the sample's rest, so that nobody else is asked."""
    registry = load_registry(workspace.registry)
    for entry in registry.code_bodies:
        if entry.connector is not None and entry.key != "sample-code":
            resting = Sighting("2026-11-22T00:00:00Z", failure="It rests.", next_at="2999-01-01T00:00:00Z")
            resting.save(workspace.newest_release(entry.key))


def test_once_a_week_what_is_new_is_built(
    workspace: Workspace, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    opened = BuildSettings.from_env().open()
    assert opened.root == workspace.root
    without_others(opened)
    publisher.faults = [status(503)]
    requests, reason = ticked("weekly_code_bodies")
    assert not requests
    assert f"sample-code: {publisher.address}/code/sample.zip answers 503" in reason
    assert "us-usc: It rests. Next try: not before 2999" in reason
    opened.newest_release("sample-code").unlink()
    requests, _ = ticked("weekly_code_bodies")
    assert [(one.partition_key, one.run_key) for one in requests] == [("sample-code", 'sample-code@"v1"')]


def test_once_a_day_what_was_accepted_is_checked(
    workspace: Workspace, publisher: Publisher, fetched_from: Callable[[str], None]
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    assert ticked("daily_freshness_of_law") == ([], "Nothing that has a connector was accepted yet.")
    del workspace
    assert publisher.asked == []


def test_all_are_stopped_until_somebody_starts_them(workspace: Workspace) -> None:
    schedules = release_schedules(load_registry(workspace.registry))
    assert len(schedules) == 4
    assert {one.default_status for one in schedules} == {dg.DefaultScheduleStatus.STOPPED}

"""Sensors of releases, evaluated as Dagster's daemon does, beside a publisher on this machine."""

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import dagster as dg
import pytest

from assets.ingest.assets import source_files
from assets.progress import ProgressLines
from assets.registry import load_registry
from assets.settings import BuildSettings
from assets.workspace import Workspace
from pipelines.definitions import defs
from pipelines.sensors import release_sensors, sensor_name
from tests.assets.connectors.publisher import Publisher, status
from tests.pipelines.conftest import DATASETS, sample

Tick = Callable[[str | None], Any]


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as opened:
        yield opened


@pytest.fixture
def tick(workspace: Workspace, instance: dg.DagsterInstance) -> Tick:
    """Evaluate the sensor of the sample's code with a cursor, and keep its events as the daemon does."""
    del workspace  # the environment names it

    def run(cursor: str | None) -> Any:
        everything = defs()
        registry = load_registry(BuildSettings.from_env().open().registry)
        repository = dg.Definitions(
            assets=everything.assets,
            asset_checks=everything.asset_checks,
            jobs=everything.jobs,
            resources=everything.resources,
            sensors=release_sensors(registry),
        ).get_repository_def()
        with dg.build_sensor_context(
            instance=instance,
            cursor=cursor,
            repository_def=repository,
            resources={"workspace": BuildSettings.from_env().open()},
        ) as context:
            result = repository.get_sensor_def(sensor_name("sample-code")).evaluate_tick(context)
        for event in result.asset_events:
            instance.report_runless_asset_event(event)
        return result

    return run


def resources() -> dict[str, object]:
    return {"workspace": BuildSettings.from_env().open(), "progress": ProgressLines(lambda _: None)}


def build(instance: dg.DagsterInstance) -> bool:
    """Run the job of the sample's code, as a run that a sensor asked for; return whether it succeeded."""
    job = defs().resolve_job_def("build_code_body")
    return job.execute_in_process(
        instance=instance, partition_key="sample-code", resources=resources(), raise_on_error=False
    ).success


def observed(instance: dg.DagsterInstance) -> tuple[object, object]:
    """Return what was observed of the accepted tables last: status and days."""
    found = instance.fetch_observations(
        dg.AssetRecordsFilter(asset_key=dg.AssetKey("accepted_tables"), asset_partitions=["sample-code"]), 1
    ).records[0]
    assert found.asset_observation is not None
    metadata = found.asset_observation.metadata
    return metadata["status"].value, metadata["days behind"].value


def test_a_new_release_starts_a_build_once_and_then_is_held(
    publisher: Publisher,
    fetched_from: Callable[[str], None],
    tick: Tick,
    instance: dg.DagsterInstance,
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    first = tick(None)
    (request,) = first.run_requests
    assert (request.partition_key, request.run_key) == ("sample-code", 'sample-code@"v1"')
    assert request.tags["release"] == '"v1"'
    assert first.cursor == '"v1"'
    again = tick(first.cursor)
    assert not again.run_requests
    assert "was started before" in again.skip_message
    assert build(instance)
    held = tick(again.cursor)
    assert held.skip_message == 'The newest is release "v1" of 2026-01-12, which was accepted.'
    publisher.put("/code/sample.zip", sample(), etag='"v2"', last_modified="Fri, 13 Feb 2026 08:00:00 GMT")
    newer = tick(held.cursor)
    assert [one.run_key for one in newer.run_requests] == ['sample-code@"v2"']
    assert observed(instance) == ("behind", 32)
    # The files are the same: the release is new, the pin is not, and the law is as fresh as it can be.
    assert dg.materialize([source_files], partition_key="sample-code", resources=resources()).success
    assert "which was accepted" in tick(newer.cursor).skip_message
    assert observed(instance) == ("current", 0)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (status(503), "answers 503 (Service Unavailable)"),
        (status(429, Retry_After="86400"), "answers 429 (Too Many Requests)"),
        (status(404), "answers 404 (Not Found)"),
    ],
)
def test_a_publisher_that_does_not_answer_is_a_reason_with_address_and_next_try(
    publisher: Publisher, fetched_from: Callable[[str], None], tick: Tick, fault: Any, said: str
) -> None:
    address = publisher.put("/code/sample.zip", sample())
    fetched_from(address)
    publisher.faults = [fault]
    result = tick('"v0"')
    assert not result.run_requests
    assert result.cursor == '"v0"'
    assert result.skip_message.startswith(f"{address} ")
    assert said in result.skip_message
    assert "Next try: not before 20" in result.skip_message
    asked = len(publisher.asked)
    assert tick(result.cursor).skip_message == result.skip_message
    assert len(publisher.asked) == asked, "it is left in peace until then"


def test_offline_is_a_reason_too(fetched_from: Callable[[str], None], tick: Tick) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    fetched_from(f"http://127.0.0.1:{port}/code/sample.zip")
    result = tick(None)
    assert not result.run_requests
    assert f"http://127.0.0.1:{port}/code/sample.zip cannot be reached" in result.skip_message


def test_a_failed_build_is_not_started_again_for_the_same_release(
    workspace: Workspace,
    publisher: Publisher,
    fetched_from: Callable[[str], None],
    tick: Tick,
    instance: dg.DagsterInstance,
) -> None:
    fetched_from(publisher.put("/code/sample.zip", sample()))
    publisher.put(
        "/code/sample.zip", sample()[:-30], etag='"v2"', last_modified="Fri, 13 Feb 2026 08:00:00 GMT"
    )
    first = tick(None)
    assert first.run_requests
    assert not build(instance)
    second = tick(first.cursor)
    assert not second.run_requests
    assert "was started before; its run says what came of it" in second.skip_message
    known = json.loads(workspace.newest_release("sample-code").read_bytes())
    assert known["release"] == '"v2"'


def test_every_connector_has_a_sensor_that_somebody_has_to_start() -> None:
    registry = load_registry(DATASETS / "registry")
    sensors = release_sensors(registry)
    fetched = [one.key for one in registry.code_bodies if one.connector is not None]
    fetched += [one.short_code for one in registry.layers if one.connector is not None]
    assert {one.name for one in sensors} == {sensor_name(key) for key in fetched}
    assert {"new_release_of_us_usc", "new_release_of_us_cfr", "new_release_of_il_chicago"} <= {
        one.name for one in sensors
    }
    assert {one.default_status for one in sensors} == {dg.DefaultSensorStatus.STOPPED}
    assert {one.job.name for one in sensors} == {"build_code_body", "build_zoning_layer"}

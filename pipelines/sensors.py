"""Sensors, one a connector: each asks its publisher for its newest release and starts a build of a new one.

They are stopped until somebody starts them: a fresh install asks nobody. None publishes.
"""

from datetime import UTC, datetime

import dagster as dg

from assets.freshness.checks import judged
from assets.freshness.freshness import Freshness, Reason
from assets.freshness.known import key_of
from assets.freshness.publishers import asked_freshness, asking
from assets.registry import CodeBody, Layer, Registry, load_registry
from assets.reporting import check_result
from assets.workspace import Workspace
from pipelines.jobs import build_code_body, build_zoning_layer

SECONDS_BETWEEN = 6 * 3600
"""Seconds between two questions to a publisher."""

RELEASE_TAG = "release"
"""Tag of a run: the release that it was started for."""


def release_sensors(registry: Registry) -> list[dg.SensorDefinition]:
    """Return a sensor for each code body and layer whose entry has a connector."""
    entries: list[CodeBody | Layer] = [*registry.code_bodies, *registry.layers]
    return [
        _release_sensor(key_of(entry), entry.name, is_layer=isinstance(entry, Layer))
        for entry in entries
        if entry.connector is not None
    ]


def sensor_name(key: str) -> str:
    """Return the name of the sensor of a code body or layer."""
    return f"new_release_of_{key.replace('-', '_')}"


def requested(entry: CodeBody | Layer, release: str) -> dg.RunRequest:
    """Return the request to build a release; the same release is not built a second time."""
    key = key_of(entry)
    return dg.RunRequest(run_key=f"{key}@{release}", partition_key=key, tags={RELEASE_TAG: release})


def _release_sensor(key: str, called: str, *, is_layer: bool) -> dg.SensorDefinition:
    @dg.sensor(
        name=sensor_name(key),
        job=build_zoning_layer if is_layer else build_code_body,
        minimum_interval_seconds=SECONDS_BETWEEN,
        default_status=dg.DefaultSensorStatus.STOPPED,
        description=f"Asks the publisher of {called} for its newest release, and builds one that is new.",
    )
    def sensor(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult:
        entry = load_registry(workspace.registry).entry(key)
        with asking(workspace) as session:
            fresh = asked_freshness(workspace, entry, session, now=datetime.now(UTC))
        release = None if fresh.sighting is None else fresh.sighting.release
        reason = not_started(fresh, context.cursor)
        starts = [requested(entry, release)] if release is not None and reason is None else []
        return dg.SensorResult(
            run_requests=starts,
            skip_reason=reason,
            cursor=release if starts else context.cursor,
            asset_events=[_observation(entry, workspace)],
        )

    return sensor


def not_started(fresh: Freshness, cursor: str | None) -> str | None:
    """Return why no build is started; None: one is.

    Args:
        fresh: what was accepted beside what the publisher said just now.
        cursor: the release for which a build was started last.
    """
    sighting = fresh.sighting
    if sighting is None or sighting.failure is not None:
        failure = "It was not asked." if sighting is None else sighting.failure
        return f"{failure} Next try: not before {sighting and sighting.next_at}."
    release = f"release {sighting.release}{f' of {sighting.date}' if sighting.date else ''}"
    if not fresh.is_due:
        older = fresh.reason is Reason.NEWEST_IS_OLDER
        said = "is older than what was accepted" if older else "was accepted"
        return f"The newest is {release}, which {said}."
    if sighting.release == cursor:
        return f"A build of {release}, the newest, was started before; its run says what came of it."
    return None


def _observation(entry: CodeBody | Layer, workspace: Workspace) -> dg.AssetObservation:
    """Return what was seen, for the page of the accepted tables; a check's result needs a run."""
    asset = "accepted_layers" if isinstance(entry, Layer) else "accepted_tables"
    result = check_result(judged(workspace, entry))
    return dg.AssetObservation(
        asset_key=asset,
        partition=key_of(entry),
        description=result.description,
        metadata=result.metadata,
    )

"""Schedules of builds, for those that want no sensor, and of checks of freshness.

They are stopped until somebody starts them.
"""

from collections.abc import Sequence

import dagster as dg

from assets.freshness.held import held
from assets.freshness.known import key_of
from assets.freshness.publishers import asked_one_after_another
from assets.registry import CodeBody, Layer, Registry, load_registry
from assets.workspace import Workspace
from pipelines.jobs import build_code_body, build_zoning_layer, check_law, check_map
from pipelines.sensors import not_started, requested

WEEKLY = "17 5 * * 1"
DAILY = "47 4 * * *"
_SECONDS = 45.0
"""Dagster ends a tick after a minute; for what was not asked by then it is said so."""


def release_schedules(registry: Registry) -> list[dg.ScheduleDefinition]:
    """Return the schedules of all code bodies with a connector, and of all such layers."""
    bodies = [body.key for body in registry.code_bodies]
    layers = [layer.short_code for layer in registry.layers]
    return [
        _weekly("weekly_code_bodies", build_code_body.name, bodies),
        _weekly("weekly_zoning_layers", build_zoning_layer.name, layers),
        _daily("daily_freshness_of_law", check_law.name, bodies),
        _daily("daily_freshness_of_maps", check_map.name, layers),
    ]


def _weekly(
    name: str,
    job: str,
    keys: Sequence[str],
) -> dg.ScheduleDefinition:
    @dg.schedule(
        name=name,
        job_name=job,
        cron_schedule=WEEKLY,
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Asks all publishers for their newest releases, and builds those that are new.",
    )
    def schedule(workspace: dg.ResourceParam[Workspace]) -> list[dg.RunRequest] | dg.SkipReason:
        entries = _entries(workspace, keys)
        requests, reasons = [], []
        asked = set()
        for entry, fresh in asked_one_after_another(workspace, entries, seconds=_SECONDS):
            asked.add(key_of(entry))
            reason = not_started(fresh, cursor=None)
            release = None if fresh.sighting is None else fresh.sighting.release
            if reason is None and release is not None:
                requests.append(requested(entry, release))
            else:
                reasons.append(f"{key_of(entry)}: {reason}")
        unasked = [
            key_of(entry) for entry in entries if entry.connector is not None and key_of(entry) not in asked
        ]
        reasons += [f"{key}: there was no time left to ask." for key in unasked]
        return requests or dg.SkipReason("\n".join(reasons) or "No entry has a connector.")

    return schedule


def _daily(name: str, job: str, keys: Sequence[str]) -> dg.ScheduleDefinition:
    @dg.schedule(
        name=name,
        job_name=job,
        cron_schedule=DAILY,
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Warns of what is older than its publisher's newest known release; asks nobody.",
    )
    def schedule(workspace: dg.ResourceParam[Workspace]) -> list[dg.RunRequest] | dg.SkipReason:
        accepted = [
            dg.RunRequest(partition_key=key_of(entry))
            for entry in _entries(workspace, keys)
            if entry.connector is not None and held(workspace, entry) is not None
        ]
        return accepted or dg.SkipReason("Nothing that has a connector was accepted yet.")

    return schedule


def _entries(workspace: Workspace, keys: Sequence[str]) -> list[CodeBody | Layer]:
    registry = load_registry(workspace.registry)
    return [registry.entry(key) for key in keys]

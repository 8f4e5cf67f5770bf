"""The names of all metrics, with their types and labels, as `/metrics` tells them."""

import falcon

from serving.accounts.billing import Billing
from serving.http.resources.metrics import MetricsResource, new_measures
from serving.services.search import SearchService
from serving.services.snapshots import SnapshotHolder


def metrics(snapshots: SnapshotHolder, database: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every metric: its type, and its labels."""
    billing = Billing(database)
    try:
        measures = new_measures(snapshots, billing, SearchService().timings)
        resource = MetricsResource(measures, snapshots, billing.health, port=None)
        told: dict[str, tuple[str, tuple[str, ...]]] = {
            one.family.name: (one.family.kind, one.family.labels) for one in measures.counters.sums()
        }
        return told | {gauge.name: ("gauge", gauge.labels) for gauge in resource._gauges()}
    finally:
        falcon.async_to_sync(billing.close)

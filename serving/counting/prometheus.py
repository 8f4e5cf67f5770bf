"""Counters in the text format of Prometheus (0.0.4)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from serving.counting.requests import BOUNDS, Counted

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class State:
    """State of the server at the moment of the answer.

    Attributes:
        workers: processes that there are.
        snapshot: id of the snapshot in service; None if there is none.
        damaged: retained snapshots that were found damaged, each with the file that differs.
        store_is_up: whether the last write to the store of accounts succeeded.
        store_failures: number of failed writes in all workers, by cause.
    """

    workers: int
    snapshot: str | None
    damaged: Mapping[str, str]
    store_is_up: bool
    store_failures: Mapping[str, int]


def exposition(counted: Iterable[Counted], state: State) -> bytes:
    """Return the text for Prometheus from the requests of all workers and the state of the server."""
    used = [one for one in counted if one.statuses]
    lines = [
        "# HELP law_requests_total Requests answered, by endpoint and status.",
        "# TYPE law_requests_total counter",
        *(line for one in used for line in _statuses(one)),
        "# HELP law_request_seconds Time from the request to its answer.",
        "# TYPE law_request_seconds histogram",
        *(line for one in used for line in _spans(one)),
        "# HELP law_workers Worker processes.",
        "# TYPE law_workers gauge",
        f"law_workers {state.workers}",
        "# HELP law_snapshot_info Snapshot in service.",
        "# TYPE law_snapshot_info gauge",
        *([f'law_snapshot_info{{snapshot="{state.snapshot}"}} 1'] if state.snapshot else ()),
        "# HELP law_snapshot_damaged Retained snapshots that are out of service, and the file that differs.",
        "# TYPE law_snapshot_damaged gauge",
        *(
            f'law_snapshot_damaged{{snapshot="{snapshot}",file="{_escaped(file)}"}} 1'
            for snapshot, file in state.damaged.items()
        ),
        "# HELP law_store_up 1 while the store of accounts takes what is written, 0 while it does not.",
        "# TYPE law_store_up gauge",
        f"law_store_up {int(state.store_is_up)}",
        "# HELP law_store_failures_total Transactions that the store of accounts did not take, by cause.",
        "# TYPE law_store_failures_total counter",
        *(
            f'law_store_failures_total{{cause="{cause}"}} {count}'
            for cause, count in state.store_failures.items()
        ),
    ]
    return ("\n".join(lines) + "\n").encode()


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _statuses(one: Counted) -> Iterator[str]:
    for status, count in one.statuses.items():
        yield f'law_requests_total{{endpoint="{one.label}",status="{status}"}} {count}'


def _spans(one: Counted) -> Iterator[str]:
    so_far = 0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), one.spans, strict=True):
        so_far += count
        yield f'law_request_seconds_bucket{{endpoint="{one.label}",le="{bound}"}} {so_far}'
    yield f'law_request_seconds_sum{{endpoint="{one.label}"}} {one.seconds:.6f}'
    yield f'law_request_seconds_count{{endpoint="{one.label}"}} {so_far}'

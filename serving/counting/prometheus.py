"""Counts as Prometheus reads them (text format 0.0.4)."""

from collections.abc import Iterable, Iterator

from serving.counting.requests import BOUNDS, Counted

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(counted: Iterable[Counted], *, workers: int, snapshot: str | None) -> bytes:
    """Return the text.

    Args:
        counted: requests of all workers.
        workers: that there are.
        snapshot: in service where this is answered.
    """
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
        f"law_workers {workers}",
        "# HELP law_snapshot_info Snapshot in service.",
        "# TYPE law_snapshot_info gauge",
        *([f'law_snapshot_info{{snapshot="{snapshot}"}} 1'] if snapshot else ()),
    ]
    return ("\n".join(lines) + "\n").encode()


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

"""Requests are counted by path and status, whatever the parts of paths are called."""

import pytest

from serving.counting.counters import Counters
from serving.counting.families import BOUNDS
from serving.counting.requests import REQUESTS, SECONDS, Requests, request_families

LABELS = ("/api/v1/node/{id}", "/api/v1", "/api/v1/search", "/settings")
STATUSES = (200, 404, 500)


@pytest.fixture
def counters():
    return Counters(request_families(LABELS, STATUSES))


@pytest.fixture
def requests(counters):
    return Requests(request_families(LABELS, STATUSES), counters)


def told(counters):
    (found,) = [one for one in counters.sums() if one.family.name == REQUESTS]
    return {series: numbers for series, (numbers,) in found.series.items() if numbers}


def test_paths_are_told_apart_whatever_their_parts_are_called(requests, counters):
    requests.count("/api/v1/node/{node_id}", 200, 0.001)
    requests.count("/api/v1/node/{node_id}", 404, 0.001)
    requests.count("/api/v1/search", 200, 0.001)
    requests.count("/settings/keys/{key_id:int}/revoke", 200, 0.001)
    requests.count("/elsewhere", 200, 0.001)
    requests.count(None, 404, 0.001)
    requests.count("/api/v1/search", 418, 0.001)
    assert told(counters) == {}, "nothing is told before it is shared"
    requests.flush()
    assert told(counters) == {
        ("/api/v1/node/{id}", "200"): 1,
        ("/api/v1/node/{id}", "404"): 1,
        ("/api/v1/search", "200"): 1,
        ("/api/v1/search", "other"): 1,
        ("/settings", "200"): 1,
        ("other", "200"): 1,
        ("other", "404"): 1,
    }


def test_times_fall_into_spans_that_include_their_end(requests, counters):
    times = [0.0005, BOUNDS[0], 0.003, 0.3, 100.0]
    for seconds in times:
        requests.count("/api/v1", 200, seconds)
    requests.flush()
    (found,) = [one for one in counters.sums() if one.family.name == SECONDS]
    *spans, nanoseconds = found.series["/api/v1",]
    assert spans == [2, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]
    assert nanoseconds / 1e9 == pytest.approx(sum(times))

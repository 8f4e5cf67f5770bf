"""Counters add up over rows, outlive their workers, and tell paths apart."""

import os
import re

import pytest

from serving.counting import processes
from serving.counting.board import FIRST, Board
from serving.counting.prometheus import State, exposition
from serving.counting.requests import BOUNDS, Requests

STATE = State(
    workers=2,
    snapshot="2026.11.21-1",
    damaged={"2026.11.21-2": 'odd"name.arrow'},
    store_is_up=False,
    store_failures={"disk_full": 3, "other": 0},
)
LABELS = ("/api/v1/node/{id}", "/api/v1", "/api/v1/search", "/settings")
STATUSES = (200, 404, 500)


def counts():
    return Requests(LABELS, STATUSES)


def told(requests):
    return {one.label: one.statuses for one in requests.all() if one.statuses}


def test_paths_are_told_apart_whatever_their_parts_are_called():
    requests = counts()
    requests.count("/api/v1/node/{node_id}", 200, 0.001)
    requests.count("/api/v1/node/{node_id}", 404, 0.001)
    requests.count("/api/v1/search", 200, 0.001)
    requests.count("/settings/keys/{key_id:int}/revoke", 200, 0.001)
    requests.count("/elsewhere", 200, 0.001)
    requests.count(None, 404, 0.001)
    requests.count("/api/v1/search", 418, 0.001)
    assert told(requests) == {
        "/api/v1/node/{id}": {"200": 1, "404": 1},
        "/api/v1/search": {"200": 1, "other": 1},
        "/settings": {"200": 1},
        "other": {"200": 1, "404": 1},
    }


def test_times_fall_into_spans_that_include_their_end():
    requests = counts()
    times = [0.0005, BOUNDS[0], 0.003, 0.3, 100.0]
    for seconds in times:
        requests.count("/api/v1", 200, seconds)
    (one,) = [one for one in requests.all() if one.statuses]
    assert one.spans == (2, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1)
    assert one.seconds == pytest.approx(sum(times))


def test_rows_add_up_and_one_that_changes_hands_counts_on():
    board = Board(2)
    first, second = board.take(), board.take()
    assert first is not None
    assert second is not None
    assert board.take() is None
    for number, count in ((first, 3), (second, 4)):
        board.own(number, layout=7, owner=100 + number)[FIRST] += count
    assert board.sums(7)[FIRST] == 7
    assert sorted(board.owners()) == [100, 101]
    board.give_back(first)
    assert (board.sums(7)[FIRST], board.owners()) == (7, [101])
    assert board.take() == first
    board.own(first, layout=7, owner=200)[FIRST] += 1
    assert board.sums(7)[FIRST] == 8
    board.own(first, layout=8, owner=201)
    assert board.sums(7)[FIRST] == 4, "what another version of the server counted means something else"


def test_what_a_forked_worker_counts_is_seen(monkeypatch):
    share = processes.Share()
    monkeypatch.setattr("serving.counting.requests.SHARE", share)
    board = share.open(3)
    assert share.open(3) is board
    for _ in range(2):
        row = board.take()
        child = os.fork()
        if child == 0:
            share.row = row
            mine = counts()
            mine.count("/api/v1", 200, 0.1)
            mine.flush()
            os._exit(0)
        os.waitpid(child, 0)
    share.row = board.take()
    ours = counts()
    ours.count("/api/v1", 200, 0.1)
    assert told(ours) == {"/api/v1": {"200": 3}}


def test_failures_of_all_workers_add_up(monkeypatch):
    share = processes.Share()
    monkeypatch.setattr("serving.counting.requests.SHARE", share)
    board = share.open(2)
    for _ in range(2):
        share.row = board.take()
        requests = Requests(LABELS, STATUSES, causes=("disk_full", "other"))
        requests.count_failures({"disk_full": 2})
    assert requests.failures() == {"disk_full": 4, "other": 0}


def test_a_worker_that_died_is_told_from_one_that_left():
    board = Board(2)
    died, left = board.take(), board.take()
    assert died is not None
    assert left is not None
    for number in (died, left):
        board.own(number, layout=7, owner=100)
    board.leave(left)
    assert [board.is_owned(number) for number in (died, left)] == [True, False]


def test_too_many_labels_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        Requests([f"/{number}" for number in range(300)], STATUSES)


def test_the_text_is_what_prometheus_reads():
    requests = counts()
    for seconds in (0.002, 0.2):
        requests.count("/api/v1/node/{node_id}", 200, seconds)
    lines = exposition(requests.all(), STATE).decode().splitlines()
    sample = re.compile(r'[a-z_]+(\{[a-z]+="([^"\\\n]|\\.)*"(,[a-z]+="([^"\\\n]|\\.)*")*\})? [0-9.e+-]+')
    assert all(line.startswith("# ") or sample.fullmatch(line) for line in lines)
    assert 'law_requests_total{endpoint="/api/v1/node/{id}",status="200"} 2' in lines
    assert 'law_request_seconds_bucket{endpoint="/api/v1/node/{id}",le="0.0025"} 1' in lines
    assert 'law_request_seconds_bucket{endpoint="/api/v1/node/{id}",le="+Inf"} 2' in lines
    assert 'law_request_seconds_sum{endpoint="/api/v1/node/{id}"} 0.202000' in lines
    assert "law_workers 2" in lines
    assert 'law_snapshot_damaged{snapshot="2026.11.21-2",file="odd\\"name.arrow"} 1' in lines
    assert "law_store_up 0" in lines
    assert 'law_store_failures_total{cause="disk_full"} 3' in lines
    assert 'law_snapshot_info{snapshot="2026.11.21-1"} 1' in lines

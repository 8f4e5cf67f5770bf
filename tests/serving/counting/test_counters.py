"""Numbers of all workers: counts go on with the next worker, and gauges end with theirs."""

import os

import pytest

from serving.counting import processes
from serving.counting.counters import Counters
from serving.counting.families import Family

FAILURES = Family("failures", "Failures.", "counter", ("cause",), (("disk_full", "other"),))
OPEN = Family("open", "What is open.", "gauge", (), ())


@pytest.fixture
def share(monkeypatch):
    share = processes.Share()
    monkeypatch.setattr("serving.counting.counters.SHARE", share)
    return share


def told(counters):
    return {one.family.name: dict(one.series) for one in counters.sums()}


def test_what_a_forked_worker_counts_is_seen(share):
    board = share.open(3)
    assert share.open(3) is board
    for _ in range(2):
        row = board.take()
        child = os.fork()
        if child == 0:
            share.row = row
            Counters((FAILURES,)).add("failures", ("other",), 1)
            os._exit(0)
        os.waitpid(child, 0)
    share.row = board.take()
    ours = Counters((FAILURES,))
    ours.add("failures", ("other",), 1)
    assert told(ours) == {"failures": {("disk_full",): (0,), ("other",): (3,)}}


def test_a_gauge_is_the_sum_of_the_workers_that_there_are(share):
    board = share.open(2)
    workers = []
    for number in (3, 4):
        share.row = board.take()
        workers.append((share.row, Counters((FAILURES, OPEN))))
        workers[-1][1].set("open", (), number)
        workers[-1][1].add("failures", ("other",), number)
    (gone, _), (_, left) = workers
    assert told(left)["open"] == {(): (7,)}
    board.give_back(gone)
    assert told(left)["open"] == {(): (4,)}
    share.row = board.take()
    assert share.row == gone
    new = Counters((FAILURES, OPEN))
    assert told(new)["open"] == {(): (4,)}, "the new worker has not what the one before it had open"
    assert told(new)["failures"]["other",] == (7,), "and its counts go on"


def test_too_many_numbers_are_refused():
    many = Family("many", "Too many.", "counter", ("one",), (tuple(map(str, range(5000))),))
    with pytest.raises(ValueError, match="do not fit"):
        Counters((many,))

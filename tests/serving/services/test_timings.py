"""Durations of the arms are kept until they are taken, and never without bound."""

from serving.services.requests import Mode, SearchRequest
from serving.services.search import SearchService
from serving.services.timings import ARMS, MOST, Timings


def test_each_arm_of_a_search_is_timed(snapshot):
    service = SearchService()
    service.search(snapshot, SearchRequest(query="harbor permit"))
    hybrid = service.timings.take()
    assert sorted(hybrid) == sorted(ARMS)
    assert all(len(seconds) == 1 and 0 < seconds[0] < 60 for seconds in hybrid.values())
    assert service.timings.take() == {}
    service.search(snapshot, SearchRequest(query="harbor permit", mode=Mode.SEMANTIC))
    assert set(service.timings.take()) == {"encoder", "semantic"}
    service.search(snapshot, SearchRequest(query="harbor permit", mode=Mode.KEYWORD))
    assert set(service.timings.take()) == {"keyword"}


def test_the_oldest_are_dropped_where_nobody_takes_them():
    timings = Timings()
    for number in range(MOST + 3):
        timings.add("keyword", float(number))
    (seconds,) = timings.take().values()
    assert (len(seconds), seconds[0]) == (MOST, 3.0)

"""The chart as pure geometry."""

from datetime import date, timedelta

import pytest

from serving.api import operations
from serving.metering.records import DayUsage
from serving.pages.chart import HEIGHT, LABELS, build_chart

TODAY = date(2026, 11, 21)


def usage(*rows):
    return [
        DayUsage(TODAY - timedelta(days=back), endpoint, 1, calls, spent)
        for back, endpoint, calls, spent in rows
    ]


def test_every_metered_endpoint_has_its_own_colour():
    assert {operation.name for operation in operations.ALL} <= set(LABELS)


def test_bars_stack_endpoints_in_one_order():
    chart = build_chart(usage((0, "node", 4, 4), (0, "search", 6, 6), (29, "gis", 2, 10)), today=TODAY)
    assert [(entry.label, entry.calls, entry.credits) for entry in chart.series] == [
        ("Search", 6, 6),
        ("Node", 4, 4),
        ("GIS layers", 2, 10),
    ]
    assert (len(chart.bars), chart.calls, chart.credits) == (30, 12, 20)
    newest = chart.bars[-1]
    assert (newest.day, newest.calls, newest.total) == (TODAY, (6, 4, 0), 10)
    assert newest.title == "21 November: Search 6, Node 4"
    search, node = newest.segments
    assert (search.y + search.height, node.y + node.height, node.y) == (HEIGHT, search.y, 0)
    assert [bar.day for bar in chart.busy] == [TODAY, TODAY - timedelta(days=29)]


def test_days_outside_are_left_out():
    assert build_chart(usage((30, "node", 5, 5), (-1, "node", 5, 5)), today=TODAY).calls == 0


def test_an_unknown_endpoint_is_counted():
    (entry,) = build_chart(usage((1, "new", 3, 3)), today=TODAY).series
    assert (entry.label, entry.calls) == ("Other", 3)


@pytest.mark.parametrize(
    ("most", "top"),
    [
        (0, 4),
        (1, 4),
        (4, 4),
        (5, 6),
        (10, 10),
        (11, 20),
        (33, 40),
        (99, 100),
        (100, 100),
        (101, 200),
        (987654, 1000000),
    ],
)
def test_the_scale_is_round(most, top):
    chart = build_chart(usage((0, "node", most, most)), today=TODAY)
    assert [tick.value for tick in chart.ticks] == [top, top // 2, 0]
    assert [tick.y for tick in chart.ticks] == [0, HEIGHT / 2, HEIGHT]

"""The chart of calls by day and endpoint: pure geometry, which turns rows of usage into bars."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from serving.metering.records import DayUsage

DAYS = 30
WIDTH, HEIGHT = 600, 180
"""Width and height of the drawing in its own units, which the page scales to the room there is."""
BAR, GAP = 14.0, 6.0

LABELS = {
    "search": "Search",
    "node": "Node",
    "code-bodies": "Code bodies",
    "browse": "Browse",
    "coverage": "Coverage",
    "gis": "GIS layers",
    "me": "Account",
    "formation/status": "Formation status",
    "resolve": "Resolve",
    "gis/at": "Zones at a point",
    "verify-quotes": "Verified quotes",
    "check-text": "Checked texts",
    "formation/requirements": "Formation requirements",
    "formation/naics": "NAICS codes",
    "formation/handoff": "Formation hand-off",
    "node/cited-by": "Citing provisions",
    "changes": "Changes",
    "node/history": "Histories",
    "watches": "Watches",
}
"""Names of the endpoints that are charged, in the order of their colours."""
OTHER = "Other"


@dataclass(frozen=True, slots=True)
class Series:
    """One endpoint over the whole period. `colour` is the number of its colour in the style sheet."""

    label: str
    colour: int
    calls: int
    credits: int


@dataclass(frozen=True, slots=True)
class Segment:
    """The part of a bar for one endpoint."""

    colour: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One day. `calls` are in the order of the chart's series."""

    day: date
    x: float
    segments: tuple[Segment, ...]
    calls: tuple[int, ...]
    total: int
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A line across the drawing, with the number that it marks."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The complete chart, for the page to draw and to list as a table."""

    series: tuple[Series, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    calls: int
    credits: int

    @property
    def busy(self) -> tuple[Bar, ...]:
        """Days with calls, newest first."""
        return tuple(bar for bar in reversed(self.bars) if bar.total)


def build_chart(usage: Iterable[DayUsage], *, today: date) -> Chart:
    """Return the chart of the thirty days that end today; rows of other days are ignored."""
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    calls: Counter[tuple[date, str]] = Counter()
    spent: Counter[str] = Counter()
    for row in usage:
        if days[0] <= row.day <= today:
            label = LABELS.get(row.endpoint, OTHER)
            calls[row.day, label] += row.calls
            spent[label] += row.credits
    order = [*LABELS.values(), OTHER]
    used = [label for label in order if any(calls[day, label] for day in days)]
    series = tuple(
        Series(label, order.index(label), sum(calls[day, label] for day in days), spent[label])
        for label in used
    )
    top = _round_up(max((sum(calls[day, label] for label in used) for day in days), default=0))
    return Chart(
        series=series,
        bars=tuple(_bar(day, place, series, calls, top) for place, day in enumerate(days)),
        ticks=tuple(Tick(_y(value, top), value) for value in sorted({top, top // 2, 0}, reverse=True)),
        calls=sum(entry.calls for entry in series),
        credits=sum(entry.credits for entry in series),
    )


def _bar(
    day: date, place: int, series: Sequence[Series], calls: Mapping[tuple[date, str], int], top: int
) -> Bar:
    counts = tuple(calls.get((day, entry.label), 0) for entry in series)
    segments = []
    below = 0
    for entry, count in zip(series, counts, strict=True):
        if count:
            segments.append(Segment(entry.colour, _y(below + count, top), round(HEIGHT * count / top, 2)))
        below += count
    parts = [f"{entry.label} {count:,}" for entry, count in zip(series, counts, strict=True) if count]
    return Bar(
        day=day,
        x=round(place * (BAR + GAP) + GAP / 2, 2),
        segments=tuple(segments),
        calls=counts,
        total=below,
        title=f"{day:%-d %B}: {', '.join(parts) or 'no calls'}",
    )


def _y(value: int, top: int) -> float:
    return round(HEIGHT - HEIGHT * value / top, 2)


def _round_up(value: int) -> int:
    """Return the next of 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, ...: even, so that half of it is whole."""
    scale = 1
    while value > 10 * scale:
        scale *= 10
    return next(step * scale for step in (2, 4, 6, 8, 10) if step * scale >= max(value, 4))

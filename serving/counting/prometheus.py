"""Numbers in the text format of Prometheus (0.0.4)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from serving.counting.counters import Sums
from serving.counting.families import BOUNDS

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Gauge:
    """State of the server at the moment of the answer, in one number or several.

    Attributes:
        name: name of the metric.
        described: one sentence for people.
        labels: names of its labels.
        values: numbers by the values of the labels.
    """

    name: str
    described: str
    labels: tuple[str, ...]
    values: dict[tuple[str, ...], float]


def exposition(sums: Iterable[Sums], gauges: Iterable[Gauge]) -> bytes:
    """Return the text for Prometheus: what all workers counted, and what the server is like."""
    lines: list[str] = []
    for one in sums:
        lines += _head(one.family.name, one.family.described, one.family.kind)
        lines += _histogram(one) if one.family.kind == "histogram" else _numbers(one)
    for gauge in gauges:
        lines += _head(gauge.name, gauge.described, "gauge")
        lines += [
            f"{gauge.name}{_labelled(gauge.labels, values)} {_number(number)}"
            for values, number in gauge.values.items()
        ]
    return ("\n".join(lines) + "\n").encode()


def _head(name: str, described: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {described}", f"# TYPE {name} {kind}"


def _numbers(one: Sums) -> Iterator[str]:
    # Of two labels most pairs never occur.
    lists_all = len(one.family.labels) < 2
    for values, (number,) in one.series.items():
        if number or lists_all:
            yield f"{one.family.name}{_labelled(one.family.labels, values)} {number}"


def _histogram(one: Sums) -> Iterator[str]:
    name, labels = one.family.name, one.family.labels
    for values, (*spans, nanoseconds) in one.series.items():
        so_far = 0
        if not any(spans):
            continue
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), spans, strict=True):
            so_far += count
            yield f"{name}_bucket{_labelled((*labels, 'le'), (*values, bound))} {so_far}"
        yield f"{name}_sum{_labelled(labels, values)} {nanoseconds / 1e9:.6f}"
        yield f"{name}_count{_labelled(labels, values)} {so_far}"


def _number(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:.3f}"


def _labelled(labels: tuple[str, ...], values: tuple[str, ...]) -> str:
    pairs = [f'{label}="{_escaped(value)}"' for label, value in zip(labels, values, strict=True)]
    return f"{{{','.join(pairs)}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

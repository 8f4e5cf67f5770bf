"""Families of numbers that the workers of a server count together, named and typed as Prometheus has them."""

from dataclasses import dataclass
from itertools import product
from typing import Literal

Kind = Literal["counter", "gauge", "histogram"]
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the classes of a histogram, in seconds."""


@dataclass(frozen=True, slots=True)
class Family:
    """One family of numbers.

    Attributes:
        name: name of the metric.
        described: one sentence for people.
        kind: a gauge is the sum of what each worker says at present; the others only rise.
        labels: names of its labels.
        values: values of each label.
    """

    name: str
    described: str
    kind: Kind
    labels: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    @property
    def series(self) -> list[tuple[str, ...]]:
        """The values of the labels of each series."""
        return list(product(*self.values))

    @property
    def width(self) -> int:
        """Numbers in a series: of a histogram the classes, the one above all bounds, and the nanoseconds."""
        return len(BOUNDS) + 2 if self.kind == "histogram" else 1

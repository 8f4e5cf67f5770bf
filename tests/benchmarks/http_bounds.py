"""The bounds of `bench_http`: ratios within a round of measurements, and whether they are met."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """Findings of wrk: answers, answers per second, milliseconds, and answers that were errors.

    Attributes:
        cpu: microseconds of processor time that the workers spent on an answer: what holds on a busy machine too.
    """

    answers: int
    rate: float
    p50: float
    p99: float
    failed: int
    cpu: float


Round = Mapping[str, Run]
"""The runs of one round, by contestant."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on a ratio: a share of the answers per second, or a multiple of the 99th percentile.

    Attributes:
        of, to: the contestants that are compared.
        limit: the least share, or the greatest multiple.
        is_p99: whether it is on the 99th percentile.
    """

    of: str
    to: str
    limit: float
    is_p99: bool = False

    def ratios(self, rounds: Sequence[Round]) -> list[float]:
        """Give the ratio in each round."""
        if self.is_p99:
            return [one[self.of].p99 / one[self.to].p99 for one in rounds]
        return [one[self.of].rate / one[self.to].rate for one in rounds]

    def is_met(self, rounds: Sequence[Round]) -> bool:
        """Tell whether the median is within the bound."""
        median = statistics.median(self.ratios(rounds))
        return median <= self.limit if self.is_p99 else median >= self.limit

    def line(self, rounds: Sequence[Round]) -> str:
        """Give the bound and the ratios as a line of a table."""
        what = f"{'p99' if self.is_p99 else 'answers/s'} of {self.of} to {self.to}"
        limit = f"{'at most' if self.is_p99 else 'at least'} {self.limit:.2f}"
        verdict = "met" if self.is_met(rounds) else "MISSED"
        return f"{what:<62} {spread(self.ratios(rounds)):<18} {limit:<14} {verdict}"


BOUNDS = (
    Bound("SQLite, one key", "nginx", 0.30),
    Bound("SQLite, one key", "unmetered", 5.0, is_p99=True),
    Bound("SQLite, one key", "SQLite, one key, long way", 1.25),
    Bound("SQLite, many keys", "SQLite, one key", 0.70),
    Bound("SQLite, many keys", "unmetered", 3.0, is_p99=True),
    Bound("PostgreSQL, many keys", "SQLite, many keys", 0.50),
    Bound("PostgreSQL, many keys", "unmetered", 3.0, is_p99=True),
)
"""The bounds that are judged. A plain read must earn its keep against the same call by the application, its long way."""


def spread(values: Sequence[float]) -> str:
    """Give the median, and in brackets the least and the most."""
    return f"{statistics.median(values):.2f} [{min(values):.2f}-{max(values):.2f}]"

"""Counts of answered requests: by route, status and duration."""

import re
from collections.abc import Sequence

from serving.counting.counters import Counters
from serving.counting.families import Family

REQUESTS, SECONDS = "law_requests_total", "law_request_seconds"
OTHER = "other"


def request_families(labels: Sequence[str], statuses: Sequence[int]) -> tuple[Family, Family]:
    """Return the families of requests.

    Args:
        labels: labels under which requests are counted: paths as OpenAPI writes them, and prefixes of paths.
        statuses: statuses that are counted apart.
    """
    endpoints = (*labels, OTHER)
    told = (*map(str, sorted(set(statuses))), OTHER)
    return (
        Family(
            REQUESTS,
            "Requests answered, by endpoint and status.",
            "counter",
            ("endpoint", "status"),
            (endpoints, told),
        ),
        Family(SECONDS, "Time from the request to its answer.", "histogram", ("endpoint",), (endpoints,)),
    )


class Requests:
    """Counts this process's requests.

    Args:
        families: the families of requests.
        counters: receive the counts.
    """

    def __init__(self, families: tuple[Family, Family], counters: Counters) -> None:
        self._labels, self._statuses = families[0].values
        self._counters = counters
        self._found: dict[str | None, str] = {}
        self._seen: dict[tuple[str | None, int], list[float]] = {}

    def count(self, template: str | None, status: int, seconds: float) -> None:
        """Count an answered request. It is reported after the next `flush`.

        Args:
            template: path template of its route; None if it has no route.
            status: status of the answer.
            seconds: time that the answer took.
        """
        # A fifth of a microsecond: sorting times into spans waits until it is done for many at once.
        try:
            self._seen[template, status].append(seconds)
        except KeyError:
            self._seen[template, status] = [seconds]

    def flush(self) -> None:
        """Add the counts since the last flush to the shared counters."""
        seen, self._seen = self._seen, {}
        for (template, status), seconds in seen.items():
            label = self._found.get(template)
            if label is None:
                label = self._found[template] = self._find(template or OTHER)
            told = str(status) if str(status) in self._statuses else OTHER
            self._counters.add(REQUESTS, (label, told), len(seconds))
            self._counters.observe(SECONDS, (label,), seconds)

    def _find(self, template: str) -> str:
        """Return the label of a template: that of its path, else the longest known prefix."""
        path = _anonymous(template)
        for label in self._labels:
            if _anonymous(label) == path:
                return label
        beginnings = [label for label in self._labels if path.startswith(f"{label}/")]
        return max(beginnings, key=len, default=OTHER)


def _anonymous(path: str) -> str:
    """Return a path template without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", path)

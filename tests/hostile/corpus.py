"""The whole corpus of hostile files, and the share of it that the test suite runs."""

from tests.hostile import archives, databases, documents, geojson
from tests.hostile.case import Case

_SHARE = (
    "geojson deep 900,000",
    "geojson bad utf-8 in a value",
    "geojson number NaN",
    "geojson small combs of two zones",
    "shapefile parts huge",
    "shapefile bytes flipped, 3",
    "geopackage endless view as contents",
    "geopackage generated gigabyte",
    "geopackage geometry of 4,294,967,295 points",
    "zip of a map: overlapping",
    "zip of a source: version unknown",
    "tar of a source: xz bomb",
    "gzip bomb of brackets",
    "us-usc: deep 100,000",
    "us-usc: entities, ten to the ninth",
    "dc-code: a chain of 60",
    "dc-code: comments before a container",
    "san mateo: contents that go round",
)


def corpus() -> list[Case]:
    """Return all cases; their names are unique."""
    return [*geojson.corpus(), *databases.corpus(), *archives.corpus(), *documents.corpus()]


def share() -> list[Case]:
    """Return some cases of each kind, which are quick."""
    return [case for case in corpus() if case.name in _SHARE]

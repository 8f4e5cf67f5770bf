"""All that is fuzzed."""

from tests.fuzz import agents, archives, authorization, citations, http, maps, quotations, readers
from tests.fuzz.target import Target

TARGETS: tuple[Target, ...] = (
    *citations.TARGETS,
    *quotations.TARGETS,
    *readers.TARGETS,
    *archives.TARGETS,
    *maps.TARGETS,
    *http.TARGETS,
    *agents.TARGETS,
    *authorization.TARGETS,
)

"""The freshness of what was accepted, by what is known of its publisher: nobody is asked."""

from assets.connectors.sightings import Sighting
from assets.freshness.freshness import Freshness, compare
from assets.freshness.held import held
from assets.registry import CodeBody, Layer
from assets.workspace import Workspace


def key_of(entry: CodeBody | Layer) -> str:
    """Return the key by which the registry knows an entry."""
    return entry.short_code if isinstance(entry, Layer) else entry.key


def known_freshness(workspace: Workspace, entry: CodeBody | Layer) -> Freshness:
    """Return how fresh what was accepted is, by what is known; nobody is asked."""
    sighting = Sighting.load(workspace.newest_release(key_of(entry)))
    return compare(sighting, held(workspace, entry), fetchable=entry.connector is not None)

"""Checks of freshness: they compare what is known, and ask nobody."""

from datetime import UTC, datetime

from assets.checking import body_check, layer_check
from assets.findings import Verdict
from assets.freshness.freshness import judge
from assets.freshness.known import key_of, known_freshness
from assets.registry import CodeBody, Layer
from assets.registry.connectors import STALE_AFTER_DAYS
from assets.selection.assets import accepted_tables
from assets.workspace import Workspace
from assets.zoning.assets import accepted_layers


def law_is_fresh(workspace: Workspace, body: CodeBody) -> Verdict:
    """Compare the accepted tables with the newest release that is known."""
    return judged(workspace, body)


def map_is_fresh(workspace: Workspace, layer: Layer) -> Verdict:
    """Compare the accepted layer with the newest release that is known."""
    return judged(workspace, layer)


def judged(workspace: Workspace, entry: CodeBody | Layer) -> Verdict:
    """Compare what was accepted of a code body or layer with the newest release that is known."""
    days = STALE_AFTER_DAYS if entry.connector is None else entry.connector.stale_after_days
    return judge(known_freshness(workspace, entry), key_of(entry), days=days, now=datetime.now(UTC))


CHECKS = [
    body_check(
        accepted_tables,
        law_is_fresh,
        description="The accepted law is no older than its publisher's newest known release by more than its "
        "entry allows.",
        blocking=False,
    ),
    layer_check(
        accepted_layers,
        map_is_fresh,
        description="The accepted map is no older than its publisher's newest known release by more than its "
        "entry allows.",
        blocking=False,
    ),
]
"""By the room of what is checked."""

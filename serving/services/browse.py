"""Browsing of code bodies: their list, and the children of a node or of a code body."""

from uuid import UUID

from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


def code_bodies(snapshot: Snapshot) -> StoredBody:
    """Return the ready list of code bodies."""
    return snapshot.static("code-bodies")


def children(snapshot: Snapshot, *, code_body: UUID, parent: UUID | None) -> StoredBody:
    """Return the ready list of the immediate children of `parent`, or of the code body's top level.

    Raises:
        NotFoundError: the code body is unknown, or the parent is, or it belongs to another code body.
    """
    return snapshot.browse.children(code_body, parent)

"""Names in a mirror, and among the targets of its metadata."""

METADATA = "metadata"
TARGETS = "targets"
"""Folders of a mirror, which anything that serves files may serve."""

SNAPSHOT = "snapshot/"
LOG = "log/"
"""Prefixes of the targets that are files of the snapshot in service, and of the log of snapshots."""

LIST = "targets.json"
"""File, among the metadata that were found good, that lists the targets."""

"""Opening a snapshot so that the first request finds it warm."""

from pathlib import Path

from serving.contract.errors import LawError, SnapshotCorruptError
from serving.services.citations.resolve import resolve
from serving.snapshot.filters import Filters
from serving.snapshot.store import Snapshot, open_snapshot


def open_warm(folder: Path) -> Snapshot:
    """Open a snapshot and search it once, so that no request pays for the set-up of first use.

    Raises:
        DamagedFileError: a file is not as it was published.
        SnapshotCorruptError: it cannot be read.
    """
    try:
        snapshot = open_snapshot(folder)
        resolve(snapshot, "warm")
        snapshot.vectors.search(snapshot.encoder.encode_query("warm"), filters=Filters(), limit=1)
        snapshot.keyword.search("warm", filters=Filters(), limit=1)
        snapshot.layers.warm()
    except (LawError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # What the libraries below say of damaged tables and indexes has no other base: some panic in Rust.
        raise SnapshotCorruptError(str(folder), f"cannot be read: {error!r}") from error
    return snapshot

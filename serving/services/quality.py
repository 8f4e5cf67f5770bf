"""How good a snapshot is, by the figures of its own gates."""

from functools import lru_cache
from pathlib import Path

import pyarrow as pa

from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.contract.layout import QUALITY
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody


def quality(snapshot: Snapshot) -> StoredBody:
    """Return the ready report of retrieval and citation scores.

    Raises:
        NotFoundError: the snapshot was published without one.
    """
    try:
        return _report(snapshot.folder / QUALITY)
    except FileNotFoundError:
        raise NotFoundError(
            f"Snapshot {snapshot.id} was published without quality figures.", kind="quality"
        ) from None


@lru_cache(maxsize=8)
def _report(path: Path) -> StoredBody:
    plain = path.read_bytes()
    return StoredBody(
        content_etag(plain),
        plain,
        pa.Codec("gzip", 9).compress(plain, asbytes=True),
        pa.Codec("zstd", 19).compress(plain, asbytes=True),
    )

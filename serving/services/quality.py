"""Quality of a snapshot: the scores by which it was accepted."""

from functools import lru_cache

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
    plain = snapshot.read(QUALITY)
    if plain is None:
        raise NotFoundError(f"Snapshot {snapshot.id} was published without quality figures.", kind="quality")
    return _report(plain)


@lru_cache(maxsize=8)
def _report(plain: bytes) -> StoredBody:
    return StoredBody(
        content_etag(plain),
        plain,
        pa.Codec("gzip", 9).compress(plain, asbytes=True),
        pa.Codec("zstd", 19).compress(plain, asbytes=True),
    )

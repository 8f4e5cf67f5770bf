"""Corrections of a snapshot: what was known to be wrong in the service when it was published."""

import orjson

from serving.contract.answers import CorrectionsBody
from serving.contract.errors import NotFoundError
from serving.contract.identity import content_etag
from serving.contract.layout import CORRECTIONS
from serving.snapshot.store import Snapshot
from serving.snapshot.table import StoredBody

_EMPTY: CorrectionsBody = {"source": None, "date": None, "corrections": []}
_PLAIN = orjson.dumps(_EMPTY)
_NONE = StoredBody(content_etag(_PLAIN), _PLAIN, None, None)


def corrections(snapshot: Snapshot) -> StoredBody:
    """Return the ready list of corrections; an empty one for a snapshot that was published without."""
    try:
        return snapshot.static(CORRECTIONS)
    except NotFoundError:
        return _NONE

"""Connector `arcgis`: a layer of an ArcGIS feature service, read in pages and kept as one file of GeoJSON."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from assets.connectors.errors import FetchError
from assets.connectors.folders import keep_only
from assets.connectors.records import (
    Downloaded,
    Validators,
    known_file,
    record_of,
    replace_with,
    sha256_of,
)
from assets.connectors.release import Fetched, Release
from assets.connectors.session import Session
from assets.progress import Advance
from assets.registry import ConnectorEntry

_PAGE = 500
"""Features that are asked for at once, where the service allows as many: answers stay small."""


class FeatureService:
    """A layer of polygons; the time of its last edit names its release."""

    def __init__(self, key: str, entry: ConnectorEntry, session: Session) -> None:
        self.listing = entry.addresses["layer"]
        self._key = key
        self._most = entry.megabytes * 1_000_000
        self._session = session

    def releases(self) -> Sequence[Release]:
        """Return the state of the layer now."""
        edited = _last_edit(self._description())
        if edited is None:
            return (Release("as it is now", None, (self.listing,)),)
        try:
            then = datetime.fromtimestamp(edited / 1000, UTC)
        except (OverflowError, OSError, ValueError):
            raise FetchError(f"{self.listing} was last edited at {edited}, which is no time.") from None
        validators = Validators(etag=str(edited))
        name = then.strftime("%Y-%m-%dT%H:%M:%SZ")
        return (Release(name, name[:10], (self.listing,), (validators,)),)

    def fetch(self, release: Release, folder: Path, advance: Advance) -> Fetched:
        """Bring the layer's features into the folder, unless they are there as last edited."""
        target = folder / f"{self._key}.geojson"
        known = known_file(target, self.listing)
        if known is not None and release.validators == (known.validators,):
            return Fetched(release, target, (known,))
        done = self._read(release, target, advance)
        keep_only(folder, [target.name])
        return Fetched(release, target, (done,))

    def _read(self, release: Release, target: Path, advance: Advance) -> Downloaded:
        about = self._description()
        total = self._ask("/query", where="1=1", returnCountOnly="true", f="json").get("count")
        if type(total) is not int:
            raise FetchError(f"{self.listing} does not tell how many features it has.")
        part = target.with_name(f".{target.name}.part")
        count = 0
        with part.open("wb") as file:
            file.write(b'{"type": "FeatureCollection", "features": [\n')
            for count, feature in enumerate(self._features(about), start=1):
                file.write(b",\n" if count > 1 else b"")
                file.write(json.dumps(feature, ensure_ascii=False).encode())
                advance(count, total)
                if file.tell() > self._most:
                    raise FetchError(f"{self.listing} has more than {self._most:,} bytes of features.")
            file.write(b"\n]}\n")
            file.flush()
            os.fsync(file.fileno())
        self._require_unchanged(release, count, total)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        validators = release.validators[0] if release.validators else Validators()
        done = Downloaded(self.listing, validators, sha256_of(part), part.stat().st_size, now)
        record_of(target).unlink(missing_ok=True)
        part.rename(target)
        replace_with(record_of(target), asdict(done))
        return done

    def _features(self, about: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield all features, page by page in the order of their ids."""
        field = about.get("objectIdField")
        able = about.get("advancedQueryCapabilities")
        if not isinstance(field, str) or not (isinstance(able, dict) and able.get("supportsPagination")):
            raise FetchError(f"{self.listing} cannot be read in pages.")
        allowed = about.get("maxRecordCount")
        page = min(_PAGE, allowed) if type(allowed) is int and allowed > 0 else _PAGE
        asked = {"where": "1=1", "outFields": "*", "outSR": "4326", "orderByFields": field, "f": "geojson"}
        offset, seen = 0, set[object]()
        while True:
            answer = self._ask("/query", **asked, resultOffset=str(offset), resultRecordCount=str(page))
            features = answer.get("features")
            if not isinstance(features, list) or not all(isinstance(one, dict) for one in features):
                raise FetchError(f"{self.listing} answers what is no GeoJSON.")
            ids = [one.get("id") for one in features if one.get("id") is not None]
            if len(seen.union(ids)) != len(seen) + len(ids):
                raise FetchError(f"{self.listing} gives a feature on two pages; fetch it again.")
            seen.update(ids)
            yield from features
            offset += len(features)
            if not features or not _has_more(answer, len(features) == page):
                return

    def _require_unchanged(self, release: Release, count: int, total: int) -> None:
        """Refuse what was edited while it was read: its pages may not fit together."""
        now = _last_edit(self._description())
        before = release.validators[0].etag if release.validators else None
        if count != total or (before is not None and str(now) != before):
            said = f"{self.listing} was edited while it was read"
            raise FetchError(f"{said} ({count:,} of {total:,} features); fetch it again.")

    def _description(self) -> dict[str, Any]:
        return self._ask("", f="json")

    def _ask(self, path: str, **parameters: str) -> dict[str, Any]:
        """Return an answer of the service, which says its errors within answers that are none."""
        answer = self._session.read_json(f"{self.listing}{path}?{urlencode(parameters)}")
        if not isinstance(answer, dict):
            raise FetchError(f"{self.listing} answers what is no object.")
        if "error" in answer:
            raise FetchError(f"{self.listing} answers an error: {str(answer['error'])[:300]}.")
        return answer


def _last_edit(about: dict[str, Any]) -> int | None:
    info = about.get("editingInfo")
    edited = info.get("dataLastEditDate", info.get("lastEditDate")) if isinstance(info, dict) else None
    return edited if type(edited) is int else None


def _has_more(answer: dict[str, Any], full: bool) -> bool:
    properties = answer.get("properties")
    told = [answer.get("exceededTransferLimit")]
    told += [properties.get("exceededTransferLimit")] if isinstance(properties, dict) else []
    return full or any(value is True for value in told)

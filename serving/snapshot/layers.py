"""Zoning layers of a snapshot: ready answers, mapped and never copied, and their zones, found by point."""

import mmap
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layers import (
    LAYERS,
    ZONES,
    LayerEntry,
    answer_file,
    map_file,
    points_file,
    zones_file,
)
from serving.contract.layout import GIS
from serving.contract.manifest import FileEntry, Manifest
from serving.snapshot.points import PointIndex
from serving.snapshot.table import StoredBody, map_table
from serving.snapshot.verify import require_hash

MOST_INDEXES = 16
"""Most layers of a snapshot whose points are indexed at one time; the least recently used is dropped."""

_ETAG_LENGTH = 32
"""Digits of a file's hash that make its entity tag, as in `content_etag`."""


class Zone(NamedTuple):
    """One zone of a layer; the fields are those of the contract's `ZONES`."""

    zone_id: str
    zone_code: str
    zone_name: str
    node_id: str | None
    citation: str | None
    heading: str | None
    link: str
    reason: str
    overlay: bool


class Layer:
    """One published layer.

    Attributes:
        entry: its description in lists.
    """

    def __init__(self, folder: Path, entry: LayerEntry, files: Mapping[str, FileEntry]) -> None:
        """Map the layer's files.

        Args:
            folder: folder of the snapshot.
            entry: the layer's description.
            files: every file of the snapshot, by its path in the manifest.

        Raises:
            SnapshotCorruptError: a file is missing or is not in the manifest.
        """
        self.entry = entry
        code = entry.short_code
        self._answer = _MappedAnswer(folder, answer_file(code), files)
        self._map = _MappedAnswer(folder, map_file(code), files)
        self.points_path = folder / GIS / points_file(code)
        self._zones = map_table(folder / GIS / zones_file(code), ZONES)

    @property
    def answer(self) -> StoredBody:
        """The ready answer of the layer's endpoint, mapped from the disk and checked on first use.

        Raises:
            DamagedFileError: it differs from what was published.
        """
        return self._answer.checked

    @property
    def map(self) -> StoredBody:
        """The simplified FeatureCollection, mapped and checked likewise."""
        return self._map.checked

    @property
    def zone_count(self) -> int:
        """Number of zones."""
        return int(self._zones.num_rows)

    def zone(self, row: int) -> Zone:
        """Return the zone in a row of the zones table."""
        return Zone(*(column[row].as_py() for column in self._zones.columns))

    def zones(self) -> Iterator[Zone]:
        """Yield every zone, by row."""
        return map(Zone._make, zip(*(column.to_pylist() for column in self._zones.columns), strict=True))


class Layers:
    """The layers of one snapshot, by short code. May be used from any thread."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        """Read the list of layers; a snapshot without the list has none.

        Raises:
            SnapshotCorruptError: the list or a layer's file is missing or malformed.
        """
        files = {entry.path: entry for entry in manifest.files}
        self._layers = {entry.short_code: Layer(folder, entry, files) for entry in list_layers(folder)}
        self._indexes: OrderedDict[str, PointIndex] = OrderedDict()
        self._opening = threading.Lock()

    def __len__(self) -> int:
        return len(self._layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._layers.values())

    def find(self, short_code: str) -> Layer | None:
        """Return the layer of that short code, or None."""
        return self._layers.get(short_code)

    def points(self, layer: Layer) -> PointIndex:
        """Return the index of a layer's points; on first use it is built, which takes up to a second.

        Raises:
            SnapshotCorruptError: the layer's table is missing or malformed.
        """
        code = layer.entry.short_code
        with self._opening:
            index = self._indexes.get(code)
            if index is None:
                index = self._indexes[code] = PointIndex(layer.points_path)
                if len(self._indexes) > MOST_INDEXES:
                    self._indexes.popitem(last=False)
            else:
                self._indexes.move_to_end(code)
            return index

    def warm(self) -> None:
        """Index the points of as many layers as are kept, so that no request waits for an index."""
        for layer, _ in zip(self, range(MOST_INDEXES), strict=False):
            self.points(layer)


def list_layers(folder: Path) -> list[LayerEntry]:
    """Return the descriptions of the layers of the snapshot in `folder`; empty if it has none.

    Raises:
        SnapshotCorruptError: the list cannot be read.
    """
    path = folder / GIS / LAYERS
    try:
        listed: list[dict[str, Any]] = orjson.loads(path.read_bytes())
        if not isinstance(listed, list):
            raise TypeError("not a list")
        return [LayerEntry.from_json(raw) for raw in listed]
    except FileNotFoundError:
        return []
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotCorruptError(str(path), f"is no list of layers: {error}") from error


class _MappedAnswer:
    """A ready answer that is mapped from the disk, and compared with its hashes on first use."""

    def __init__(self, folder: Path, name: str, files: Mapping[str, FileEntry]) -> None:
        path = f"{GIS}/{name}"
        if path not in files:
            raise SnapshotCorruptError(str(folder / path), "is not in the manifest")
        self._folder = folder
        self._unchecked = [files[one] for one in (path, f"{path}.gz", f"{path}.zst") if one in files]
        forms = {entry.path: _mapped(folder / entry.path) for entry in self._unchecked}
        # The manifest has the hash of the plain bytes: making it again would read every layer when opening.
        self._stored = StoredBody(
            files[path].sha256[:_ETAG_LENGTH], forms[path], forms.get(f"{path}.gz"), forms.get(f"{path}.zst")
        )

    @property
    def checked(self) -> StoredBody:
        if self._unchecked:
            for entry in self._unchecked:
                require_hash(self._folder, entry)
            self._unchecked = []
        return self._stored


def _mapped(path: Path) -> memoryview:
    try:
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise SnapshotCorruptError(str(path), f"cannot be mapped: {error}") from error

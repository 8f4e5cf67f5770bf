"""Measure how a layer's zones fit: land in two zones, and holes between zones."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import shapely

from assets.errors import BuildError
from assets.zoning.metres import LocalMetres
from assets.zoning.model import Geometries

_KEPT = "topology.json"
_NARROW = 1.0
_LISTED = 10


@dataclass(frozen=True, slots=True)
class Overlap:
    """Land that lies in two zones, in square metres."""

    first: str
    second: str
    area: float


@dataclass(frozen=True, slots=True)
class Topology:
    """The fit of zones: overlaps and gaps, areas in square metres.

    Attributes:
        area: of all zones, each by itself.
        overlap_area: of land in two zones, pair by pair.
        overlaps: the largest pairs.
        gaps: holes enclosed by zones that none covers, such as streets that are not zoned.
        gap_area: of them.
    """

    area: float
    overlap_area: float
    overlaps: tuple[Overlap, ...]
    gaps: int
    gap_area: float

    def save(self, built: Path) -> None:
        """Write the measurements beside the zones of a built layer."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        (built / _KEPT).write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, built: Path) -> "Topology":
        """Read the measurements of a built layer.

        Raises:
            BuildError: they are missing or of another version of this software.
        """
        try:
            raw = json.loads((built / _KEPT).read_bytes())
            return cls(**raw | {"overlaps": tuple(Overlap(**pair) for pair in raw["overlaps"])})
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise BuildError(f"{built / _KEPT} cannot be read ({error}); build the layer again.") from error

    @property
    def overlap_share(self) -> float:
        """Overlapping land by all land."""
        return self.overlap_area / self.area if self.area else 0.0


def measure(geometries: Geometries, codes: list[str], overlay: list[bool], metres: LocalMetres) -> Topology:
    """Measure overlaps and gaps between the base zones: an overlay lies over others on purpose."""
    base = np.flatnonzero(~np.array(overlay, bool))
    zones, names = geometries[base], [codes[place] for place in base]
    parts, owners = shapely.get_parts(zones, return_index=True)
    with ThreadPoolExecutor(1) as beside:
        holes = beside.submit(_gaps, zones)
        overlaps = _overlaps(parts, owners, names, metres)
        gaps = holes.result()
    return Topology(
        area=float(metres.areas(zones).sum()),
        overlap_area=sum(overlap.area for overlap in overlaps),
        overlaps=tuple(sorted(overlaps, key=lambda overlap: -overlap.area)[:_LISTED]),
        gaps=len(gaps),
        gap_area=float(metres.areas(gaps).sum()),
    )


def _overlaps(parts: Geometries, owners: np.ndarray, names: list[str], metres: LocalMetres) -> list[Overlap]:
    left, right = shapely.STRtree(parts).query(parts, predicate="intersects")
    other = owners[left] < owners[right]
    left, right = left[other], right[other]
    inside = ~shapely.touches(parts[left], parts[right])
    left, right = left[inside], right[inside]
    areas = metres.areas(shapely.intersection(parts[left], parts[right]))
    sums: dict[tuple[int, int], float] = {}
    for first, second, area in zip(owners[left], owners[right], areas, strict=True):
        sums[int(first), int(second)] = sums.get((int(first), int(second)), 0.0) + float(area)
    return [
        Overlap(names[first], names[second], area) for (first, second), area in sums.items() if area > _NARROW
    ]


def _gaps(zones: Geometries) -> Geometries:
    """Return the holes of all zones' union."""
    if len(zones) == 0:
        return zones
    rings = [shapely.get_rings(part)[1:] for part in shapely.get_parts(shapely.union_all(zones))]
    holes = [shapely.polygons(own) for own in rings if len(own)]
    return np.concatenate(holes) if holes else zones[:0]

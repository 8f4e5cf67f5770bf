"""Records that pass between the steps of a layer's build."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Geometries = NDArray[np.object_]
"""Shapely geometries."""


@dataclass(frozen=True, slots=True)
class Polygons:
    """The polygons of a file, in WGS 84, as they were drawn.

    Attributes:
        codes: zone code of each; "" where the file has none.
        names: zone name of each; "" where there is none.
        attributes: the source's own fields, a column each.
        damaged: rows whose geometry, or a part of it, could not be read.
    """

    geometries: Geometries
    codes: list[str]
    names: list[str]
    attributes: dict[str, list[object]]
    damaged: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True)
class Zone:
    """All land of one zone code.

    Attributes:
        geometry: Polygon or MultiPolygon, valid, rounded, wound by the right-hand rule.
        polygons: how many of the source it was made from.
        attributes: the source's own, as far as all its polygons agree.
    """

    code: str
    name: str
    geometry: object
    polygons: int
    attributes: dict[str, object] = field(default_factory=dict)

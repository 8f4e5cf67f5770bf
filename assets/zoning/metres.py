"""Lengths and areas of geometries in degrees, in metres at the latitude where they lie."""

from typing import Self

import numpy as np
import shapely
from numpy.typing import NDArray

from assets.zoning.model import Geometries


class LocalMetres:
    """Metres per degree around one latitude; for a city the error is well below one in a thousand.

    The series are those of the WGS 84 ellipsoid.
    """

    def __init__(self, latitude: float) -> None:
        phi = np.radians(latitude)
        self.north = float(111132.92 - 559.82 * np.cos(2 * phi) + 1.175 * np.cos(4 * phi))
        self.east = float(111412.84 * np.cos(phi) - 93.5 * np.cos(3 * phi) + 0.118 * np.cos(5 * phi))

    @classmethod
    def around(cls, bounds: tuple[float, float, float, float]) -> Self:
        """Return the measure for the middle of west, south, east, north."""
        return cls((bounds[1] + bounds[3]) / 2)

    def areas(self, geometries: Geometries) -> NDArray[np.float64]:
        """Return areas in square metres."""
        return np.asarray(shapely.area(geometries) * self.north * self.east, np.float64)

    def widths(self, geometries: Geometries) -> NDArray[np.float64]:
        """Return mean widths in metres: twice the area by the outline, which for a strip is its width."""
        lengths = np.maximum(shapely.length(geometries) * self.mean, 1e-12)
        return np.asarray(2 * self.areas(geometries) / lengths, np.float64)

    @property
    def mean(self) -> float:
        """Metres per degree, north and east taken together: for lengths whose direction does not matter."""
        return float((self.north * self.east) ** 0.5)

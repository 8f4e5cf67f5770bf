"""A picture of a layer for the Dagster UI: its zones coloured, the largest named."""

import numpy as np
import shapely
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path as Outline

from assets.zoning.metres import LocalMetres
from assets.zoning.zones_table import BuiltZones

_NAMED = 24
_INCHES = 8.0


def picture_of(zones: BuiltZones, bounds: tuple[float, float, float, float]) -> Figure:
    """Return the layer as a map without a ground: as wide as it is at its latitude, north up."""
    west, south, east, north = bounds
    metres = LocalMetres.around(bounds)
    figure = Figure(figsize=(_INCHES, _INCHES), layout="constrained")
    axes = figure.add_subplot()
    colours = colormaps["turbo"](np.linspace(0.04, 0.96, max(len(zones.zones), 2)))
    # Neighbours in the order of codes, such as R1 and R2, get colours far apart.
    shuffled = np.random.default_rng(0).permutation(len(zones.zones))
    for place, geometry in enumerate(zones.simplified):
        outline = _outline(geometry)
        axes.add_patch(PathPatch(outline, facecolor=colours[shuffled[place]], edgecolor="none"))
    largest = np.argsort(-shapely.area(zones.geometries))[:_NAMED]
    handles = [Patch(color=colours[shuffled[place]], label=zones.codes[place]) for place in sorted(largest)]
    axes.legend(handles=handles, fontsize=7, ncols=2, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.set_xlim(west, east)
    axes.set_ylim(south, north)
    axes.set_aspect(metres.north / metres.east)
    axes.tick_params(labelsize=7)
    return figure


def _outline(geometry: shapely.Geometry) -> Outline:
    """Return all rings of polygons as one path, in which holes stay open."""
    rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(shapely.get_parts(geometry))]
    codes = [
        code
        for ring in rings
        for code in (Outline.MOVETO, *[Outline.LINETO] * (len(ring) - 2), Outline.CLOSEPOLY)
    ]
    return Outline(np.concatenate(rings), codes)

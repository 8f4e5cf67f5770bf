"""Build layers and compare them in confined processes: what a map may cost, and where GDAL runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from shapely.errors import GEOSException

from assets.confinement.bounds import MIB, Allowance
from assets.confinement.room import Confinement
from assets.confinement.worksheet import Worksheet
from assets.errors import ConfinementError, MalformedFileError
from assets.registry import Layer
from assets.zoning.build import build_layer
from assets.zoning.comparison import Compared, compare
from assets.zoning.drivers import surroundings
from assets.zoning.metres import LocalMetres
from assets.zoning.report import LayerReport
from assets.zoning.sources import LayerSource
from assets.zoning.topology import measure
from assets.zoning.zones_table import read_zones

MAP = Allowance(
    seconds=40,
    seconds_per_mib=0.5,
    memory=1_000 * MIB,
    memory_per_byte=16,
)
"""For reading, joining and measuring a map; the largest official ones seen take a fifth of it."""


def build_confined(
    pinned: Path, layer: Layer, destination: Path, *, built_at: datetime, allowance: Allowance = MAP
) -> LayerReport:
    """Build a layer as `build_layer` does, and measure how its zones fit into `topology.json`.

    Raises:
        MalformedFileError: the file cannot be used, takes more than a file of its size may, or crashes its
            reader; the message names it and says why.
        SourceError: nothing is pinned.
    """
    source = LayerSource.load(pinned)
    polygons = pinned / source.polygons
    confinement = Confinement(allowance.of(source.weight), environment=surroundings(polygons))
    try:
        return confinement.run(_build, pinned, layer, destination, built_at=built_at)
    except ConfinementError as error:
        raise MalformedFileError(polygons.name, error.reason) from error


def _build(
    sheet: Worksheet, pinned: Path, layer: Layer, destination: Path, *, built_at: datetime
) -> LayerReport:
    source = LayerSource.load(pinned)
    sheet.take_up(source.file, source.bytes)
    with _shapes_of(source.file):
        report = build_layer(pinned, layer, destination, built_at=built_at)
        zones = read_zones(destination)
        overlay = [layer.is_overlay(code) for code in zones.codes]
        measure(zones.geometries, zones.codes, overlay, LocalMetres.around(layer.bounds)).save(destination)
    return report


def compare_confined(
    built: Path, pinned: Path, layer: Layer, *, allowance: Allowance = MAP
) -> list[Compared]:
    """Compare a built layer with the second file that its source has; none where it has none.

    Raises:
        MalformedFileError: the second file cannot be used, as in `build_confined`.
    """
    source = LayerSource.load(pinned)
    if source.compare is None:
        return []
    path = pinned / source.compare
    confinement = Confinement(allowance.of(source.weight), environment=surroundings(path))
    try:
        return confinement.run(_compare, built, path, layer)
    except ConfinementError as error:
        raise MalformedFileError(path.name, error.reason) from error


def _compare(sheet: Worksheet, built: Path, path: Path, layer: Layer) -> list[Compared]:
    sheet.take_up(path.name, path.stat().st_size)
    with _shapes_of(path.name):
        return compare(read_zones(built), path, layer)


@contextmanager
def _shapes_of(file: str) -> Iterator[None]:
    """Give what GEOS cannot do with shapes as the failure of their file."""
    try:
        yield
    except GEOSException as error:
        if "bad_alloc" in str(error):
            raise MemoryError from error
        raise MalformedFileError(file, f"has shapes that cannot be joined: {error}") from error

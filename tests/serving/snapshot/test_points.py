"""Points in zones: against a brute-force check, at boundaries, and in broken tables."""

import random

import numpy as np
import pyarrow as pa
import pytest
import shapely

from serving.contract.errors import SnapshotCorruptError
from serving.contract.layers import POINTS
from serving.snapshot.points import PointIndex, metres_per_degree
from tests.serving.layers import write_points, write_table

WEST, SOUTH = -122.4, 37.5


def polygon(*corners, holes=()):
    return shapely.Polygon(
        [(WEST + x, SOUTH + y) for x, y in corners],
        [[(WEST + x, SOUTH + y) for x, y in hole] for hole in holes],
    )


def square(x, y, size):
    return polygon((x, y), (x + size, y), (x + size, y + size), (x, y + size))


def jagged(rng, x, y, size, corners):
    """A star of many corners, with a hole."""
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    radii = rng.uniform(0.4, 1, corners) * size
    outer = np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])
    turns = np.linspace(0, 2 * np.pi, 9)[:-1]
    hole = np.column_stack([x + 0.1 * size * np.cos(turns), y + 0.1 * size * np.sin(turns)])
    return shapely.make_valid(polygon(*outer, holes=[hole]))


def layer(seed):
    """Zones of one or more polygons that overlap here and leave gaps there."""
    rng = np.random.default_rng(seed)
    zones = []
    for number in range(60):
        x, y = rng.uniform(0, 0.1, 2)
        parts = [jagged(rng, x, y, rng.uniform(0.002, 0.02), int(rng.integers(4, 400)))]
        if number % 5 == 0:
            x, y = rng.uniform(0, 0.1, 2)
            parts.append(square(x, y, 0.004))
        zones.append(shapely.union_all([shapely.set_precision(part, 1e-6) for part in parts]))
    return zones


def find(index, x, y, metres=1.0):
    return index.find(longitude=WEST + x, latitude=SOUTH + y, within_metres=metres)


@pytest.fixture
def index_of(tmp_path):
    def make(*zones):
        write_points(tmp_path / "points.arrow", list(zones))
        return PointIndex(tmp_path / "points.arrow")

    return make


@pytest.mark.parametrize("seed", range(3))
def test_ten_thousand_points_agree_with_brute_force(index_of, seed):
    zones = layer(seed)
    index = index_of(*zones)
    rng = random.Random(seed)
    points = [(rng.uniform(-0.03, 0.13), rng.uniform(-0.03, 0.13)) for _ in range(10_000)]
    shapes = shapely.points([(WEST + x, SOUTH + y) for x, y in points])
    covered: dict[int, set[int]] = {place: set() for place in range(len(points))}
    for zone, geometry in enumerate(zones):
        for point in np.flatnonzero(shapely.covers(geometry, shapes)).tolist():
            covered[point].add(zone)
    found = [{hit.zone for hit in find(index, *point) if hit.covers} for point in points]
    assert found == list(covered.values())
    assert {0, 1, 2} <= {len(zones) for zones in found}


def test_corners_and_edges_are_covered_and_on_the_boundary(index_of):
    zones = layer(7)
    index = index_of(*zones)
    for zone, geometry in enumerate(zones):
        for longitude, latitude in shapely.get_coordinates(geometry)[::7]:
            hits = {
                hit.zone: hit for hit in index.find(longitude=longitude, latitude=latitude, within_metres=1)
            }
            assert hits[zone].covers
            assert hits[zone].metres == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("metres", [0.2, 0.9, 1.1, 5.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_distance_to_a_boundary_is_in_metres(index_of, metres, side):
    index = index_of(square(0, 0, 0.01))
    east, north = metres_per_degree(SOUTH + 0.005)
    for x, y in ((side * metres / east, 0.005), (0.005, side * metres / north)):
        hits = find(index, x, y)
        if metres > 1:
            assert [hit.metres for hit in hits] == ([None] if side > 0 else [])
        else:
            (hit,) = hits
            assert hit.covers is (side > 0)
            assert hit.metres == pytest.approx(metres, rel=0.01)


def test_boundaries_agree_with_brute_force(index_of):
    zones = layer(11)
    index = index_of(*zones)
    east, north = metres_per_degree(SOUTH + 0.05)
    scaled = [shapely.transform(shapely.boundary(zone), lambda xy: xy * (east, north)) for zone in zones]
    rng = random.Random(11)
    lines = [shapely.get_coordinates(zone) for zone in zones]
    for _ in range(300):
        corner = rng.choice(rng.choice(lines))
        longitude, latitude = (value + rng.uniform(-1e-4, 1e-4) for value in corner)
        hits = index.find(longitude=longitude, latitude=latitude, within_metres=5)
        there = shapely.Point(longitude * east, latitude * north)
        distances = [line.distance(there) for line in scaled]
        expected = {zone for zone, distance in enumerate(distances) if distance <= 5}
        sure = {zone for zone in expected if abs(distances[zone] - 5) > 0.02}
        told = {hit.zone: hit.metres for hit in hits if hit.metres is not None}
        assert sure <= told.keys() <= {zone for zone, distance in enumerate(distances) if distance <= 5.02}
        for zone, metres in told.items():
            assert metres == pytest.approx(distances[zone], rel=0.01, abs=0.001)


def test_two_parts_of_a_zone_are_one_hit(index_of):
    index = index_of(shapely.union_all([square(0, 0, 0.01), square(0.01, 0.01, 0.01)]), square(5, 5, 1))
    (hit,) = find(index, 0.01, 0.01)
    assert (hit.zone, hit.covers, hit.metres) == (0, True, pytest.approx(0, abs=1e-6))


def test_a_hole_is_outside(index_of):
    hole = [(0.04, 0.04), (0.06, 0.04), (0.06, 0.06), (0.04, 0.06)]
    index = index_of(polygon((0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1), holes=[hole]))
    assert find(index, 0.05, 0.05) == []
    assert [hit.covers for hit in find(index, 0.04 - 1e-7, 0.05)] == [True]


def test_a_layer_without_polygons_has_no_zones(index_of):
    assert find(index_of(), 0, 0) == []


@pytest.mark.parametrize(
    ("wkb", "told"), [(b"nonsense", "no geometry"), (shapely.to_wkb(shapely.Point(1, 2)), "no polygons")]
)
def test_what_is_no_polygon_is_refused(tmp_path, wkb, told):
    batch = pa.record_batch([pa.array([0], pa.int32()), pa.array([wkb], pa.large_binary())], schema=POINTS)
    write_table(tmp_path / "points.arrow", batch)
    with pytest.raises(SnapshotCorruptError, match=told):
        PointIndex(tmp_path / "points.arrow")


def test_a_point_well_inside_is_in_the_largest_polygon(index_of):
    corners = [(0.002, 0.002), (0.018, 0.002), (0.018, 0.018), (0.002, 0.018)]
    hollow = polygon((0, 0), (0.02, 0), (0.02, 0.02), (0, 0.02), holes=[corners])
    index = index_of(square(0.05, 0.05, 0.001), hollow)
    latitude, longitude = index.inner_point()
    (hit,) = index.find(longitude=longitude, latitude=latitude, within_metres=1)
    assert (hit.zone, hit.covers, hit.metres) == (1, True, None)

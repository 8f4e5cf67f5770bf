"""Maps that cannot be used: each fails with a message that names the file and the cause."""

import gzip
import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import shapely

from assets.errors import MalformedFileError, RegistryError, SourceError
from assets.registry.layers import layer_entry
from assets.zoning.sources import LayerSource, pin_layer, verify_layer
from assets.zoning.validate import polygons_are_whole
from serving.contract.errors import LawError
from tests.assets.zoning.layers import BOUNDS, frame, layer, square, town, write
from tests.assets.zoning.test_build import NOW, as_zip, built

Maker = Callable[[Path], Path]


def wrong_crs(folder: Path) -> Path:
    return as_zip(town().to_crs("EPSG:32624").set_crs("EPSG:32610", allow_override=True), folder, "town.shp")


def feet_called_degrees(folder: Path) -> Path:
    return write(town().to_crs("EPSG:3857").set_crs("EPSG:4326", allow_override=True), folder / "town.gpkg")


def swapped(folder: Path) -> Path:
    polygons = town()
    polygons.geometry = polygons.geometry.map(
        lambda shape: shapely.Polygon([(y, x) for x, y in shape.exterior.coords])
    )
    return write(polygons, folder / "town.geojson")


def no_crs(folder: Path) -> Path:
    path = write(town(), folder / "town.shp")
    path.with_suffix(".prj").unlink()
    return path


def no_field(folder: Path) -> Path:
    return write(town().rename(columns={"zone": "district"}), folder / "town.geojson")


def cut_shapefile(folder: Path) -> Path:
    path = write(town(), folder / "town.shp")
    path.write_bytes(path.read_bytes()[:-60])
    return path


def cut_table(folder: Path) -> Path:
    path = write(town(), folder / "town.shp")
    table = path.with_suffix(".dbf")
    table.write_bytes(table.read_bytes()[:-80])
    return path


def no_table(folder: Path) -> Path:
    path = write(town(), folder / "town.shp")
    path.with_suffix(".dbf").unlink()
    return path


def rows_differ(folder: Path) -> Path:
    path = write(town(), folder / "town.shp")
    table = path.with_suffix(".dbf")
    content = bytearray(table.read_bytes())
    content[4:8] = struct.pack("<I", 2)
    table.write_bytes(bytes(content))
    return path


def cut_geojson(folder: Path) -> Path:
    path = write(town(), folder / "town.geojson")
    path.write_bytes(path.read_bytes()[:-300])
    return path


def cut_zip(folder: Path) -> Path:
    path = as_zip(town(), folder, "town.shp")
    path.write_bytes(path.read_bytes()[:-200])
    return path


def cut_gzip(folder: Path) -> Path:
    path = folder / "town.geojson.gz"
    content = write(town(), folder / "town.geojson").read_bytes()
    path.write_bytes(gzip.compress(content)[:-40])
    return path


def empty_file(folder: Path) -> Path:
    path = folder / "town.geojson"
    path.write_bytes(b"")
    return path


def no_features(folder: Path) -> Path:
    return write(town().iloc[:0], folder / "town.geojson")


def empty_shapes(folder: Path) -> Path:
    return write(frame([("R1", shapely.Polygon())]), folder / "town.geojson")


def points(folder: Path) -> Path:
    polygons = town()
    polygons.geometry = polygons.geometry.map(lambda shape: shape.centroid)
    return write(polygons, folder / "town.geojson")


def one_far_away(folder: Path) -> Path:
    return write(frame([("R1", square(0, 0)), ("R1", square(5_000, 0))]), folder / "town.geojson")


def no_number(folder: Path) -> Path:
    return replaced(folder, b"-40.0", b"NaN")


def bad_utf8(folder: Path) -> Path:
    return replaced(folder, b"R1", b"R\xff")


def unknown_crs(folder: Path) -> Path:
    return replaced(folder, b"OGC:1.3:CRS84", b"EPSG::999999")


def replaced(folder: Path, old: bytes, new: bytes) -> Path:
    path = write(town(), folder / "town.geojson")
    content = path.read_bytes().replace(b'"features"', b'"more": -40.0, "features"')
    assert old in content
    path.write_bytes(content.replace(old, new))
    return path


def crs_of_another_place(folder: Path) -> Path:
    return write(town().to_crs("EPSG:3435"), folder / "town.gpkg")


def zip_of_another_version(folder: Path) -> Path:
    return changed_zip(folder, 6, b"\x63")


def zip_of_another_method(folder: Path) -> Path:
    return changed_zip(folder, 10, b"\x63")


def zip_of_bad_names(folder: Path) -> Path:
    path = changed_zip(folder, 9, b"\x08")
    path.write_bytes(path.read_bytes().replace(b"town.shx", b"t\xffwn.shx"))
    return path


def changed_zip(folder: Path, offset: int, value: bytes) -> Path:
    """Return a zip with one byte of its last entry's listing changed."""
    path = as_zip(town(), folder, "town.shp")
    content = bytearray(path.read_bytes())
    place = content.rindex(b"PK\x01\x02") + offset
    content[place : place + 1] = value
    path.write_bytes(bytes(content))
    return path


def not_a_map(folder: Path) -> Path:
    path = folder / "town.geojson"
    path.write_text('{"type": "Topology"}', encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("make", "file", "cause"),
    [
        (wrong_crs, "town.shp", "its CRS, or its place, is wrong"),
        (feet_called_degrees, "town.gpkg", "its CRS is wrong; set `crs`"),
        (swapped, "town.geojson", "axes swapped"),
        (no_crs, "town.shp", "does not say what its coordinates are in"),
        (no_field, "town.geojson", "has no field 'zone'; it has district, parcel, city"),
        (cut_shapefile, "town.shp", "was cut off"),
        (cut_table, "town.dbf", "was cut off"),
        (no_table, "town.shp", "has no .dbf beside it"),
        (rows_differ, "town.shp", "has 4 shapes and 2 rows"),
        (cut_geojson, "town.geojson", "cannot be read"),
        (cut_zip, "map.zip", "no zip archive that can be read"),
        (cut_gzip, "town.geojson.gz", "cut off"),
        (empty_file, "town.geojson", "is empty"),
        (no_features, "town.geojson", "is empty"),
        (empty_shapes, "town.geojson", "is empty"),
        (points, "town.geojson", "shapes such as Point"),
        (one_far_away, "town.geojson", "has 1 of 2 polygons outside the bounds"),
        (not_a_map, "town.geojson", "cannot be read"),
        (no_number, "town.geojson", "cannot be read: NaN is no number"),
        (bad_utf8, "town.geojson", "is not UTF-8"),
        (unknown_crs, "town.geojson", "names a CRS that no register knows: 'urn:ogc:def:crs:EPSG::999999'"),
        (crs_of_another_place, "town.gpkg", "its CRS is wrong; set `crs`"),
        (zip_of_another_version, "map.zip", "no zip archive that can be read"),
        (zip_of_another_method, "map.zip", "is packed by method 99"),
        (zip_of_bad_names, "map.zip", "no zip archive that can be read"),
    ],
)
def test_a_map_that_cannot_be_used_says_why(tmp_path: Path, make: Maker, file: str, cause: str) -> None:
    with pytest.raises(MalformedFileError) as failed:
        built(make(tmp_path), tmp_path)
    assert failed.value.message.startswith(f"{file}: ")
    assert cause in failed.value.message


def test_a_map_without_any_zone_code_fails(tmp_path: Path) -> None:
    with pytest.raises(MalformedFileError, match="no polygon with a zone code"):
        built(write(frame([(None, square(0, 0))]), tmp_path / "town.geojson"), tmp_path)


def drawn(*rings: Sequence[Sequence[object]]) -> dict[str, object]:
    return {"type": "Polygon", "coordinates": list(rings)}


def test_damaged_polygons_are_counted_and_warned_of_with_an_example(tmp_path: Path) -> None:
    whole = [[-40.0, 30.0], [-39.99, 30.0], [-39.99, 30.01], [-40.0, 30.01], [-40.0, 30.0]]
    words: list[list[object]] = [["x", 30.0], [-39.99, 30.0], [-39.99, 30.01], ["x", 30.0]]
    line = [[-40.0, 30.0], [-39.99, 30.0], [-40.0, 30.0], [-40.0, 30.0]]
    shapes = [drawn(whole), drawn(words), drawn(whole, words), None, drawn(line)]
    features = [{"type": "Feature", "properties": {"zone": "R1"}, "geometry": shape} for shape in shapes]
    path = tmp_path / "town.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    report, _ = built(path, tmp_path)
    verdict = polygons_are_whole(report)
    assert verdict.passed
    assert [(finding.code, finding.message) for finding in verdict.findings] == [
        (
            "damaged",
            "2 polygons are damaged: left out, or drawn without a part, as polygon 2 (zone R1), polygon 3 (zone R1).",
        ),
        (
            "no_extent",
            "2 polygons have no extent and are left out, as polygon 4 (zone R1), polygon 5 (zone R1).",
        ),
    ]


def test_what_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        pin_layer(tmp_path / "town.zip", layer(), tmp_path / "pinned", retrieved_at=NOW)
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "readme.txt").write_text("none", encoding="utf-8")
    with pytest.raises(SourceError, match="holds no file of the forms"):
        pin_layer(tmp_path / "given", layer(), tmp_path / "pinned", retrieved_at=NOW)
    with pytest.raises(SourceError, match=r"nothing that fits '\*.gpkg'"):
        pin_layer(tmp_path / "given", layer(file="*.gpkg"), tmp_path / "pinned", retrieved_at=NOW)


def test_several_maps_are_not_chosen_from_but_the_newest_by_name(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    for name in ("zoning-2024-01-01.geojson", "zoning-2025-06-30.geojson"):
        write(town(), given / name)
    with pytest.raises(SourceError, match="2 files that may be the polygons"):
        pin_layer(given, layer(), tmp_path / "pinned", retrieved_at=NOW)
    dated = layer(date_pattern=r"(\d{4}-\d{2}-\d{2})")
    source = pin_layer(given, dated, tmp_path / "pinned", retrieved_at=NOW)
    assert (source.file, source.date) == ("zoning-2025-06-30.geojson", "2025-06-30")


def test_a_failed_pin_keeps_what_was_pinned(tmp_path: Path) -> None:
    good = pin_layer(write(town(), tmp_path / "town.gpkg"), layer(), tmp_path / "pinned", retrieved_at=NOW)
    with pytest.raises(LawError):
        pin_layer(cut_zip(tmp_path), layer(), tmp_path / "pinned", retrieved_at=NOW)
    assert LayerSource.load(tmp_path / "pinned") == good == verify_layer(tmp_path / "pinned")


def test_changed_files_are_noticed(tmp_path: Path) -> None:
    source = pin_layer(write(town(), tmp_path / "t.geojson"), layer(), tmp_path / "pinned", retrieved_at=NOW)
    (tmp_path / "pinned" / source.polygons).write_bytes(b"{}")
    with pytest.raises(SourceError, match="have changed"):
        verify_layer(tmp_path / "pinned")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bounds": [30, -40, 31, 190]}, "bounds"),
        ({"date": None}, "neither date nor date_pattern"),
        (
            {"aliases": [{"code": "A", "reviewed_by": "Ada", "evidence": "x"}]},
            "needs either identifier or same_as",
        ),
        (
            {"aliases": [{"code": "A", "reviewed_by": "Ada", "evidence": " ", "same_as": "B"}]},
            "needs evidence and reviewed_by",
        ),
        ({"zonefield": "x"}, "zonefield"),
    ],
)
def test_an_entry_that_contradicts_itself_is_refused(changes: dict[str, object], message: str) -> None:
    entry = {
        "short_code": "sample-city",
        "name": "Zoning",
        "zone_field": "zone",
        "date": "2026-07-01",
        "bounds": BOUNDS,
        "publisher": "p",
        "license": "l",
    }
    with pytest.raises(RegistryError, match=message) as failed:
        layer_entry(entry | changes)
    assert "sample-city" in failed.value.message

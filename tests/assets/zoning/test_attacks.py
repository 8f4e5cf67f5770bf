"""Maps that would have the build read what it was not given: each is refused, and nothing else is opened.

A server on loopback counts the requests it gets, and a file beside the map holds a secret that no answer may hold.
"""

import json
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import shapely

from serving.contract.errors import LawError
from tests.assets.zoning.layers import frame, square, town, write
from tests.assets.zoning.test_build import built

SECRET = "hunter2"


@dataclass
class Surroundings:
    """What lies around a map: a server, and a secret that the process may read."""

    address: str
    secret: Path
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def around(tmp_path: Path) -> Iterator[Surroundings]:
    """A server that notes each request, and a secret file."""

    class Noting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            surroundings.asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(TOWN.encode())

        do_HEAD = do_POST = do_GET  # noqa: N815 - the library's names

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Noting)
    secret = tmp_path / "secret.csv"
    secret.write_text(f'zone,wkt\n{SECRET},"{square(0, 0).wkt}"\n', encoding="utf-8")
    surroundings = Surroundings(f"http://127.0.0.1:{server.server_port}", secret)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield surroundings
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def features(**more: Any) -> dict[str, Any]:
    """Return the town as a document, with more members."""
    shapes = [("R1", square(0, 0)), ("C1", square(2, 0))]
    listed = [
        {"type": "Feature", "properties": {"zone": code}, "geometry": json.loads(shapely.to_geojson(shape))}
        for code, shape in shapes
    ]
    return {"type": "FeatureCollection", **more, "features": listed}


TOWN = json.dumps(features())


def linked(url: str, kind: str = "link") -> dict[str, Any]:
    return {"type": kind, "properties": {"href": url, "url": url, "type": "ogcwkt"}}


def vrt(around: Surroundings) -> str:
    return f"""<OGRVRTDataSource><OGRVRTLayer name="secret"><SrcDataSource>{around.secret}</SrcDataSource>
<GeometryType>wkbPolygon</GeometryType><LayerSRS>EPSG:4326</LayerSRS>
<GeometryField encoding="WKT" field="wkt"/></OGRVRTLayer></OGRVRTDataSource>"""


def vrt_of_address(around: Surroundings) -> str:
    return vrt(around).replace(str(around.secret), f"/vsicurl/{around.address}/town.geojson")


def wfs(around: Surroundings) -> str:
    return f"<OGRWFSDataSource><URL>{around.address}/wfs?SERVICE=WFS</URL></OGRWFSDataSource>"


def pipeline(around: Surroundings) -> str:
    command = f"gdal vector pipeline ! read {around.secret} ! set-geom-type --geometry-type POLYGON"
    return json.dumps({"type": "gdal_streamed_alg", "command_line": command})


def pipeline_of_address(around: Surroundings) -> str:
    command = f"gdal vector pipeline ! read /vsicurl/{around.address}/town.geojson ! write stream"
    return json.dumps({"type": "gdal_streamed_alg", "command_line": command})


def services(around: Surroundings) -> str:
    links = [
        {"rel": rel, "href": f"{around.address}/{rel}", "type": "application/json"}
        for rel in ("data", "self", "conformance")
    ]
    return json.dumps({"title": "x", "links": links, "collections": []})


def table(around: Surroundings) -> str:
    return around.secret.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("disguise", "form"),
    [
        *((disguise, "geojson") for disguise in (vrt, vrt_of_address, wfs, pipeline, pipeline_of_address)),
        *((disguise, "geojson") for disguise in (services, table)),
        *((vrt, form) for form in ("json", "zip", "gpkg", "shp")),
        (wfs, "gpkg"),
    ],
)
def test_a_document_of_another_form_is_refused_whatever_its_name(
    tmp_path: Path, around: Surroundings, disguise: Any, form: str
) -> None:
    path = tmp_path / f"town.{form}"
    if form == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("town.geojson", disguise(around))
            archive.writestr("secret.csv", around.secret.read_bytes())
    else:
        if form == "shp":
            write(town(), path)
        path.write_text(disguise(around), encoding="utf-8")
    with pytest.raises(LawError) as failed:
        built(path, tmp_path)
    assert failed.value.message.startswith("town.")
    assert SECRET not in failed.value.message
    assert around.asked == []


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        *((kind, "document") for kind in ("link", "url", "OGC", "EPSG")),
        *(("url", place) for place in ("feature", "geometry", "escaped")),
    ],
)
def test_a_linked_crs_is_dropped(tmp_path: Path, around: Surroundings, kind: str, place: str) -> None:
    crs = linked(f"{around.address}/crs", kind)
    document = features(crs=crs) if place in {"document", "escaped"} else features()
    for feature in document["features"]:
        if place in {"feature", "geometry"}:
            (feature if place == "feature" else feature["geometry"])["crs"] = crs
    text = json.dumps(document)
    if place == "escaped":
        text = text.replace('"crs"', '"\\u0063r\\u0073"').replace("http://", "http:\\/\\/")
    path = tmp_path / "town.geojson"
    path.write_text(text, encoding="utf-8")
    _, zones = built(path, tmp_path)
    assert zones.codes == ["C1", "R1"]
    assert around.asked == []


def test_a_crs_that_is_given_twice_is_refused(tmp_path: Path, around: Surroundings) -> None:
    text = json.dumps(features(crs=linked(f"{around.address}/crs")))
    path = tmp_path / "town.geojson"
    named = '"crs": {"type": "name", "properties": {"name": "EPSG:4326"}}, "crs"'
    path.write_text(text.replace('"crs"', named), encoding="utf-8")
    with pytest.raises(
        LawError, match=r"town\.geojson: cannot be read: an object has the member 'crs' twice"
    ):
        built(path, tmp_path)
    assert around.asked == []


@pytest.mark.parametrize(
    "name",
    [
        "{address}/crs",
        "urn:ogc:def:crs:EPSG::999999",
        "+proj=longlat +datum=WGS84 +nadgrids={secret}",
        "+init={secret}:1",
        "{secret}",
        "/vsicurl/{address}/crs",
    ],
)
def test_a_crs_of_no_register_is_refused(tmp_path: Path, around: Surroundings, name: str) -> None:
    named = name.format(address=around.address, secret=around.secret)
    path = tmp_path / "town.geojson"
    path.write_text(
        json.dumps(features(crs={"type": "name", "properties": {"name": named}})), encoding="utf-8"
    )
    with pytest.raises(LawError, match=r"town\.geojson: .*(CRS|crs)"):
        built(path, tmp_path)
    assert around.asked == []


@pytest.mark.parametrize("grid", ["{secret}", "{address}/grid.gsb"])
def test_a_crs_that_names_a_grid_file_is_refused(tmp_path: Path, around: Surroundings, grid: str) -> None:
    named = SHIFTED.replace("GRID", grid.format(secret=around.secret, address=around.address))
    define = (
        f"update gpkg_spatial_ref_sys set organization = 'NONE', definition = '{named}' where srs_id = 4326"
    )
    with pytest.raises(LawError, match=r"town\.gpkg: names a CRS that leads to another file"):
        built(hostile(tmp_path / "town.gpkg", define), tmp_path)
    assert around.asked == []


@pytest.mark.parametrize("named", ["{secret}", "file://{secret}", "{address}/crs", "+init={secret}:1"])
def test_a_projection_file_that_names_another_says_nothing(
    tmp_path: Path, around: Surroundings, named: str
) -> None:
    path = write(town(), tmp_path / "town.shp")
    text = named.format(secret=around.secret, address=around.address)
    path.with_suffix(".prj").write_text(text, encoding="utf-8")
    with pytest.raises(LawError, match=r"town\.shp: does not say what its coordinates are in"):
        built(path, tmp_path)
    assert around.asked == []


def hostile(path: Path, *statements: str) -> Path:
    """Run SQL over a good GeoPackage."""
    write(town(), path)
    with sqlite3.connect(path) as database:
        for name in ("ST_IsEmpty", "ST_MinX", "ST_MaxX", "ST_MinY", "ST_MaxY"):
            database.create_function(name, 1, lambda value: 0)
        for (trigger,) in database.execute(
            "select name from sqlite_master where type = 'trigger'"
        ).fetchall():
            database.execute(f'drop trigger "{trigger}"')
        database.execute("pragma writable_schema = on")
        for statement in statements:
            database.execute(statement)
    database.close()
    return path


SHIFTED = (
    'BOUNDCRS[SOURCECRS[GEOGCRS["x",DATUM["x",ELLIPSOID["x",6378000,298.1]],CS[ellipsoidal,2],AXIS["lat",north],'
    'AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]],TARGETCRS[GEOGCRS["WGS 84",DATUM['
    '"World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["lat",north],'
    'AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]],ABRIDGEDTRANSFORMATION["x",METHOD["NTv2"],'
    'PARAMETERFILE["Latitude and longitude difference file","GRID"]]]'
)
ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select "
GPKG = {
    "a view in place of the table": (
        "alter table town rename to other",
        f"create view town as {ENDLESS} fid, geom, zone, parcel, city from other, n",
    ),
    "a view in place of the contents": (
        "alter table gpkg_contents rename to other",
        f"create view gpkg_contents as {ENDLESS} other.* from other, n",
    ),
    "another file as a table": (
        "insert into sqlite_master (type, name, tbl_name, rootpage, sql) values ('table', 'secret', 'secret', 0, "
        "'CREATE VIRTUAL TABLE secret USING VirtualOGR(''{secret}'', 0, ''secret'')')",
        "create view more as select * from secret",
    ),
    "a raster of an address": (
        "create view more as select gdal_get_pixel_value('/vsicurl/{address}/x.tif', 1, 'pixel', 0, 0) as v",
    ),
}


@pytest.mark.parametrize("name", list(GPKG))
def test_a_geopackage_with_sql_of_its_own_is_refused(tmp_path: Path, around: Surroundings, name: str) -> None:
    statements = [sql.format(secret=around.secret, address=around.address) for sql in GPKG[name]]
    path = hostile(tmp_path / "town.gpkg", *statements)
    with pytest.raises(LawError, match=r"town\.gpkg: holds SQL of its own") as failed:
        built(path, tmp_path)
    assert SECRET not in failed.value.message
    assert around.asked == []


def test_a_trigger_never_runs(tmp_path: Path) -> None:
    path = hostile(
        tmp_path / "town.gpkg",
        "create trigger gone after insert on town begin delete from town; end",
        "create trigger gone2 after update on gpkg_contents begin delete from gpkg_contents; end",
    )
    before = path.read_bytes()
    _, zones = built(path, tmp_path)
    assert zones.codes == ["C1", "R1"]
    assert (tmp_path / "pinned" / "polygons" / "town.gpkg").read_bytes() == before
    assert [found.name for found in (tmp_path / "pinned" / "polygons").iterdir()] == ["town.gpkg"]


def test_a_journal_is_neither_read_nor_left_behind(tmp_path: Path) -> None:
    path = write(town(), tmp_path / "town.gpkg")
    database = sqlite3.connect(path)
    database.execute("pragma journal_mode = wal")
    database.close()
    _, zones = built(path, tmp_path)
    assert zones.codes == ["C1", "R1"]
    assert [found.name for found in (tmp_path / "pinned" / "polygons").iterdir()] == ["town.gpkg"]


def test_links_beside_a_shapefile_are_not_followed(tmp_path: Path, around: Surroundings) -> None:
    path = write(town(), tmp_path / "town.shp")
    path.with_suffix(".prj").unlink()
    path.with_suffix(".prj").symlink_to(around.secret)
    with pytest.raises(LawError, match=r"town\.prj is a link"):
        built(path, tmp_path)
    assert not (tmp_path / "pinned").exists()


@pytest.mark.parametrize("name", ["/vsicurl/{address}/town.geojson", "http://{host}/town.geojson"])
def test_an_address_is_no_file(tmp_path: Path, around: Surroundings, name: str) -> None:
    given = name.format(address=around.address, host=around.address.removeprefix("http://"))
    with pytest.raises(LawError, match="does not exist"):
        built(Path(given), tmp_path)
    assert around.asked == []


def test_names_that_gdal_would_take_for_addresses_are_plain_names(
    tmp_path: Path, around: Surroundings
) -> None:
    folder = tmp_path / "vsicurl" / "http:" / "x!y"
    folder.mkdir(parents=True)
    for name in ("a!b.geojson", "zip:x.geojson", "GPKG:x.geojson", "a?b=c#d.geojson"):
        path = folder / name
        path.write_text(TOWN, encoding="utf-8")
        into = tmp_path / f"out-{len(name)}-{name[0]}"
        into.mkdir()
        _, zones = built(path, into)
        assert zones.codes == ["C1", "R1"]


def test_a_good_town_still_builds(tmp_path: Path) -> None:
    _, zones = built(write(frame([("R1", square(0, 0))]), tmp_path / "town.geojson"), tmp_path)
    assert zones.codes == ["R1"]

"""Hostile shapefiles and GeoPackages: good ones, with bytes and statements that lie."""

import random
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.assets.zoning.layers import frame, square, write
from tests.hostile.case import LARGEST, Case

Change = Callable[[bytearray], bytes | bytearray]


def corpus() -> list[Case]:
    """Return all cases of shapefiles and GeoPackages."""
    return [
        *(Case(f"shapefile {name}", "map", _shapefile(changes)) for name, changes in SHAPEFILES.items()),
        *(
            Case(f"geopackage {name}", "map", _geopackage(statements))
            for name, statements in STATEMENTS.items()
        ),
        *(Case(f"geopackage {name}", "map", _damaged(change)) for name, change in DAMAGE.items()),
    ]


def _town(path: Path) -> Path:
    shapes = [("R1", square(0, 0)), ("R1", square(1, 0)), ("C1", square(2, 0)), ("C1", square(5, 5))]
    return write(frame(shapes), path)


def _shapefile(changes: dict[str, Change]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = _town(folder / "map.shp")
        for suffix, change in changes.items():
            part = path.with_suffix(suffix)
            content = part.read_bytes() if part.exists() else b""
            part.write_bytes(bytes(change(bytearray(content))))
        return path

    return make


def put(offset: int, form: str, *values: float | bytes) -> Change:
    def change(content: bytearray) -> bytearray:
        struct.pack_into(form, content, offset, *values)
        return content

    return change


def all_of(*changes: Change) -> Change:
    def change(content: bytearray) -> bytes:
        for one in changes:
            content = bytearray(one(content))
        return bytes(content)

    return change


def flips(seed: int, count: int = 12, start: int = 0) -> Change:
    def change(content: bytearray) -> bytearray:
        chance = random.Random(seed)
        for _ in range(count):
            content[chance.randrange(start, len(content))] ^= 1 << chance.randrange(8)
        return content

    return change


def text(words: str) -> Change:
    return lambda content: words.encode()


def wide_table(content: bytearray) -> bytes:
    """Return a table of 4,000 rows that says it has two million, each of 60,000 bytes."""
    return (
        bytes(content[:4])
        + struct.pack("<IHH", 2_000_000, struct.unpack("<H", content[8:10])[0], 60_000)
        + bytes(content[12:])
    )


_FIRST = 100  # of a shape's record in the .shp
_COUNTS = _FIRST + 8 + 36  # its parts and points, after type and box
_FIELDS = 32  # of the .dbf

SHAPEFILES: dict[str, dict[str, Change]] = {
    "as it should be": {},
    "magic wrong": {".shp": put(0, ">i", 1)},
    "length huge": {".shp": put(24, ">i", 2**31 - 1)},
    "length negative": {".shp": put(24, ">i", -1)},
    "length short": {".shp": put(24, ">i", 60)},
    "type of points": {".shp": put(32, "<i", 1)},
    "type unknown": {".shp": put(32, "<i", 99)},
    "type of patches": {".shp": put(32, "<i", 31)},
    "box of nan": {".shp": put(36, "<4d", *[float("nan")] * 4)},
    "record length huge": {".shp": put(_FIRST + 4, ">i", 2**31 - 1)},
    "record length zero": {".shp": put(_FIRST + 4, ">i", 0)},
    "record length negative": {".shp": put(_FIRST + 4, ">i", -5)},
    "record number wrong": {".shp": put(_FIRST, ">i", 77)},
    "record of points": {".shp": put(_FIRST + 8, "<i", 1)},
    "record null": {".shp": put(_FIRST + 8, "<i", 0)},
    "parts huge": {".shp": put(_COUNTS, "<i", 2**31 - 1)},
    "parts 50,000,000": {".shp": put(_COUNTS, "<i", 50_000_000)},
    "parts negative": {".shp": put(_COUNTS, "<i", -1)},
    "parts zero": {".shp": put(_COUNTS, "<i", 0)},
    "points huge": {".shp": put(_COUNTS + 4, "<i", 2**31 - 1)},
    "points 50,000,000": {".shp": put(_COUNTS + 4, "<i", 50_000_000)},
    "points negative": {".shp": put(_COUNTS + 4, "<i", -1)},
    "part beyond the points": {".shp": put(_COUNTS + 8, "<i", 1_000_000)},
    "part negative": {".shp": put(_COUNTS + 8, "<i", -1)},
    "coordinate nan": {".shp": put(_COUNTS + 12, "<d", float("nan"))},
    "coordinate infinite": {".shp": put(_COUNTS + 12, "<d", float("inf"))},
    "coordinate 1e308": {".shp": put(_COUNTS + 12, "<d", 1e308)},
    "index cut": {".shx": lambda content: content[:-4]},
    "index empty": {".shx": lambda content: b""},
    "index of header": {".shx": lambda content: content[:100]},
    "index beyond": {".shx": put(100, ">i", 2**31 - 1)},
    "index negative": {".shx": put(100, ">i", -(2**31))},
    "index of one record": {".shx": lambda content: content[:100] + content[100:108] * 4},
    "index length huge": {".shx": put(104, ">i", 2**31 - 1)},
    "table rows huge": {".dbf": put(4, "<I", 2**32 - 1)},
    "table rows zero": {".dbf": put(4, "<I", 0)},
    "table header zero": {".dbf": put(8, "<H", 0)},
    "table header huge": {".dbf": put(8, "<H", 65_535)},
    "table row zero": {".dbf": put(10, "<H", 0)},
    "table row one": {".dbf": put(10, "<H", 1)},
    "table wide": {".dbf": wide_table},
    "table field type unknown": {".dbf": put(_FIELDS + 11, "c", b"?")},
    "table field type memo": {".dbf": put(_FIELDS + 11, "c", b"M")},
    "table field type date": {".dbf": put(_FIELDS + 11, "c", b"D")},
    "table field type number": {".dbf": put(_FIELDS + 11, "c", b"N")},
    "table field type logical": {".dbf": put(_FIELDS + 11, "c", b"L")},
    "table field width zero": {".dbf": put(_FIELDS + 16, "B", 0)},
    "table field width huge": {".dbf": put(_FIELDS + 16, "B", 255)},
    "table name of noise": {".dbf": put(_FIELDS, "11s", b"\xff\xfe\x00zone\x01\x02\x03\x04")},
    "table of noise": {".dbf": lambda content: content[:200] + random.Random(5).randbytes(500_000)},
    "table cut": {".dbf": lambda content: content[:-90]},
    "table empty": {".dbf": lambda content: b""},
    "table deleted": {".dbf": lambda content: content.replace(b" R1", b"*R1")},
    "projection empty": {".prj": text("")},
    "projection of noise": {".prj": lambda content: random.Random(6).randbytes(100_000)},
    "projection nested": {".prj": text("GEOGCS[" * 100_000)},
    "projection deep": {".prj": text('GEOGCS["x",' + "A[" * 60_000 + "]" * 60_000 + "]")},
    "projection of 1.9 MB": {".prj": text('GEOGCS["' + "x" * 1_900_000 + '"]')},
    "projection of a file": {".prj": text("/etc/passwd")},
    "projection of an address": {".prj": text("http://127.0.0.1:9/crs")},
    "projection of another place": {
        ".prj": text(
            'PROJCS["x",GEOGCS["x",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",1e308],PARAMETER["Scale_Factor",0],UNIT["Meter",0]]'
        )
    },
    "encoding unknown": {".cpg": text("KLINGON-7")},
    "encoding of 1 MB": {".cpg": text("x" * 1_000_000)},
    "encoding utf-16": {".cpg": text("UTF-16")},
    **{f"bytes flipped, {seed}": {".shp": flips(seed, start=100)} for seed in range(8)},
    **{f"table bytes flipped, {seed}": {".dbf": flips(seed)} for seed in range(6)},
    **{f"index bytes flipped, {seed}": {".shx": flips(seed)} for seed in range(4)},
}


def _geopackage(statements: list[str]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = _town(folder / "map.gpkg")
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            for name in ("ST_IsEmpty", "ST_MinX", "ST_MaxX", "ST_MinY", "ST_MaxY"):
                database.create_function(name, 1, lambda value: 0, deterministic=True)
            triggers = database.execute("select name from sqlite_master where type = 'trigger'").fetchall()
            for (trigger,) in triggers:
                database.execute(f'drop trigger "{trigger}"')
            database.execute("pragma writable_schema = on")
            for statement in statements:
                database.execute(statement)
        return path

    return make


def _damaged(change: Change) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = _town(folder / "map.gpkg")
        path.write_bytes(bytes(change(bytearray(path.read_bytes()))))
        return path

    return make


_ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n)"
_HEAD = "x'47500001e6100000'"  # of a geometry in WGS 84 without an envelope


def _blob(body: str) -> list[str]:
    return [f"update map set geom = cast({_HEAD} || {body} as blob) where fid = 1"]


STATEMENTS: dict[str, list[str]] = {
    "as it should be": [],
    "endless view as table": [
        "alter table map rename to other",
        f"create view map as {_ENDLESS} select other.* from other, n",
    ],
    "endless view as contents": [
        "alter table gpkg_contents rename to other",
        f"create view gpkg_contents as {_ENDLESS} select other.* from other, n",
    ],
    "endless view as systems": [
        "alter table gpkg_spatial_ref_sys rename to other",
        f"create view gpkg_spatial_ref_sys as {_ENDLESS} select other.* from other, n",
    ],
    "view of itself": [
        "create view a as select 1 as x",
        "update sqlite_master set sql = 'CREATE VIEW a AS SELECT * FROM a' where name = 'a'",
    ],
    "view of pictures": ["create view a as select readfile('/etc/passwd') as x"],
    "virtual table of a file": [
        "insert into sqlite_master (type, name, tbl_name, rootpage, sql) values ('table', 'a', 'a', 0, 'CREATE VIRTUAL TABLE a USING VirtualOGR(''/etc/passwd'')')"
    ],
    "virtual table disguised": [
        "insert into sqlite_master (type, name, tbl_name, rootpage, sql) values ('table', 'a', 'a', 0, '  create /* USING rtree( */ virtual table a using VirtualOGR(''/etc/passwd'')')"
    ],
    "trigger": ["create trigger t after insert on map begin delete from map; end"],
    "generated gigabyte": [
        "alter table map add column zone2 text generated always as (printf('%.*c', 900000000, 'x')) virtual"
    ],
    "generated zeros": [
        "alter table map add column zone2 blob generated always as (zeroblob(1000000000)) virtual"
    ],
    "generated hex": [
        "alter table map add column zone2 text generated always as (hex(hex(hex(zeroblob(60000000))))) virtual"
    ],
    "generated replacements": [
        "alter table map add column zone2 text generated always as (length(replace(hex(zeroblob(20000000)), '0', hex(zeroblob(20))))) virtual"
    ],
    "generated pattern": [
        f"alter table map add column zone2 text generated always as (('{'a' * 400}') glob '{'*a' * 40}b') virtual"
    ],
    "blob of 1.9 MB": ["update map set zone = zeroblob(1900000) where fid = 1"],
    "zones as blobs": ["update map set zone = x'00ff00ff'"],
    "zones as numbers": ["update map set zone = 1e308"],
    "zones null": ["update map set zone = null"],
    "geometry null": ["update map set geom = null where fid = 1"],
    "geometry of text": ["update map set geom = 'POLYGON' where fid = 1"],
    "geometry of head alone": [f"update map set geom = {_HEAD} where fid = 1"],
    "geometry of zeros": ["update map set geom = zeroblob(1900000) where fid = 1"],
    "geometry of noise": [
        "update map set geom = randomblob(0) || x'4750ffffffffffffffffffffff' where fid = 1"
    ],
    "geometry of 4,294,967,295 rings": _blob("x'0103000000ffffffff'"),
    "geometry of 4,294,967,295 points": _blob("x'010300000001000000ffffffff'"),
    "geometry of 200,000,000 points": _blob("x'01030000000100000000c2eb0b'"),
    "geometry of 100,000,000 parts": _blob("x'010600000000e1f505'"),
    "geometry of nothing": _blob("x'010300000000000000'"),
    "geometry of collections": [
        f"update map set geom = cast({_HEAD} || x'{'010700000001000000' * 60_000}' as blob) where fid = 1"
    ],
    "geometry of 40 collections": [
        f"update map set geom = cast({_HEAD} || x'{'010700000001000000' * 40}' as blob) where fid = 1"
    ],
    "geometry of curves": _blob("x'010a00000001000000'"),
    "geometry of nan": _blob(f"x'01030000000100000004000000{'000000000000f87f' * 8}'"),
    "geometry of 1e308": _blob(f"x'01030000000100000004000000{'a0c8eb85f3cce17f' * 8}'"),
    "no contents": ["delete from gpkg_contents"],
    "no geometry columns": ["delete from gpkg_geometry_columns"],
    "no systems": ["delete from gpkg_spatial_ref_sys"],
    "no table": ["drop table map"],
    "table renamed in contents": ["update gpkg_contents set table_name = 'other'"],
    "two layers": [
        "create table other (fid integer primary key, geom blob)",
        "insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('other', 'features', 'other', 4326)",
    ],
    "no rows": ["delete from map"],
    "geometry type of lies": ["update gpkg_geometry_columns set geometry_type_name = 'POINT'"],
    "system unknown": [
        "update gpkg_geometry_columns set srs_id = 77",
        "update gpkg_contents set srs_id = 77",
    ],
    "system of noise": [
        "update gpkg_spatial_ref_sys set organization = 'NONE', definition = 'GEOGCS[' where srs_id = 4326"
    ],
    "system of a file": [
        "update gpkg_spatial_ref_sys set organization = 'NONE', definition = '/etc/passwd' where srs_id = 4326"
    ],
    "system deep": [
        f"update gpkg_spatial_ref_sys set organization = 'NONE', definition = 'GEOGCS[\"x\",{'A[' * 60_000}' where srs_id = 4326"
    ],
    "bounds of lies": ["update gpkg_contents set min_x = 1e308, max_x = -1e308"],
    "extension unknown": [
        "create table if not exists gpkg_extensions (table_name text, column_name text, extension_name text, definition text, scope text)",
        "insert into gpkg_extensions values ('map', 'geom', 'gpkg_geom_CURVE', 'x', 'read-write')",
    ],
    "metadata of 1.9 MB": [
        "create table gpkg_metadata (id integer primary key, md_scope text, md_standard_uri text, mime_type text, metadata text)",
        "insert into gpkg_metadata values (1, 'dataset', 'x', 'text/xml', hex(zeroblob(900000)))",
    ],
    "200 tables": [f"create table t{n} (a)" for n in range(200)],
    "300 columns": [f"alter table map add column c{n} text default 'x'" for n in range(300)],
    "9,000 rows on one another": [
        f"insert into map (geom, zone) {_ENDLESS} select geom, 'Z' || n.i from n, map where map.fid = 1 limit 9000"
    ],
    "journal ahead": ["pragma journal_mode = wal"],
    "schema of nonsense": ["update sqlite_master set sql = 'CREATE TABLE map (' where name = 'map'"],
    "root page of another": ["update sqlite_master set rootpage = 1 where name = 'map'"],
    "root page beyond": ["update sqlite_master set rootpage = 99999 where name = 'map'"],
}

DAMAGE: dict[str, Change] = {
    "head alone": lambda content: content[:100],
    "magic alone": lambda content: content[:16],
    "cut": lambda content: content[: len(content) // 2],
    "page size of one": put(16, ">H", 1),
    "page size wrong": put(16, ">H", 513),
    "page count of lies": put(28, ">I", 2**32 - 1),
    "encoding unknown": put(56, ">I", 9),
    "noise behind its head": lambda content: content[:100] + random.Random(9).randbytes(LARGEST - 100),
    "a schema of lies": put(44, ">I", 99),
    **{f"bytes flipped, {seed}": flips(seed, 200, start=100) for seed in range(10)},
}

"""Hostile GeoJSON: documents that are none, numbers that are none, and shapes made to be costly."""

import json
import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.hostile.case import LARGEST, Case, of_bytes

WEST, SOUTH = -40.0, 30.0
Point = tuple[float, float]


def corpus() -> list[Case]:
    """Return all cases of GeoJSON."""
    return [
        of_bytes(f"geojson {name}", "map", "map.geojson", content)
        for name, content in {**DOCUMENTS, **MEMBERS, **SHAPES, **SYSTEMS}.items()
    ]


def point(x: float, y: float) -> list[float]:
    """Return a place in the town: `x` and `y` between 0 and 1 over some kilometres."""
    return [round(WEST + 0.05 * x, 7), round(SOUTH + 0.05 * y, 7)]


SQUARE = [[point(0, 0), point(0.1, 0), point(0.1, 0.1), point(0, 0.1), point(0, 0)]]
GOOD = {"type": "Polygon", "coordinates": SQUARE}


def feature(geometry: Any, zone: Any = "R1") -> dict[str, Any]:
    return {"type": "Feature", "properties": {"zone": zone}, "geometry": geometry}


def document(features: Iterable[Any], **members: Any) -> bytes:
    return json.dumps({"type": "FeatureCollection", **members, "features": list(features)}).encode()


def polygon(*rings: Sequence[Sequence[float]]) -> dict[str, Any]:
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]] for ring in rings]}


def with_geometry(geometry: Any) -> Callable[[], bytes]:
    other = {
        "type": "Polygon",
        "coordinates": [[point(x, y) for x, y in ((0.5, 0.5), (0.6, 0.5), (0.6, 0.6), (0.5, 0.5))]],
    }
    return lambda: document([feature(geometry), feature(other, "C1"), feature(other | {}, "R1")])


def raw(text: str) -> Callable[[], bytes]:
    """Return a document with `text` in the place of the coordinates."""
    return lambda: document([feature("GEOMETRY")]).replace(
        b'"GEOMETRY"', f'{{"type": "Polygon", "coordinates": {text}}}'.encode()
    )


def number(text: str) -> Callable[[], bytes]:
    return raw(f"[[[{text}, 30.0], [-39.99, 30.0], [-39.99, 30.01], [{text}, 30.0]]]")


def nested(depth: int) -> Callable[[], bytes]:
    return raw("[" * depth + "]" * depth)


def collections(depth: int) -> Callable[[], bytes]:
    def content() -> bytes:
        geometry = json.dumps(GOOD)
        text = '{"type": "GeometryCollection", "geometries": [' * depth + geometry + "]}" * depth
        return document([feature("GEOMETRY")]).replace(b'"GEOMETRY"', text.encode())

    return content


GOOD_TEXT = document([feature(GOOD)])

DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "white space": lambda: b" \n" * 500_000,
    "one brace": lambda: b"{",
    "null": lambda: b"null",
    "a string": lambda: b'"FeatureCollection"',
    "a list of documents": lambda: b"[" + GOOD_TEXT + b"]",
    "two documents": lambda: GOOD_TEXT * 2,
    "a document a line": lambda: b"\n".join([json.dumps(feature(GOOD)).encode()] * 50),
    "record separators": lambda: b"\x1e" + b"\n\x1e".join([json.dumps(feature(GOOD)).encode()] * 50),
    "cut": lambda: GOOD_TEXT[:-20],
    "cut in a number": lambda: document([feature(GOOD)] * 5000)[:400_003],
    "comments": lambda: b"/* law */" + GOOD_TEXT,
    "single quotes": lambda: GOOD_TEXT.replace(b'"', b"'"),
    "trailing commas": lambda: GOOD_TEXT.replace(b"]}", b",]}"),
    "a call": lambda: b"loadGeoJSON(" + GOOD_TEXT + b");",
    "byte order mark": lambda: b"\xef\xbb\xbf" + GOOD_TEXT,
    "two byte order marks": lambda: b"\xef\xbb\xbf" * 2 + GOOD_TEXT,
    "utf-16": lambda: GOOD_TEXT.decode().encode("utf-16"),
    "utf-16 without a mark": lambda: GOOD_TEXT.decode().encode("utf-16-le"),
    "utf-32": lambda: GOOD_TEXT.decode().encode("utf-32"),
    "bad utf-8 in a value": lambda: GOOD_TEXT.replace(b"R1", b"R\xff\xfe"),
    "bad utf-8 in a name": lambda: GOOD_TEXT.replace(b'"zone"', b'"zo\xc3ne", "zone"'),
    "overlong utf-8": lambda: GOOD_TEXT.replace(b"R1", b"\xc0\xaf"),
    "lone surrogate": lambda: GOOD_TEXT.replace(b"R1", b"\\ud800"),
    "surrogate in utf-8": lambda: GOOD_TEXT.replace(b"R1", b"\xed\xa0\x80"),
    "nul in a value": lambda: GOOD_TEXT.replace(b"R1", b"R\\u0000X"),
    "nul bytes": lambda: GOOD_TEXT.replace(b"R1", b"R\x00X"),
    "all nul": lambda: b"\0" * LARGEST,
    "noise": lambda: random.Random(1).randbytes(LARGEST),
    "noise in braces": lambda: (
        b'{"type": "FeatureCollection", "features": [' + random.Random(2).randbytes(900_000)
    ),
    "topology": lambda: b'{"type": "Topology", "objects": {}, "arcs": []}',
    "esri json": lambda: b'{"geometryType": "esriGeometryPolygon", "features": [], "fields": []}',
    "a pipeline": lambda: (
        b'{"type": "gdal_streamed_alg", "command_line": "gdal vector pipeline ! read /etc/passwd"}'
    ),
    "a lone feature": lambda: json.dumps(feature(GOOD)).encode(),
    "a lone polygon": lambda: json.dumps(GOOD).encode(),
    "html": lambda: b"<!DOCTYPE html><html><body>404</body></html>",
    "xml entities": lambda: (
        b'<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><OGRVRTDataSource>&c;</OGRVRTDataSource>'
    ),
    "one string": lambda: b'"' + b"x" * (LARGEST - 2) + b'"',
    "one number": lambda: b"1" * LARGEST,
    "deep 500": nested(500),
    "deep 5,000": nested(5_000),
    "deep 900,000": nested(900_000),
    "open 900,000": lambda: b"[" * 900_000,
    "open objects": lambda: b'{"a":' * 350_000,
    "deep properties": lambda: GOOD_TEXT.replace(b'"R1"', b"[" * 800 + b"]" * 800),
    "collections 5": collections(5),
    "collections 300": collections(300),
    "collections 20,000": collections(20_000),
}


def properties(value: str) -> Callable[[], bytes]:
    return lambda: GOOD_TEXT.replace(b'{"zone": "R1"}', value.encode())


def features(value: bytes) -> Callable[[], bytes]:
    return lambda: b'{"type": "FeatureCollection", "features": ' + value + b"}"


MEMBERS: dict[str, Callable[[], bytes]] = {
    **{
        f"features are {name}": features(text)
        for name, text in {
            "an object": b"{}",
            "a string": b'"x"',
            "null": b"null",
            "nulls": b"[null, null]",
            "numbers": b"[1, 2]",
            "lists": b"[[], []]",
            "empty": b"[]",
            "empty objects": b"[" + b"{}," * 400_000 + b"{}]",
            "without geometry": b'[{"type": "Feature", "properties": {"zone": "R1"}}]',
        }.items()
    },
    **{
        f"properties are {name}": properties(text)
        for name, text in {
            "null": "null",
            "a list": "[]",
            "a string": '"zone"',
            "many": "{" + ",".join(f'"f{n}": {n}' for n in range(60_000)) + ', "zone": "R1"}',
            "a zone of 1.9 MB": '{"zone": "' + "x" * 1_900_000 + '"}',
            "a zone of controls": '{"zone": "\\u001b[31m\\u202e\\u0000<script>"}',
            "a list as zone": '{"zone": ["R1"]}',
            "an object as zone": '{"zone": {"a": {"b": 1}}}',
            "a huge number as zone": '{"zone": 1e308}',
            "a number of 4,000 digits as zone": '{"zone": ' + "9" * 4_000 + "}",
            "a number of 100,000 digits as zone": '{"zone": ' + "9" * 100_000 + "}",
            "true as zone": '{"zone": true}',
            "zone twice": '{"zone": "R1", "zone": "R2"}',
            "zone as geometry": '{"zone": "R1", "geometry": "x", "parcel": NaN}',
        }.items()
    },
    "zones of all kinds": lambda: document(
        feature(GOOD, zone) for zone in (1, "1", 1.5, True, None, [1], {"a": 1}, "R")
    ),
    "10,000 zones": lambda: document(
        feature(polygon(*[[point(0, 0), point(0.01, 0), point(0, 0.01)]]), f"Z{n}") for n in range(10_000)
    ),
    "type twice": lambda: GOOD_TEXT.replace(
        b'"type": "FeatureCollection"', b'"type": "Topology", "type": "FeatureCollection"'
    ),
    "features twice": lambda: GOOD_TEXT.replace(b'"features"', b'"features": [], "features"'),
    "coordinates twice": lambda: GOOD_TEXT.replace(b'"coordinates"', b'"coordinates": [], "coordinates"'),
    "a name of 1.9 MB": lambda: document([feature(GOOD)], name="n" * 1_900_000),
    "a name that is a path": lambda: document([feature(GOOD)], name="/vsicurl/http://127.0.0.1:9/x"),
    "a bbox of lies": lambda: document([feature(GOOD)], bbox=[1e308, -1e308, "x", None]),
}


def ring(count: int, x: float = 0.5, y: float = 0.5, reach: float = 0.4, step: int = 1) -> list[list[float]]:
    turn = 2 * math.pi * step / count
    return [point(x + reach * math.cos(turn * n), y + reach * math.sin(turn * n)) for n in range(count)]


def spiral(count: int, turns: int) -> list[list[float]]:
    """Return a spiral that closes across all its turns."""
    return [
        point(
            0.5 + 0.4 * n / count * math.cos(2 * math.pi * turns * n / count),
            0.5 + 0.4 * n / count * math.sin(2 * math.pi * turns * n / count),
        )
        for n in range(count)
    ]


def scribble(count: int, seed: int = 3) -> list[list[float]]:
    chance = random.Random(seed)
    return [point(chance.random(), chance.random()) for _ in range(count)]


def comb(teeth: int, *, upright: bool) -> list[list[float]]:
    """Return a comb of thin teeth: two that cross have as many crossings as the square of their teeth."""
    places = [(0.0, 0.0), (1.0, 0.0)]
    for tooth in range(teeth, 0, -1):
        x = tooth / (teeth + 1)
        places += [
            (x + 0.2 / teeth, 0.01),
            (x + 0.2 / teeth, 1.0),
            (x - 0.2 / teeth, 1.0),
            (x - 0.2 / teeth, 0.01),
        ]
    return [point(x, y) if upright else point(y, x) for x, y in places]


def tiny(count: int, x: float, y: float, size: float = 1e-5) -> list[list[list[float]]]:
    del count
    return [[point(x, y), point(x + size, y), point(x, y + size), point(x, y)]]


def grid(side: int) -> Iterable[list[list[list[float]]]]:
    return (tiny(0, column / side, row / side, 0.4 / side) for row in range(side) for column in range(side))


def crossing_combs(teeth: int, first: str, second: str) -> Callable[[], bytes]:
    return lambda: document(
        [
            feature(polygon(comb(teeth, upright=True)), first),
            feature(polygon(comb(teeth, upright=False)), second),
        ]
    )


def fan(count: int) -> Iterable[dict[str, Any]]:
    """Return triangles that meet in one point, of three zones in turn."""
    around = ring(count)
    for n in range(count - 1):
        yield feature(polygon([point(0.5, 0.5), *around[n : n + 2]]), f"Z{n % 3}")


def stacked(count: int, zone: Callable[[int], str]) -> Callable[[], bytes]:
    """Return polygons that all lie on one another."""
    return lambda: document(
        feature(polygon([point(0, 0), point(0.5, n / count), point(1, 1), point(n / count, 1)]), zone(n))
        for n in range(count)
    )


SHAPES: dict[str, Callable[[], bytes]] = {
    **{
        f"number {name[:20]}": number(name)
        for name in (
            "NaN",
            "Infinity",
            "-Infinity",
            "1e999",
            "-1e999",
            "1e308",
            "-1e308",
            "5e-324",
            "0x10",
            "01",
            "1e",
            ".5",
            "+1",
            '"x"',
            "null",
            "true",
            "{}",
            "[]",
            "1e-400",
        )
    },
    "number of 4,000 digits": number("9" * 4_000),
    "number of 990,000 digits": number("9" * 990_000),
    "number of 990,000 decimals": number("-39." + "9" * 990_000),
    **{
        f"geometry {name}": with_geometry(geometry)
        for name, geometry in {
            "a string": "x",
            "a list": [],
            "empty": {},
            "without coordinates": {"type": "Polygon"},
            "of no type": {"type": "Circle", "coordinates": [0, 0]},
            "a point": {"type": "Point", "coordinates": point(0, 0)},
            "a line": {"type": "LineString", "coordinates": SQUARE[0]},
            "an empty polygon": {"type": "Polygon", "coordinates": []},
            "an empty ring": {"type": "Polygon", "coordinates": [[]]},
            "flat": {"type": "Polygon", "coordinates": SQUARE[0]},
            "too deep": {"type": "Polygon", "coordinates": [SQUARE]},
            "one point": {"type": "Polygon", "coordinates": [[point(0, 0)]]},
            "two points": {"type": "Polygon", "coordinates": [[point(0, 0), point(1, 1)]]},
            "one place": {"type": "Polygon", "coordinates": [[point(0, 0)] * 50_000]},
            "open": {"type": "Polygon", "coordinates": [SQUARE[0][:-1]]},
            "flat as a line": {
                "type": "Polygon",
                "coordinates": [[point(0, 0), point(1, 0), point(0.5, 0), point(0, 0)]],
            },
            "of many dimensions": {
                "type": "Polygon",
                "coordinates": [[[*place, 1, 2, 3, 4, 5] for place in SQUARE[0]]],
            },
            "of mixed dimensions": {
                "type": "Polygon",
                "coordinates": [[place + [1] * (n % 3) for n, place in enumerate(SQUARE[0])]],
            },
            "of one number each": {"type": "Polygon", "coordinates": [[[place[0]] for place in SQUARE[0]]]},
            "hole outside": polygon(SQUARE[0][:-1], [point(0.8, 0.8), point(0.9, 0.8), point(0.9, 0.9)]),
            "hole that is its shell": {"type": "Polygon", "coordinates": SQUARE * 2},
            "hole larger than its shell": polygon(SQUARE[0][:-1], ring(8)),
            "holes within holes": polygon(*[ring(6, reach=0.4 / n) for n in range(1, 3_000)]),
            "20,000 rings on one another": {
                "type": "Polygon",
                "coordinates": [[point(0, 0), point(0.5, 0), point(0, 0.5), point(0, 0)]] * 18_000,
            },
            "shells on one another": {"type": "MultiPolygon", "coordinates": [SQUARE] * 12_000},
            "17,000 holes": {
                "type": "Polygon",
                "coordinates": [
                    [
                        point(-0.1, -0.1),
                        point(1.1, -0.1),
                        point(1.1, 1.1),
                        point(-0.1, 1.1),
                        point(-0.1, -0.1),
                    ],
                    *(part[0] for part in grid(130)),
                ],
            },
            "a string in a hole": {
                "type": "Polygon",
                "coordinates": [*SQUARE, [["x", 1], [1, 2], [2, 3], ["x", 1]]],
            },
            "a string in a part": {
                "type": "MultiPolygon",
                "coordinates": [SQUARE, [[["x", 1], [1, 2], [2, 3], ["x", 1]]]],
            },
            "bow": polygon([point(0, 0), point(1, 1), point(1, 0), point(0, 1)]),
            "beyond the poles": polygon([[-40, 89], [-40, 91], [-39, 91]]),
            "over the date line": polygon([[179, 30], [181, 30], [181, 31]]),
            "half the world": polygon([[-180, -90], [180, -90], [180, 90], [-180, 90]]),
            "of hairs": polygon([point(n / 5_000, (n % 2) * 1e-6) for n in range(30_000)]),
        }.items()
    },
    "grid of 10,000 polygons": lambda: document(
        feature({"type": "Polygon", "coordinates": part}) for part in grid(100)
    ),
    "17,000 parts": lambda: document([feature({"type": "MultiPolygon", "coordinates": list(grid(130))})]),
    "spiral of 50 turns": lambda: document([feature(polygon(spiral(60_000, 50)))]),
    "spiral of 5,000 turns": lambda: document([feature(polygon(spiral(70_000, 5_000)))]),
    "spiral of 20,000 turns": lambda: document([feature(polygon(spiral(75_000, 20_000)))]),
    "star of 1,001 points": lambda: document([feature(polygon(ring(1_001, step=500)))]),
    "star of 10,001 points": lambda: document([feature(polygon(ring(10_001, step=5_000)))]),
    "star of 70,001 points": lambda: document([feature(polygon(ring(70_001, step=35_000)))]),
    "star of 70,001 points, wide": lambda: document([feature(polygon(ring(70_001, step=101)))]),
    "scribble of 500": lambda: document([feature(polygon(scribble(500)))]),
    "scribble of 5,000": lambda: document([feature(polygon(scribble(5_000)))]),
    "scribble of 70,000": lambda: document([feature(polygon(scribble(70_000)))]),
    "scribbles of 100 zones": lambda: document(
        feature(polygon(scribble(100, n)), f"Z{n}") for n in range(100)
    ),
    "scribbles of one zone": lambda: document(feature(polygon(scribble(60, n))) for n in range(1_000)),
    "combs of one zone": crossing_combs(7_000, "R1", "R1"),
    "combs of two zones": crossing_combs(7_000, "R1", "C1"),
    "small combs of two zones": crossing_combs(700, "R1", "C1"),
    "comb and its like": lambda: document(
        [feature(polygon(comb(7_000, upright=True)), zone) for zone in ("R1", "C1")]
    ),
    "9,000 on one another, a zone each": stacked(9_000, lambda n: f"Z{n}"),
    "9,000 on one another, one zone": stacked(9_000, lambda n: "R1"),
    "800 on one another, a zone each": stacked(800, lambda n: f"Z{n}"),
    "circles on one another": lambda: document(
        feature(polygon(ring(200, 0.5 + n / 3_000, 0.5)), f"Z{n % 7}") for n in range(300)
    ),
    "fan": lambda: document(fan(9_000)),
}


def crs(value: Any) -> Callable[[], bytes]:
    return lambda: document([feature(GOOD)], crs=value)


def named(name: Any) -> Callable[[], bytes]:
    return crs({"type": "name", "properties": {"name": name}})


SYSTEMS: dict[str, Callable[[], bytes]] = {
    **{
        f"crs {str(name)[:30]}": named(name)
        for name in (
            "EPSG:4326",
            "EPSG:3857",
            "EPSG:32610",
            "EPSG:3435",
            "EPSG:999999",
            "EPSG:-1",
            "OGC:CRS84",
            "ESRI:102100",
            "",
            None,
            4326,
            "urn:ogc:def:crs:EPSG::5703",
            "/etc/passwd",
            "+proj=longlat +nadgrids=/etc/passwd",
            "http://127.0.0.1:9/crs",
            "urn:ogc:def:crs,crs:EPSG::4326,crs:EPSG::5703",
        )
    },
    "crs of 1.9 MB": named("EPSG:" + "4" * 1_900_000),
    "crs linked": crs({"type": "link", "properties": {"href": "http://127.0.0.1:9/crs"}}),
    "crs of a file": crs({"type": "url", "properties": {"url": "/etc/passwd"}}),
    "crs a string": crs("EPSG:4326"),
    "crs null": crs(None),
    "crs empty": crs({}),
    "crs of lists": crs({"type": ["name"], "properties": [{"name": "EPSG:4326"}]}),
}

"""Zoning layers and the zones at a point, over the application."""

import json

import pytest

from serving.responses.held_bodies import HeldBodies
from serving.services.snapshots import SnapshotHolder
from tests.serving.layers import SOUTH, WEST, SampleLayer, SampleZone, add_layers, square

LAYER = "/api/v1/gis/sample-city"
AT = f"{LAYER}/at"


def point(x, y):
    return {"lat": f"{SOUTH + y:.6f}", "lon": f"{WEST + x:.6f}"}


def codes(zones):
    return [zone["zoneCode"] for zone in zones]


@pytest.fixture
def at(client):
    return lambda x, y: client.get(AT, params=point(x, y)).json


def test_a_layer_costs_five_credits(client, body):
    result = client.get(LAYER)
    assert (result.status_code, result.headers["x-credits-cost"]) == (200, "5")
    layer = result.json
    assert (layer["shortCode"], layer["status"], layer["citationQuality"]) == (
        "sample-city",
        "published",
        "linked",
    )
    assert layer["featureCount"] == len(layer["geojson"]["features"]) == 3
    for feature in layer["geojson"]["features"]:
        node = client.get(f"/api/v1/node/{feature['properties']['nodeId']}")
        assert node.json["citation"] == feature["properties"]["citation"]


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_layer_has_a_strong_tag_for_each_encoding(client, decoded, encoding):
    result = client.get(LAYER, headers={"Accept-Encoding": encoding})
    assert result.headers.get("content-encoding", "identity") == encoding
    assert json.loads(decoded(result)) == client.get(LAYER).json
    tag = result.headers["etag"]
    assert tag.startswith('"')
    assert tag.endswith('-gzip"') is (encoding == "gzip")
    assert result.headers["vary"] == "Accept-Encoding, Accept, Authorization"
    assert result.headers["cache-control"] == "private, no-cache"
    again = client.get(LAYER, headers={"Accept-Encoding": encoding, "If-None-Match": tag})
    assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")


@pytest.mark.parametrize("encoding", ["identity", "gzip", "zstd"])
def test_a_layer_as_geojson_alone(client, decoded, encoding):
    headers = {"Accept": "application/geo+json", "Accept-Encoding": encoding}
    result = client.get(LAYER, headers=headers)
    assert (result.status_code, result.headers["x-credits-cost"]) == (200, "5")
    assert result.headers["content-type"] == "application/geo+json"
    assert result.headers.get("content-encoding", "identity") == encoding
    assert json.loads(decoded(result)) == client.get(LAYER).json["geojson"]
    whole = client.get(LAYER, headers={"Accept-Encoding": encoding})
    assert result.headers["etag"] != whole.headers["etag"]
    again = client.get(LAYER, headers=headers | {"If-None-Match": result.headers["etag"]})
    assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")


@pytest.mark.parametrize("capacity", [1 << 20, 0], ids=["held", "in pieces"])
def test_a_large_body_is_sent_whole(client, snapshot, monkeypatch, capacity):
    monkeypatch.setattr("serving.responses.bodies.WHOLE", 100)
    monkeypatch.setattr("serving.responses.bodies._PIECE", 100)
    monkeypatch.setattr("serving.responses.bodies._held", HeldBodies(capacity))
    body = snapshot.layers.find("sample-city").answer.plain
    for _ in range(2):
        result = client.get(LAYER, headers={"Accept-Encoding": "identity"})
        assert (result.content, result.headers["content-length"]) == (body, str(len(body)))


def test_short_codes_are_read_in_any_case(client):
    assert client.get("/api/v1/gis/Sample-CITY").json == client.get(LAYER).json
    assert client.get("/api/v1/gis/sample city (invented)").json == client.get(LAYER).json
    assert (
        client.get("/api/v1/gis/Sample-CITY/at", params=point(0.001, 0.001)).json["shortCode"]
        == "sample-city"
    )


@pytest.mark.parametrize("suffix", ["", "/at"])
@pytest.mark.parametrize("code", ["s", "sample_city", "-city", "x" * 65, "1"])
def test_what_is_no_short_code_is_422(client, code, suffix):
    result = client.get(f"/api/v1/gis/{code}{suffix}", params=point(0, 0) if suffix else {})
    assert (result.status_code, result.json["parameter"]) == (422, "shortCode")


@pytest.mark.parametrize("suffix", ["", "/at"])
def test_an_unknown_layer_is_404_with_the_nearest(client, suffix):
    params = point(0, 0) if suffix else {}
    near = client.get(f"/api/v1/gis/sample-citty{suffix}", params=params)
    assert (near.status_code, near.json["error"], near.json["kind"]) == (404, "not_found", "layer")
    assert "did you mean sample-city" in near.json["message"]
    far = client.get(f"/api/v1/gis/zz{suffix}", params=params)
    assert "there are sample-city, sample-town." in far.json["message"]
    assert far.headers["x-credits-cost"] == "0"


@pytest.mark.parametrize("path", [LAYER, AT])
def test_head_is_405(client, path):
    assert client.request("HEAD", path).status_code == 405


@pytest.mark.parametrize("path", [LAYER, AT])
def test_another_scope_is_403(client, new_customer, path):
    key = new_customer(scopes=["search", "node", "browse"]).key
    result = client.get(path, params=point(0, 0) if path == AT else {}, key=key)
    assert (result.status_code, result.json["error"]) == (403, "insufficient_scope")


def test_a_point_has_its_zones_base_first(client):
    result = client.get(AT, params=point(0.007, 0.007))
    assert (result.status_code, result.headers["x-credits-cost"]) == (200, "1")
    found = result.json
    assert codes(found["zones"]) == ["R-1", "HN"]
    assert [zone["overlay"] for zone in found["zones"]] == [False, True]
    homes = found["zones"][0]
    assert (homes["citation"], homes["heading"], homes["link"]) == ("City Code § 1", "Harbor noise", "linked")
    assert client.get(f"/api/v1/node/{homes['nodeId']}").status_code == 200
    assert (found["reason"], found["onBoundary"], found["acrossBoundary"]) == (None, False, [])
    assert (found["layerDate"], found["codeDate"], found["mapCodeSkewDays"]) == (
        "2024-05-01",
        "2026-10-31",
        913,
    )
    assert found["note"] == (
        "The map is of 2024-05-01 and the code is current through 2026-10-31: land that was rezoned since has "
        "its former zone here. Ask the city for its present map."
    )
    assert (found["lat"], found["lon"]) == (SOUTH + 0.007, WEST + 0.007)


def test_on_a_boundary_both_sides_are_told(at):
    # Half a metre and a bit from the edge between homes and commerce, on the side of the homes.
    found = at(0.009994, 0.001)
    assert codes(found["zones"]) == ["R-1"]
    assert codes(found["acrossBoundary"]) == ["C-1"]
    assert found["onBoundary"] is found["zones"][0]["onBoundary"] is True
    assert found["boundaryToleranceMeters"] == 1.0
    assert found["zones"][0]["boundaryDistanceMeters"] == pytest.approx(0.53, abs=0.02)
    farther = at(0.00998, 0.001)
    assert (codes(farther["zones"]), farther["acrossBoundary"]) == (["R-1"], [])
    assert (farther["onBoundary"], farther["zones"][0]["boundaryDistanceMeters"]) == (False, None)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        (0.005, 0.0045, "no_zone"),  # the court inside of the homes
        (0.018, 0.012, "no_zone"),
        (0.031, 0.001, "outside_layer"),
        (-10, 4, "outside_layer"),
    ],
)
def test_where_no_zone_is_none_is_guessed(at, x, y, reason):
    found = at(x, y)
    assert (found["zones"], found["acrossBoundary"], found["reason"]) == ([], [], reason)


def test_a_pending_layer_says_so(client):
    params = {"lat": str(SOUTH + 1.005), "lon": str(WEST + 1.005)}
    found = client.get("/api/v1/gis/sample-town/at", params=params).json
    assert (found["citationQuality"], found["stale"]) == ("pending", True)
    assert (found["codeDate"], found["mapCodeSkewDays"], found["note"]) == (None, None, None)
    (zone,) = found["zones"]
    assert (zone["link"], zone["nodeId"], zone["reason"]) == ("placeholder", None, "no code is held")


@pytest.mark.parametrize(
    ("lat", "lon", "parameter", "told"),
    [
        ("91", "0", "lat", "swapped"),
        ("-122.4", "37.5", "lat", "only be a longitude"),
        ("181", "0", "lat", "from -90 to 90"),
        ("0", "180.1", "lon", "from -180 to 180"),
        ("north", "0", "lat", "37.5629"),
        ("1e3", "0", "lat", "from -90 to 90"),
        ("nan", "0", "lat", "from -90 to 90"),
        ("1", "2,5", "lon", "written as"),
    ],
)
def test_what_is_no_point_is_422(client, lat, lon, parameter, told):
    result = client.get(AT, params={"lat": lat, "lon": lon})
    assert (result.status_code, result.json["parameter"]) == (422, parameter)
    assert told in result.json["message"]


def test_a_point_is_needed(client):
    assert client.get(AT).json["parameter"] == "lat"
    assert client.get(AT, params={"lat": "1"}).json["parameter"] == "lon"


def test_axes_that_are_swapped_within_range_are_422(client_over, publisher, law):
    snapshot = publisher.publish(law)
    # A city in the far south-east: both of its coordinates could be a latitude.
    zone = SampleZone("R-1", "Homes", square(162.4 - 90, -80, 0.01))
    add_layers(publisher.workspace.snapshots / snapshot, [SampleLayer("sample-city", [zone])])
    holder = SnapshotHolder(publisher.workspace.snapshots)
    holder.refresh()
    client = client_over(holder)
    right = {"lat": f"{SOUTH - 79.999:.4f}", "lon": f"{WEST + 72.401:.4f}"}
    assert codes(client.get(AT, params=right).json["zones"]) == ["R-1"]
    result = client.get(AT, params={"lat": right["lon"], "lon": right["lat"]})
    assert (result.status_code, result.json["parameter"]) == (422, "lat")
    assert "seem swapped" in result.json["message"]
    assert result.headers["x-credits-cost"] == "0"
    holder.close()


def test_a_look_up_has_a_weak_tag(client):
    first = client.get(AT, params=point(0.007, 0.007))
    assert first.headers["etag"].startswith('W/"')
    again = client.get(AT, params=point(0.007, 0.007), headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")
    other = client.get(AT, params=point(0.007, 0.0071), headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200

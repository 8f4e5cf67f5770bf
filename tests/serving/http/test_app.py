"""What all answers share: errors, request ids, CORS, methods, readiness."""

import json
import logging
import re
import shutil
from pathlib import Path

import pytest

from serving.contract.errors import DamagedFileError, StoreUnavailableError
from serving.services.snapshots import SnapshotHolder
from tests.serving.manifests import edit_manifest

PATHS = [
    "/api/v1/search",
    "/api/v1/node/x",
    "/api/v1/resolve",
    "/api/v1/code-bodies",
    "/api/v1/browse",
    "/api/v1/gis/sample-city",
    "/api/v1/gis/sample-city/at",
    "/api/v1/coverage",
]
EVERY = [
    *(*PATHS, "/api/v1/quality", "/api/v1/corrections", "/api/v1/downloads"),
    *("/api/v1/downloads/2026.11.21-1/us-sample/provisions.parquet", "/api/v1/openapi.json"),
    *("/health", "/ready"),
]


@pytest.mark.parametrize("path", EVERY)
def test_unknown_parameter_is_422_everywhere(client, path):
    result = client.get(path, params={"colour": "red"})
    assert (result.status_code, result.json["parameter"]) == (422, "colour")


@pytest.mark.parametrize("path", EVERY)
def test_key_in_the_query_is_401_and_is_not_repeated(client, path):
    result = client.get(path, params={"api_key": "lr_live_secret", "colour": "red"})
    assert (result.status_code, result.json["error"]) == (401, "invalid_api_key")
    assert "Authorization" in result.json["message"]
    assert "lr_live_secret" not in result.text
    assert result.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_other_methods_are_405(client, path, method):
    result = client.request(method, path)
    assert (result.status_code, result.json["error"]) == (405, "method_not_allowed")
    assert "GET" in result.headers["allow"]


@pytest.mark.parametrize("path", PATHS)
def test_head_is_405_on_paths_that_will_be_metered(client, path):
    assert client.request("HEAD", path).status_code == 405


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/health", "/ready"])
def test_head_answers_as_get_on_free_paths(client, path):
    head, get = client.request("HEAD", path), client.get(path)
    assert head.status_code == get.status_code == 200
    assert head.headers["content-type"] == get.headers["content-type"]


@pytest.mark.parametrize("path", ["/nowhere", "/api/v1/", "/api/v1/search/", "/api/v2/search", "/%00"])
def test_unknown_path_is_404_in_the_one_error_body(client, path):
    result = client.get(path)
    assert result.status_code == 404
    assert (result.json["error"], result.json["kind"]) == ("not_found", "path")
    assert set(result.json) == {"error", "message", "requestId", "kind"}


@pytest.mark.parametrize("path", EVERY[:1] + EVERY[2:-2])
def test_unacceptable_type_is_406(client, path, body):
    query = {
        "/api/v1/search": {"q": "law"},
        "/api/v1/resolve": {"citation": "1 S.F.C. § 7"},
        "/api/v1/browse": {"codeBodyId": body("us-sample")},
        "/api/v1/gis/sample-city/at": {"lat": "37.5", "lon": "-122.4"},
    }
    result = client.get(path, params=query.get(path, {}), headers={"Accept": "application/xml"})
    assert (result.status_code, result.json["error"]) == (406, "not_acceptable")


def test_problem_json_adds_its_members(client):
    result = client.get("/api/v1/search", headers={"Accept": "application/problem+json"})
    assert result.headers["content-type"] == "application/problem+json"
    assert result.json["type"] == "about:blank"
    assert result.json["status"] == result.status_code == 422
    assert result.json["title"]
    assert result.json["error"] == "validation_error"
    plain = client.get("/api/v1/search")
    assert plain.headers["content-type"] == "application/json"
    assert "type" not in plain.json


@pytest.mark.parametrize("given", ["abc-123", "a" * 128, "01J:xyz.7"])
def test_sane_request_id_is_kept(client, given):
    result = client.get("/api/v1/search", headers={"X-Request-Id": given})
    assert result.headers["x-request-id"] == result.json["requestId"] == given


@pytest.mark.parametrize("given", ["", "a b", "a" * 129, "<script>", "é"])
def test_other_request_id_is_replaced(client, given):
    result = client.get("/api/v1/search", headers={"X-Request-Id": given})
    assert result.headers["x-request-id"] == result.json["requestId"] != given
    assert re.fullmatch(r"[0-9a-f]{32}", result.json["requestId"])


def test_request_ids_differ(client):
    assert client.get("/health").headers["x-request-id"] != client.get("/health").headers["x-request-id"]


@pytest.mark.parametrize("path", [*PATHS, "/api/v1/openapi.json", "/api/v1/nowhere"])
def test_cors_on_the_api_on_errors_too(client, path):
    result = client.get(path)
    assert result.headers["access-control-allow-origin"] == "*"
    assert "X-Request-Id" in result.headers["access-control-expose-headers"]


@pytest.mark.parametrize("path", ["/health", "/ready", "/", "/api/v10/search"])
def test_no_cors_elsewhere(client, path):
    assert "access-control-allow-origin" not in client.get(path).headers


def test_preflight_allows_the_key_header(client):
    result = client.request(
        "OPTIONS",
        "/api/v1/search",
        headers={"Origin": "https://app.example", "Access-Control-Request-Method": "GET"},
    )
    assert result.status_code == 200
    assert result.headers["access-control-allow-methods"] == "GET, OPTIONS"
    assert "Authorization" in result.headers["access-control-allow-headers"]


def test_options_and_405_name_the_same_methods(client):
    for path in PATHS:
        methods = client.request("OPTIONS", path).headers["allow"]
        assert methods == client.request("PATCH", path).headers["allow"]
        assert methods.endswith(", OPTIONS")
    assert "allow" not in client.request("OPTIONS", "/api/v1/nothing").headers


def test_vary_names_what_answers_depend_on(client):
    for path in EVERY:
        assert client.get(path).headers["vary"] == "Accept-Encoding, Accept, Authorization"


def test_errors_are_not_stored(client):
    assert client.get("/api/v1/search").headers["cache-control"] == "no-store"


def test_ready_counts_what_is_open(client, snapshot):
    result = client.get("/ready")
    assert result.json["snapshot"] == result.headers["x-snapshot-id"] == "2026.11.21-1"
    assert result.json["rows"]["nodes"] == result.json["rows"]["keyword"] == len(snapshot.nodes)


def test_without_a_snapshot_the_process_lives_and_is_not_ready(client_over, tmp_path):
    client = client_over(SnapshotHolder(tmp_path))
    assert client.get("/health").status_code == 200
    for path in ("/ready", "/api/v1/coverage"):
        result = client.get(path)
        assert (result.status_code, result.json["error"]) == (503, "no_snapshot")
        assert result.headers["retry-after"] == "5"
        assert "x-snapshot-id" not in result.headers


@pytest.fixture
def damaged(snapshots_folder, tmp_path):
    """Two snapshots, of which the one in service is damaged."""
    folder = tmp_path / "snapshots"
    for snapshot in ("2026.11.21-1", "2026.11.21-2"):
        shutil.copytree(snapshots_folder / "2026.11.21-1", folder / snapshot)
    edit_manifest(folder / "2026.11.21-2", id="2026.11.21-2")
    (folder / "2026.11.21-2" / "citing.json").write_bytes(b"[]")
    (folder / "current.json").write_text('{"snapshot": "2026.11.21-2"}')
    holder = SnapshotHolder(folder)
    with pytest.raises(DamagedFileError):
        holder.refresh()
    yield holder
    holder.close()


def test_a_damaged_snapshot_is_told_and_refused_by_name(client_over, damaged, node):
    client = client_over(damaged)
    result = client.get("/ready")
    assert (result.status_code, result.json["status"], result.json["snapshot"]) == (
        200,
        "degraded",
        "2026.11.21-1",
    )
    assert result.json["damaged"] == [{"snapshot": "2026.11.21-2", "file": "citing.json"}]
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    assert client.get(path).headers["x-snapshot-id"] == "2026.11.21-1"
    pinned = client.get(path, params={"snapshot": "2026.11.21-2"})
    assert (pinned.status_code, pinned.json["error"], pinned.json["kind"]) == (
        404,
        "not_found",
        "snapshot_damaged",
    )
    assert pinned.headers["x-credits-cost"] == "0"


def test_a_store_that_takes_nothing_is_not_ready(client, billing):
    billing.health.failed(StoreUnavailableError("database or disk is full", cause="disk_full"))
    try:
        result = client.get("/ready")
        assert (result.status_code, result.json["error"]) == (503, "overloaded")
        assert result.json["message"] == (
            "The store of accounts cannot be written: the disk is full (disk_full)."
        )
        assert client.get("/health").status_code == 200
    finally:
        billing.health.mended()
    assert client.get("/ready").status_code == 200


def test_parameters_are_checked_before_the_snapshot(client_over, tmp_path):
    client = client_over(SnapshotHolder(tmp_path))
    assert client.get("/api/v1/search", params={"q": "law", "limit": "0"}).status_code == 422


def test_failure_of_ours_is_500_without_its_details(client_over, caplog):
    class Broken(SnapshotHolder):
        def try_lease(self, snapshot=None):
            raise RuntimeError("secret detail")

    client = client_over(Broken(Path("nowhere")))
    with caplog.at_level(logging.ERROR):
        result = client.get("/api/v1/coverage")
    assert (result.status_code, result.json["error"]) == (500, "internal_error")
    assert "secret detail" not in result.text
    assert "secret detail" in caplog.text


def test_access_log_tells_the_path_and_never_the_query(client, caplog):
    with caplog.at_level(logging.INFO, logger="serving.access"):
        client.get("/api/v1/search", params={"q": "my secret matter", "token": "s3cret"})
    (record,) = caplog.records
    assert (record.path, record.status, record.method) == ("/api/v1/search", 422, "GET")
    assert record.ms >= 0
    fields = json.dumps({key: str(value) for key, value in record.__dict__.items()})
    assert "secret" not in fields
    assert "s3cret" not in fields

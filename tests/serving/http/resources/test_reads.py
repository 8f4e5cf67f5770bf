"""`/api/v1/node`, `/api/v1/code-bodies`, `/api/v1/browse` and `/api/v1/coverage` over HTTP."""

import json
import shutil
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest

from serving.contract.identity import content_etag
from serving.process.application import create_web_app
from serving.services.snapshots import SnapshotHolder
from tests.serving.http.conftest import CheckedClient
from tests.serving.manifests import edit_manifest

SNAPSHOT = "2026.11.21-1"
READS = ["/api/v1/code-bodies", "/api/v1/coverage"]


def test_node_is_the_stored_answer(client, node, body):
    answer = client.get(f"/api/v1/node/{node('/us/sample/t1/s7')}").json
    assert answer["citation"] == "1 S.F.C. § 7"
    assert answer["breadcrumb"] == ["Title 1. Protected works", "Chapter 1. General provisions"]
    assert answer["codeBody"] == {"id": body("us-sample"), "name": "Sample Federal Code"}
    reference = answer["references"][0]
    assert answer["text"][reference["start"] : reference["end"]] == "section 5"
    assert reference["nodeId"] == node("/us/sample/t1/s5")


def test_node_id_in_upper_case_is_the_same(client, node):
    assert client.get(f"/api/v1/node/{node('/us/sample/t1/s7').upper()}").status_code == 200


def test_unknown_node_is_404_of_its_kind(client):
    result = client.get(f"/api/v1/node/{uuid4()}")
    assert (result.status_code, result.json["error"], result.json["kind"]) == (404, "not_found", "node")


@pytest.mark.parametrize("bad", ["17", "not-a-uuid", "6f0b8c1e3c595a0e9d532b1f6c9d7e41"])
def test_malformed_node_id_is_422(client, bad):
    result = client.get(f"/api/v1/node/{bad}")
    assert (result.status_code, result.json["parameter"]) == (422, "id")


@pytest.mark.parametrize(
    ("accept", "start"),
    [
        ("text/markdown", b"# 1 S.F.C."),
        ("text/plain", b"1 S.F.C."),
        ("text/x-bibliography", b"1 S.F.C. \xc2\xa7 7 (current"),
        ("application/vnd.citationstyles.csl+json", b"["),
        ("application/x-research-info-systems", b"TY  - STAT"),
        ("application/x-bibtex", b"@misc{1-s-f-c-7,"),
    ],
)
def test_node_as_text_has_its_citation_first(client, node, accept, start):
    path = f"/api/v1/node/{node('/us/sample/t1/s7')}"
    result = client.get(path, headers={"Accept": accept})
    assert result.headers["content-type"] == f"{accept}; charset=utf-8"
    assert result.content.startswith(start)
    json = client.get(path)
    assert result.headers["etag"] != json.headers["etag"]
    again = client.get(path, headers={"Accept": accept, "If-None-Match": result.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_every_body_of_512_bytes_is_compressed(client, node, body, decoded, encoding):
    compressed = 0
    for path in (
        "/api/v1/me",
        "/api/v1/coverage",
        "/api/v1/code-bodies",
        "/api/v1/snapshots",
        "/api/v1/quality",
        "/api/v1/corrections",
        "/api/v1/search?q=permit&limit=2",
        "/api/v1/search?q=permit&limit=999",
        "/api/v1/search?q=permit&status=" + "x" * 600,
        "/api/v1/resolve?citation=1+S.F.C.+7",
        "/api/v1/resolve?colour=" + "x" * 600,
        f"/api/v1/node/{'x' * 600}",
        f"/api/v1/{'x' * 600}",
        f"/api/v1/browse?codeBodyId={body('us-sample')}",
        *(f"/api/v1/node/{node(f'/us/sample/t1/s{number}')}" for number in (5, 7, 8, 9)),
        *(f"/api/v1/node/{node(name)}" for name in ("/us/sample/t1", "/sample/code/2-1")),
        f"/api/v1/node/{node('/us/sample/t1/s5')}/cited-by",
        f"/api/v1/node/{node('/us/sample/t1/s5')}/history",
        "/ready",
        "/health",
    ):
        bare, _, query = path.partition("?")
        result = client.get(bare, query_string=query, headers={"Accept-Encoding": encoding})
        is_large = len(decoded(result)) >= 512
        assert result.headers.get("content-encoding") == (encoding if is_large else None), path
        compressed += is_large
    assert compressed > 12


@pytest.mark.parametrize("encoding", ["identity", "gzip", "zstd"])
def test_large_node_is_sent_in_the_encoding_asked_for(client, node, decoded, encoding):
    path = f"/api/v1/node/{node('/sample/code/1-1')}"
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    result = client.get(path, headers={"Accept-Encoding": encoding})
    assert decoded(result) == plain.content
    suffix = "" if encoding == "identity" else f"-{encoding}"
    assert result.headers["etag"] == f'"{content_etag(plain.content)}{suffix}"'
    assert result.headers.get("content-encoding") == (None if encoding == "identity" else encoding)
    same = client.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": result.headers["etag"]})
    assert same.status_code == 304
    assert "content-encoding" not in same.headers


def test_entity_tag_of_another_encoding_is_not_this_answer(client, node):
    path = f"/api/v1/node/{node('/sample/code/1-1')}"
    gzipped = client.get(path, headers={"Accept-Encoding": "gzip"})
    result = client.get(path, headers={"If-None-Match": gzipped.headers["etag"]})
    assert result.status_code == 200


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_text_made_for_the_request_is_compressed_too(client, node, decoded, encoding):
    path = f"/api/v1/node/{node('/sample/code/1-1')}"
    plain = client.get(path, headers={"Accept": "text/plain"})
    result = client.get(path, headers={"Accept": "text/plain", "Accept-Encoding": encoding})
    assert result.headers["content-encoding"] == encoding
    assert decoded(result) == plain.content


def test_code_bodies_feed_browse_down_to_a_node(client):
    bodies = client.get("/api/v1/code-bodies").json["codeBodies"]
    assert [entry["key"] for entry in bodies] == ["sample-city-code", "sample-code", "us-sample"]
    federal = bodies[2]["id"]
    top = client.get("/api/v1/browse", params={"codeBodyId": federal}).json
    assert [entry["citation"] for entry in top["nodes"]] == ["1 S.F.C."]
    chapter = client.get(
        "/api/v1/browse", params={"codeBodyId": federal, "parent": top["nodes"][0]["id"]}
    ).json["nodes"][0]
    sections = client.get("/api/v1/browse", params={"codeBodyId": federal, "parent": chapter["id"]}).json
    assert [entry["status"] for entry in sections["nodes"]] == ["in_force", "in_force", "repealed"]
    leaf = sections["nodes"][0]
    assert (leaf["hasChildren"], leaf["citable"]) == (False, True)
    assert (
        client.get("/api/v1/browse", params={"codeBodyId": federal, "parent": leaf["id"]}).json["nodes"] == []
    )
    assert client.get(f"/api/v1/node/{leaf['id']}").status_code == 200


def test_browse_names_what_is_missing(client, body, node):
    unknown_body = client.get("/api/v1/browse", params={"codeBodyId": str(uuid4())})
    assert (unknown_body.status_code, unknown_body.json["kind"]) == (404, "code_body")
    federal = body("us-sample")
    for parent in (str(uuid4()), node("/sample/code/t1"), federal):
        result = client.get("/api/v1/browse", params={"codeBodyId": federal, "parent": parent})
        assert (result.status_code, result.json["kind"]) == (404, "node")
    assert client.get("/api/v1/browse").json["parameter"] == "codeBodyId"
    assert client.get("/api/v1/browse", params={"codeBodyId": "x"}).status_code == 422


def test_coverage_lists_placeholders(client):
    answer = client.get("/api/v1/coverage").json
    by_code = {entry["shortCode"]: entry for entry in answer["jurisdictions"]}
    assert by_code["us"]["placeholder"] is False
    assert by_code["va"]["placeholder"] is True
    assert by_code["sample-city"]["gaps"] == ["Titles above 3 are missing."]
    assert answer["totalNodes"] == sum(entry["nodeCount"] for entry in answer["jurisdictions"])


def test_old_law_in_service_says_so(client, node):
    answer = client.get(f"/api/v1/node/{node('/sample/code/t3')}").json
    assert (answer["staleSince"], answer["currentThrough"]) == ("2025-02-14", "2024-10-08")
    assert "staleSince" not in client.get(f"/api/v1/node/{node('/sample/code/t2')}").json
    covered = client.get("/api/v1/coverage").json["jurisdictions"]
    bodies = {body["name"]: body for entry in covered for body in entry["codeBodies"]}
    assert bodies["Sample State Code"]["staleTitles"] == [
        {
            "label": "Title 3",
            "currentThrough": "2024-10-08",
            "currentThroughDate": "2024-10-08",
            "staleSince": "2025-02-14",
            "nodeCount": 1,
        }
    ]
    assert "staleTitles" not in bodies["Sample Federal Code"]


def test_a_node_says_from_when_and_until_when_in_the_words_of_its_source(client, node):
    answer = client.get(f"/api/v1/node/{node('/us/sample/t1/s9')}").json
    assert answer["effective"] == {
        "from": "2021-07-01",
        "until": "2031-07-01",
        "words": "[Effective July 1, 2021, until July 1, 2031.]",
    }
    assert (answer["effectiveStart"], answer["effectiveEnd"]) == ("2021-07-01", "2031-07-01")
    assert "effective" not in client.get(f"/api/v1/node/{node('/us/sample/t1/s7')}").json


def test_coverage_says_how_old_each_body_is_or_why_that_is_not_known(client):
    covered = client.get("/api/v1/coverage").json["jurisdictions"]
    (fresh,) = [
        body["freshness"] for entry in covered for body in entry["codeBodies"] if "Federal" in body["name"]
    ]
    assert fresh == {
        "status": "unknown",
        "reason": "no_connector",
        "heldRelease": None,
        "heldReleaseDate": None,
        "newestRelease": None,
        "newestReleaseDate": None,
        "seenAt": None,
        "daysBehind": None,
    }


@pytest.mark.parametrize("path", READS)
def test_stored_answers_are_revalidated(client, path):
    result = client.get(path)
    assert result.headers["cache-control"] == "private, no-cache"
    assert client.get(path, headers={"If-None-Match": result.headers["etag"]}).status_code == 304
    assert client.get(path, headers={"If-None-Match": "*"}).status_code == 304


@pytest.mark.parametrize("path", [*READS, "/api/v1/search?q=law", "/api/v1/browse?codeBodyId={}"])
def test_every_read_can_be_pinned(client, body, path):
    path, _, query = path.format(body("us-sample")).partition("?")
    pinned = client.get(path, query_string=f"{query}&snapshot=2026.11.21-1".lstrip("&"))
    assert pinned.status_code == 200
    gone = client.get(path, query_string=f"{query}&snapshot=2020.01.01-1".lstrip("&"))
    assert (gone.status_code, gone.json["error"], gone.json["kind"]) == (404, "not_found", "snapshot_gone")
    malformed = client.get(path, query_string=f"{query}&snapshot=latest".lstrip("&"))
    assert malformed.status_code == 422


OLDER, NEWER = "2024.01.10-1", "2024.03.01-1"


@pytest.fixture(scope="module")
def dated(snapshots_folder, settings, billing, contract, new_customer, tmp_path_factory):
    """A client of a service that published in January and in March, and went back to January's snapshot."""
    folder = tmp_path_factory.mktemp("snapshots")
    for name, created in ((OLDER, "2024-01-10T12:00:00Z"), (NEWER, "2024-03-01T00:00:00Z")):
        shutil.copytree(snapshots_folder / SNAPSHOT, folder / name)
        edit_manifest(folder / name, id=name, created=created)
    (folder / "current.json").write_text(json.dumps({"snapshot": OLDER}), encoding="utf-8")
    holder = SnapshotHolder(folder)
    holder.refresh()
    yield CheckedClient(create_web_app(settings, holder, billing), contract, new_customer().key)
    holder.close()


@pytest.mark.parametrize(
    "path",
    [
        *READS,
        "/api/v1/search?q=law",
        "/api/v1/browse?codeBodyId={body}",
        "/api/v1/node/{node}",
        "/api/v1/node/{node}/cited-by",
        "/api/v1/resolve?citation=1+S.F.C.+7",
        "/api/v1/gis/sample-city",
        "/api/v1/gis/sample-city/at?lat=37.5005&lon=-122.3995",
        "/api/v1/quality",
        "/api/v1/compare/llc-services",
        "/api/v1/formation/prices",
    ],
)
def test_every_read_can_be_asked_as_of_a_day(dated, body, node, path):
    path, _, query = path.format(body=body("us-sample"), node=node("/us/sample/t1/s7")).partition("?")

    def read(more):
        return dated.get(path, query_string=f"{query}&{more}".lstrip("&"))

    for day, newest in (("2024-01-10", OLDER), ("2024-02-29", OLDER), ("2024-03-01", NEWER)):
        result = read(f"date={day}")
        assert (result.status_code, result.headers["x-snapshot-id"]) == (200, newest)
    early = read("date=2024-01-09")
    assert (early.status_code, early.json["error"], early.json["kind"]) == (404, "not_found", "snapshot_gone")
    assert (early.json["oldestSnapshot"], early.json["oldestDate"]) == (OLDER, "2024-01-10")
    assert read(f"date={early.json['oldestDate']}").status_code == 200
    for wrong in ("date=9999-12-31", "date=yesterday", "date=", f"date=2024-03-01&snapshot={NEWER}"):
        refused = read(wrong)
        assert (refused.status_code, refused.json["parameter"]) == (422, "date")


def test_the_next_page_stays_in_the_snapshot_of_the_day(dated):
    first = dated.get("/api/v1/search", query_string="q=permit&limit=2&date=2024-03-02")
    following = urlsplit(first.headers["link"].split(">")[0].lstrip("<")).query
    assert parse_qs(following)["snapshot"] == [NEWER]
    assert "date" not in parse_qs(following)
    assert dated.get("/api/v1/search", query_string=following).headers["x-snapshot-id"] == NEWER


def test_lists_that_are_of_no_snapshot_take_no_day(dated):
    for path in ("/api/v1/snapshots", "/api/v1/changes", "/api/v1/me"):
        refused = dated.get(path, query_string="date=2024-03-01")
        assert (refused.status_code, refused.json["parameter"]) == (422, "date")

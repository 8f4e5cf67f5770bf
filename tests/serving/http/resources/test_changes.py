"""`/api/v1/changes`, the history of a provision, and feeds over HTTP."""

import re
import xml.etree.ElementTree as ET
from uuid import uuid4

import pytest

from serving.services.snapshots import SnapshotHolder

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def changed(changed_folder):
    holder = SnapshotHolder(changed_folder)
    holder.refresh()
    yield holder
    holder.close()


@pytest.fixture
def over(changed, client_over):
    return client_over(changed)


def test_pages_link_to_the_next_of_the_same_two(over):
    first = over.get("/api/v1/changes", query_string="limit=1&kind=amended&to=2026.11.21-1")
    assert (first.status_code, first.headers["x-credits-cost"], first.json["total"]) == (200, "1", 2)
    assert first.headers["x-snapshot-id"] == "2026.11.21-1"
    following = re.fullmatch(r'<https://law.example([^?]+)\?([^>]+)>; rel="next"', first.headers["link"])
    assert following is not None
    assert "from=2026.11.20-1&to=2026.11.21-1" in following[2]
    second = over.get(following[1], query_string=following[2])
    assert "link" not in second.headers
    seen = [page.json["results"][0]["after"]["citation"] for page in (first, second)]
    assert seen == ["1 S.F.C. § 1", "1 S.F.C. § 2"]


def test_a_second_look_is_free(over, node):
    for path in ("/api/v1/changes", f"/api/v1/node/{node('/us/sample/t1/s1')}/history"):
        tag = over.get(path).headers["etag"]
        again = over.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")


@pytest.mark.parametrize(
    ("query", "status", "what"),
    [
        ("from=2026.11.22-1", 422, "from"),
        ("from=2026.11.01-1", 404, "snapshot_gone"),
        ("kind=repealed", 422, "kind"),
        ("container=x", 422, "container"),
        ("codeBody=00000000-0000-0000-0000-000000000001", 422, "codeBody"),
        ("snapshot=2026.11.22-1", 422, "snapshot"),
    ],
)
def test_refusals_name_what_is_wrong(over, query, status, what):
    refused = over.get("/api/v1/changes", query_string=query)
    assert (refused.status_code, refused.json.get("parameter") or refused.json["kind"]) == (status, what)
    assert refused.headers["x-credits-cost"] == "0"


def test_the_history_needs_a_node(over, node):
    for headers in ({}, {"If-None-Match": "*"}):
        assert over.get(f"/api/v1/node/{uuid4()}/history", headers=headers).json["kind"] == "node"
    found = over.get(f"/api/v1/node/{node('/us/sample/t1/s1')}/history").json
    assert [one["change"]["kind"] for one in found["changes"]] == ["amended", "amended"]


def test_feeds_need_no_key(over, body):
    code = body("us-sample")
    in_json = over.get(f"/feeds/{code}.json", key=None)
    in_atom = over.get(f"/feeds/{code}.atom", key=None)
    assert (in_json.headers["content-type"], in_atom.headers["content-type"]) == (
        "application/feed+json",
        "application/atom+xml",
    )
    feed = ET.fromstring(in_atom.text)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == [item["title"] for item in in_json.json["items"]]
    assert feed.findtext(f"{ATOM}updated") == "2026-11-22T00:00:00Z"
    assert not [name for name in in_json.headers if "credits" in name]
    again = over.get(f"/feeds/{code}.json", key=None, headers={"If-None-Match": in_json.headers["etag"]})
    assert again.status_code == 304
    assert over.request("HEAD", f"/feeds/{code}.atom", key=None).status_code == 200
    assert over.get(f"/feeds/{uuid4()}.json", key=None).json["kind"] == "code_body"

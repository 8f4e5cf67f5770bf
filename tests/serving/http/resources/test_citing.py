"""`/api/v1/node/{id}/cited-by` and `/api/v1/snapshots` over HTTP."""

import re
from uuid import uuid4


def test_pages_together_are_what_is_counted(client, node):
    wanted = node("/us/sample/t1/s5")
    count = client.get(f"/api/v1/node/{wanted}").json["citedByCount"]
    assert count > 1
    path, query, seen = f"/api/v1/node/{wanted}/cited-by", "limit=1", []
    while True:
        page = client.get(path, query_string=query)
        assert (page.status_code, page.headers["x-credits-cost"], page.json["total"]) == (200, "1", count)
        assert page.json["nodeId"] == wanted
        seen += [one["nodeId"] for one in page.json["results"]]
        following = re.fullmatch(r'<([^?]+)\?([^>]+)>; rel="next"', page.headers.get("link", ""))
        if following is None:
            break
        assert following[1] == f"https://law.example{path}"
        query = following[2]
        assert "snapshot=" in query
    assert len(seen) == len(set(seen)) == count
    for other in seen:
        answer = client.get(f"/api/v1/node/{other}").json
        assert any(wanted == one["nodeId"] or "throughId" in one for one in answer["references"])


def test_a_second_look_is_free(client, node):
    path = f"/api/v1/node/{node('/us/sample/t1/s5')}/cited-by"
    tag = client.get(path).headers["etag"]
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.headers["x-credits-cost"]) == (304, "0")
    assert client.get(path, params={"limit": "1"}).headers["etag"] != tag


def test_refusals_name_what_is_wrong(client, node):
    assert client.get(f"/api/v1/node/{uuid4()}/cited-by").json["kind"] == "node"
    path = f"/api/v1/node/{node('/us/sample/t1/s5')}/cited-by"
    deep = client.get(path, params={"page": "101", "limit": "100"})
    assert (deep.status_code, deep.json["parameter"]) == (422, "page")
    assert "10,000" in deep.json["message"]
    assert client.get("/api/v1/node/x/cited-by").json["parameter"] == "id"


def test_the_retained_snapshots_need_no_key(client, snapshot):
    result = client.get("/api/v1/snapshots", key=None)
    assert result.status_code == 200
    assert not [name for name in result.headers if "credits" in name]
    assert result.json["current"] == snapshot.id
    (only,) = result.json["snapshots"]
    assert (only["id"], only["current"], only["nodeCount"]) == (snapshot.id, True, len(snapshot.nodes))
    assert client.get("/api/v1/coverage", params={"snapshot": only["id"]}).status_code == 200

"""The guide is shown where it was built, and its own scripts alone may run."""

import base64
import gzip
import hashlib
import os
from pathlib import Path

import falcon.asgi
from falcon.testing import TestClient

from serving.pages.guide import add_guide, guide_policy


def test_where_it_was_not_built_nothing_is_there(tmp_path: Path) -> None:
    app = falcon.asgi.App()
    add_guide(app, tmp_path / "guide")
    client = TestClient(app)
    assert client.simulate_get("/docs/guide").status_code == 404
    assert client.simulate_get("/docs/guide/index.html").status_code == 404


def test_scripts_in_its_pages_are_named_by_their_hashes(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        "<script>let a = 1</script><script src=a.js></script>", encoding="utf-8"
    )
    digest = base64.b64encode(hashlib.sha256(b"let a = 1").digest()).decode()
    policy = guide_policy(tmp_path)
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    app = falcon.asgi.App()
    add_guide(app, tmp_path)
    answer = TestClient(app).simulate_get("/docs/guide/index.html")
    assert (answer.status_code, answer.headers["content-security-policy"]) == (200, policy)
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
        "text/html",
        "public, no-cache",
    )
    for address in ("/docs/guide", "/docs/guide/"):
        moved = TestClient(app).simulate_get(address)
        assert (moved.status_code, moved.headers["location"]) == (308, "/docs/guide/index.html")


def test_files_are_compressed_where_that_makes_them_smaller(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>law</p>" * 200, encoding="utf-8")
    (tmp_path / "assets" / "deep").mkdir(parents=True)
    (tmp_path / "assets" / "deep" / "mark.png").write_bytes(os.urandom(2_000))
    (tmp_path.parent / "outside.html").write_text("secret", encoding="utf-8")
    app = falcon.asgi.App()
    add_guide(app, tmp_path)
    client = TestClient(app)
    takes_gzip = {"Accept-Encoding": "gzip"}
    page = client.simulate_get("/docs/guide/index.html", headers=takes_gzip)
    assert (page.headers["content-encoding"], gzip.decompress(page.content)) == (
        "gzip",
        b"<p>law</p>" * 200,
    )
    again = client.simulate_get(
        "/docs/guide/index.html", headers=takes_gzip | {"If-None-Match": page.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    image = client.simulate_get("/docs/guide/assets/deep/mark.png", headers=takes_gzip)
    assert (image.status_code, image.headers["content-type"]) == (200, "image/png")
    assert "content-encoding" not in image.headers
    assert client.simulate_head("/docs/guide/index.html").status_code == 200
    for path in (
        "nothing.html",
        "assets",
        "assets/deep/",
        "../outside.html",
        "%2e%2e/outside.html",
        "a/../index.html",
    ):
        assert client.simulate_get(f"/docs/guide/{path}").status_code == 404, path


def test_people_are_told_of_an_unknown_address_on_the_page_of_the_guide(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>law</p>", encoding="utf-8")
    app = falcon.asgi.App()
    add_guide(app, tmp_path)
    people = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    assert TestClient(app).simulate_get("/docs/guide/nothing.html", headers=people).status_code == 404
    (tmp_path / "404.html").write_text("<p>go on</p>", encoding="utf-8")
    app = falcon.asgi.App()
    add_guide(app, tmp_path)
    client = TestClient(app)
    answer = client.simulate_get("/docs/guide/nothing.html", headers=people)
    assert (answer.status_code, answer.text) == (404, "<p>go on</p>")
    assert answer.headers["content-security-policy"] == guide_policy(tmp_path)
    assert "go on" not in client.simulate_get("/docs/guide/nothing.html").text

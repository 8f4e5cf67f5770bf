"""The guide is shown where it was built, and its own scripts alone may run."""

import base64
import hashlib
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
    for address in ("/docs/guide", "/docs/guide/"):
        moved = TestClient(app).simulate_get(address)
        assert (moved.status_code, moved.headers["location"]) == (308, "/docs/guide/index.html")

"""Pages open to anybody: one is known by all parts of its key, whatever they hold."""

from types import SimpleNamespace
from typing import Any

import falcon
import falcon.asgi
import falcon.testing
import pytest

from serving.concurrency.pool import BoundedPool
from serving.pages.public import ErrorPage, PublicSite


class _Shown:
    """Shows a page of the key that is given, part by part."""

    def __init__(self, site):
        self._site = site

    async def on_get(self, req, resp):
        key = tuple(req.get_param_as_list("part"))
        self._site.begin(req, resp)
        await self._site.show(req, resp, key, lambda: ("page.html", key))


@pytest.fixture
def client():
    renderer: Any = SimpleNamespace(version="1", render=lambda template, *, frame, page: repr(page))
    app = falcon.asgi.App()
    pool = BoundedPool("pages", threads=1, limit=2)
    app.add_route("/", _Shown(PublicSite(renderer, pool, ErrorPage("error.html", {}))))
    return falcon.testing.TestClient(app)


def test_parts_that_are_put_together_are_not_the_parts(client):
    def tag(*parts):
        return client.simulate_get("/", params={"part": list(parts)}, params_csv=False).headers["etag"]

    assert tag("x", "y") == tag("x", "y")
    for parting in ("\0", "', '", "/", " "):
        assert tag(f"x{parting}y") != tag("x", "y"), parting

"""Pages are compressed, and their lengths are blurred."""

import gzip
from typing import Any

import falcon
import falcon.asgi
import pytest
from falcon.testing import TestClient

from serving.api.encodings import WORTHWHILE
from serving.pages.compression import PageCompressionMiddleware, padded_gzip

PAGE = b"<p>law</p>" * 200


class Resource:
    """Answers with a body of some type."""

    def __init__(self, body: bytes, media_type: str, encoding: str | None = None) -> None:
        self._body = body
        self._media_type = media_type
        self._encoding = encoding

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        del req
        resp.content_type = self._media_type
        resp.data = self._body
        if self._encoding:
            resp.set_header("Content-Encoding", self._encoding)


def answer(resource: Resource, accept: str | None) -> Any:
    app = falcon.asgi.App(middleware=[PageCompressionMiddleware()])
    app.add_route("/", resource)
    return TestClient(app).simulate_get("/", headers={} if accept is None else {"Accept-Encoding": accept})


def test_a_page_is_compressed_for_whoever_takes_it():
    found = answer(Resource(PAGE, falcon.MEDIA_HTML), "gzip, deflate, br, zstd")
    assert found.headers["content-encoding"] == "gzip"
    assert gzip.decompress(found.content) == PAGE
    assert int(found.headers["content-length"]) == len(found.content) < len(PAGE) // 4


@pytest.mark.parametrize("accept", [None, "", "br", "gzip;q=0", "identity"])
def test_nobody_gets_what_they_do_not_take(accept):
    found = answer(Resource(PAGE, falcon.MEDIA_HTML), accept)
    assert "content-encoding" not in found.headers
    assert found.content == PAGE


@pytest.mark.parametrize(
    "resource",
    [
        Resource(PAGE[: WORTHWHILE - 1], falcon.MEDIA_HTML),
        Resource(PAGE, falcon.MEDIA_JSON),
        Resource(PAGE, falcon.MEDIA_HTML, "zstd"),
    ],
)
def test_what_is_small_no_page_or_compressed_already_stays(resource):
    found = answer(resource, "gzip")
    assert found.headers.get("content-encoding") != "gzip"


def test_the_length_of_a_page_is_blurred():
    lengths = {len(padded_gzip(PAGE)) for _ in range(400)}
    assert len(lengths) > 50
    assert max(lengths) - min(lengths) <= 100
    assert {gzip.decompress(padded_gzip(PAGE)) for _ in range(20)} == {PAGE}

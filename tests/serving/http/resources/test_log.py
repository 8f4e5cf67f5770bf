"""`/api/v1/log`: static files, keyless, and nothing beside them."""

import pytest

from serving.transparency.checkpoint import Checkpoint
from serving.transparency.tiles import unpack_entries

PATH = "/api/v1/log"


def test_the_checkpoint_and_its_tiles_need_no_key(client):
    answer = client.get(f"{PATH}/checkpoint", key=None)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=60"
    assert Checkpoint.parse(answer.content).size == 1
    entries = client.get(f"{PATH}/tile/entries/000.p/1", key=None)
    assert entries.headers["content-type"] == "application/octet-stream"
    (entry,) = unpack_entries(entries.content)
    assert entry.startswith(b"legal-snapshot/1\nsnapshot 2026.11.21-1\n")
    assert len(client.get(f"{PATH}/tile/0/000.p/1", key=None).content) == 32
    assert client.request("HEAD", f"{PATH}/checkpoint", key=None).status_code == 200
    assert client.request("HEAD", f"{PATH}/tile/0/000.p/1", key=None).status_code == 200


def test_a_complete_tile_is_kept_for_good(client, settings):
    tile = settings.snapshots / "log" / "tile" / "0" / "007"
    tile.write_bytes(bytes(256 * 32))
    try:
        answer = client.get(f"{PATH}/tile/0/007", key=None)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.content == bytes(256 * 32)
    finally:
        tile.unlink()


@pytest.mark.parametrize(
    "path",
    [
        *(
            "tile/0/000",
            "tile/0/000.p/2",
            "tile/0/000.p/256",
            "tile/0/000.p/0",
            "tile/0/000.p/01",
            "tile/64/000",
        ),
        *("tile/0/0", "tile/0/000/1", "tile/other/000", "tile/0/000.p", "tile/0/%2e%2e", "tile/%2e%2e/000"),
    ],
)
def test_what_is_no_file_of_the_log_is_404(client, path):
    answer = client.get(f"{PATH}/{path}", key=None)
    assert (answer.status_code, answer.json["kind"]) == (404, "log")


def test_parameters_are_refused(client):
    assert client.get(f"{PATH}/checkpoint", params={"size": "1"}).status_code == 422

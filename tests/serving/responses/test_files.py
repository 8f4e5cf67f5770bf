"""Files in pieces: held open while they are sent, and let go of with the client."""

import asyncio

import pytest

from serving.concurrency.presence import Presence
from serving.responses.files import FilePieces
from serving.responses.ranges import ByteRange

CONTENT = bytes(range(256)) * 3000
"""Three pieces, the last of them short."""
SIZE = len(CONTENT)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "law.parquet"
    path.write_bytes(CONTENT)
    return path


class Client:
    """A client that stays until it leaves."""

    def __init__(self):
        self.left = asyncio.Event()

    async def receive(self):
        await self.left.wait()
        return {"type": "http.disconnect"}


def pieces_of(path, client, start=0, end=SIZE):
    return FilePieces(path.open("rb"), ByteRange(start, end), Presence(client.receive), run=asyncio.to_thread)


async def collected(pieces):
    return [piece async for piece in pieces]


@pytest.mark.parametrize(("start", "end"), [(0, SIZE), (5, 6), (262_144, 524_288), (700_000, 768_000)])
def test_the_range_comes_whole_and_in_pieces(path, start, end):
    async def run():
        pieces = pieces_of(path, Client(), start, end)
        found = await collected(pieces)
        await pieces.close()
        return found

    found = asyncio.run(run())
    assert b"".join(found) == CONTENT[start:end]
    assert max(map(len, found)) <= 1 << 18


def test_a_file_that_is_removed_meanwhile_comes_whole(path):
    async def run():
        pieces = pieces_of(path, Client())
        first = await anext(pieces)
        path.unlink()
        rest = await collected(pieces)
        await pieces.close()
        return b"".join([first, *rest])

    assert asyncio.run(run()) == CONTENT


def test_nothing_is_read_for_a_client_that_has_gone(path):
    async def run():
        client = Client()
        pieces = pieces_of(path, client)
        await anext(pieces)
        client.left.set()
        await asyncio.sleep(0.01)
        rest = await collected(pieces)
        await pieces.close()
        return rest

    assert asyncio.run(run()) == []


def test_a_file_that_ends_too_early_fails_and_is_closed(path):
    async def run():
        file = path.open("rb")
        path.write_bytes(CONTENT[:1000])
        pieces = FilePieces(file, ByteRange(0, SIZE), Presence(Client().receive), run=asyncio.to_thread)
        with pytest.raises(EOFError, match="before its size"):
            await collected(pieces)
        await pieces.close()
        return file.closed

    assert asyncio.run(run())

"""Addresses in pieces: kept whole up to the bound, and counted on beyond it."""

import pytest

from serving.process.protocol import connections
from serving.process.protocol.address_reader import AddressReader
from serving.process.protocol.connections import Connections, Limits
from serving.process.protocol.sizes import LONG_URL, MAX_URL
from tests.serving.process.protocol.test_connections import Client


def read(reader: AddressReader, *pieces: bytes) -> bytes:
    url = b""
    for piece in pieces:
        url = reader.added(url, piece)
    return url


@pytest.mark.parametrize(
    ("size", "is_long", "code"),
    [
        (LONG_URL, False, None),
        (LONG_URL + 1, True, None),
        (MAX_URL, True, None),
        (MAX_URL + 1, True, "uri_too_long"),
    ],
)
def test_an_address_is_whole_up_to_the_bound_however_it_comes(
    size: int, is_long: bool, code: str | None
) -> None:
    among, client = Connections(Limits()), Client()
    reader = AddressReader(client, among)
    for step in (1_000, 50_000):
        reader.begin()
        pieces = [b"a" * min(step, size - start) for start in range(0, size, step)]
        assert len(read(reader, *pieces)) == (size if code is None else LONG_URL)
        assert (reader.size, reader.is_long, client in among._long) == (size, is_long, is_long)
        assert (reader.refusal and reader.refusal.code) == code
        if code is not None:
            break


def test_an_address_that_is_refused_is_counted_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_LONG", 0)
    reader = AddressReader(Client(), Connections(Limits()))
    assert len(read(reader, b"a" * LONG_URL, b"a", b"a" * 9)) == LONG_URL
    assert (reader.size, reader.is_long) == (LONG_URL + 10, False)
    assert reader.refusal is not None
    assert reader.refusal.code == "overloaded"


def test_a_long_address_is_let_go_where_another_begins() -> None:
    among, client = Connections(Limits()), Client()
    reader = AddressReader(client, among)
    read(reader, b"a" * LONG_URL, b"a")
    reader.begin()
    assert (reader.size, reader.is_long, len(among._long)) == (0, False, 0)

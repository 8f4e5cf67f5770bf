"""The connections of a worker: who is let in, who gives way, and that all are looked at."""

from dataclasses import dataclass, field

import pytest

from serving.contract.errors import OverloadedError
from serving.process.protocol.connections import (
    LEAST,
    MOST_LONG,
    RESERVE,
    SHARE,
    Admission,
    Connections,
    Limits,
)


@dataclass(eq=False)
class Client:
    """A connection that stands still."""

    address: str = "192.0.2.1"
    since: float = 0.0
    is_waiting: bool = True
    looks: list[float] = field(default_factory=list)
    is_closed: bool = False
    is_broken: bool = False
    client: tuple[str, int] | None = field(init=False)

    def __post_init__(self) -> None:
        self.client = (self.address, 1)

    def look(self, now: float) -> None:
        if self.is_broken:
            raise RuntimeError("broken")
        self.looks.append(now)

    def give_way(self) -> None:
        self.is_closed = True


def admitted(connections: Connections, *clients: Client) -> list[Admission]:
    return [connections.admit(client) for client in clients]


def test_all_are_let_in_while_there_is_room():
    connections = Connections(Limits(connections=100, per_address=10))
    clients = [Client() for _ in range(10)]
    assert set(admitted(connections, *clients)) == {Admission.ALL}
    assert len(connections) == 10


def test_the_longest_waiting_give_way_where_there_is_no_more_room():
    connections = Connections(Limits(connections=2 * SHARE, per_address=1000))
    busy = [Client(since=0, is_waiting=False) for _ in range(10)]
    waiting = [Client(since=2 * SHARE - number) for number in range(2 * SHARE - 10)]
    admitted(connections, *busy, *waiting)
    assert connections.admit(Client()) is Admission.ALL
    assert [one for one in waiting if one.is_closed] == waiting[-3:]
    assert not any(one.is_closed for one in busy)


def test_health_is_told_where_all_are_busy_and_then_nothing():
    connections = Connections(Limits(connections=LEAST, per_address=1000))
    admitted(connections, *(Client(is_waiting=False) for _ in range(LEAST)))
    further = [Client(is_waiting=False) for _ in range(RESERVE + 2)]
    assert admitted(connections, *further) == [Admission.HEALTH] * RESERVE + [Admission.NOTHING] * 2
    assert len(connections) == LEAST + RESERVE
    connections.leave(further[0])
    connections.leave(further[-1])  # it was never let in
    assert len(connections) == LEAST + RESERVE - 1


def test_client_with_too_many_gives_way_to_itself():
    connections = Connections(Limits(connections=1000, per_address=3))
    other = Client("192.0.2.9", since=-1)
    mine = [Client(since=number) for number in range(4)]
    assert set(admitted(connections, other, *mine)) == {Admission.ALL}
    assert [one.is_closed for one in (other, *mine)] == [False, True, False, False, False]


def test_client_with_too_many_requests_under_way_is_told_health_alone():
    connections = Connections(Limits(connections=1000, per_address=3))
    mine = [Client(is_waiting=False) for _ in range(3 + RESERVE + 1)]
    assert admitted(connections, *mine)[3:] == [Admission.HEALTH] * RESERVE + [Admission.NOTHING]
    assert connections.admit(Client("192.0.2.9")) is Admission.ALL


@pytest.mark.parametrize("proxies", [("192.0.2.1",), ("192.0.2.0/24",), ("*",)])
def test_trusted_proxies_may_have_any_number(proxies):
    connections = Connections(Limits(connections=1000, per_address=3, proxies=proxies))
    mine = [Client() for _ in range(50)]
    assert set(admitted(connections, *mine)) == {Admission.ALL}
    assert not any(one.is_closed for one in mine)


def test_network_of_ipv6_is_one_client():
    connections = Connections(Limits(connections=1000, per_address=3))
    mine = [Client(f"2001:db8:0:1::{number:x}") for number in range(4)]
    others = [Client(f"2001:db8:0:{number:x}::1") for number in range(2, 6)]
    admitted(connections, *mine, *others)
    assert [one.is_closed for one in (*mine, *others)] == [True] + [False] * 7


def test_few_hold_long_addresses_and_those_that_wait_give_way():
    connections = Connections(Limits(connections=1000, per_address=1000))
    busy = [Client(since=0, is_waiting=False) for _ in range(MOST_LONG - 2)]
    waiting = [Client(since=2), Client(since=1)]
    admitted(connections, *busy, *waiting)
    for client in (*busy, *waiting, Client(is_waiting=False), Client(is_waiting=False)):
        connections.hold_address(client)
    assert [one.is_closed for one in waiting] == [True, True]
    assert not any(one.is_closed for one in busy)
    with pytest.raises(OverloadedError):
        connections.hold_address(Client())
    connections.drop_address(busy[0])
    connections.hold_address(Client(is_waiting=False))
    connections.leave(busy[1])
    connections.hold_address(Client(is_waiting=False))
    assert len(connections._long) == MOST_LONG


def test_what_left_is_forgotten():
    connections = Connections(Limits())
    clients = [Client(f"192.0.2.{number}") for number in range(9)]
    admitted(connections, *clients)
    for client in clients:
        connections.leave(client)
        connections.leave(client)
    assert len(connections) == 0
    assert connections._by_network == {}


def test_few_files_leave_few_connections(monkeypatch):
    monkeypatch.setattr("serving.process.protocol.connections.left_for_connections", lambda: 40)
    assert Connections(Limits(connections=1000)).most == 40 - RESERVE
    assert Connections(Limits(connections=20)).most == 20
    monkeypatch.setattr("serving.process.protocol.connections.left_for_connections", lambda: -40)
    assert Connections(Limits(connections=1000)).most == LEAST


def test_one_that_cannot_be_looked_at_does_not_keep_the_others(caplog):
    connections = Connections(Limits())
    broken, sound = Client(is_broken=True), Client()
    admitted(connections, broken, sound)
    connections.look()
    assert sound.looks == [connections.now]
    assert broken.is_closed
    assert "connection_not_looked_at" in caplog.text

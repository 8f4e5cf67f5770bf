"""The allowance of unknown keys: by network, filling up again, in bounded memory, and never of good keys."""

import pytest

from serving.contract.errors import RateLimitedError
from serving.metering import allowances
from serving.metering.unknown_keys import UnknownKeys


class Seconds:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def spend(keys: UnknownKeys, address: str | None, count: int) -> int:
    """Ask for so many unknown keys, and return how many are looked up."""
    for number in range(count):
        try:
            keys.require_room(address)
        except RateLimitedError:
            return number
        keys.count(address)
    return count


def test_an_allowance_fills_up_again_evenly(seconds):
    keys = UnknownKeys(6, clock=seconds)
    assert spend(keys, "192.0.2.1", 100) == 6
    with pytest.raises(RateLimitedError) as refused:
        keys.require_room("192.0.2.1")
    assert refused.value.retry_after_seconds == 10
    seconds.now += 9.9
    assert spend(keys, "192.0.2.1", 100) == 0
    seconds.now += 0.2
    assert spend(keys, "192.0.2.1", 100) == 1
    seconds.now += 3600
    assert spend(keys, "192.0.2.1", 100) == 6


def test_networks_are_apart_and_an_ipv6_network_is_one(seconds):
    keys = UnknownKeys(3, clock=seconds)
    assert spend(keys, "2001:db8::1", 9) == 3
    assert spend(keys, "2001:db8::ffff:2", 9) == 0
    assert spend(keys, "2001:db8:0:1::1", 9) == 3
    assert spend(keys, "::ffff:192.0.2.1", 9) == 3
    assert spend(keys, "192.0.2.1", 9) == 0
    assert spend(keys, None, 9) == 9


def test_memory_is_bounded(seconds, monkeypatch):
    monkeypatch.setattr(allowances, "NETWORKS", 4)
    keys = UnknownKeys(1, clock=seconds)
    for number in range(100):
        assert spend(keys, f"x{number}" * 10_000, 1) == 1
    assert len(keys._spent) == 4
    assert max(map(len, keys._spent)) <= 64

"""Hosts that are this machine, and those that only look like it."""

import pytest

from serving.contract.loopback import is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.10", "::1"])
def test_hosts_of_this_machine(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["", "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "0.0.0.0", "::", "[::1]", "127.1"],
)
def test_other_hosts(host):
    assert not is_loopback(host)

"""Hosts that are this machine itself, where plain HTTP is no risk."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a host, given without brackets or port, is this machine: its address or `localhost`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

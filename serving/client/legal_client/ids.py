"""Ids of provisions and code bodies, told from citations and keys."""

import re

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_id(named: str) -> bool:
    """Return whether a thing is named by its id; else it is by a citation or a key."""
    return _UUID.fullmatch(named) is not None

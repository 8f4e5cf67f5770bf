"""Roots and their successors: who signs, and what those who pull take of it by themselves."""

from datetime import timedelta

import pytest

from serving.mirror.errors import MirrorError
from tests.serving.mirror.conftest import IS_INSTALLED, NOW, Publisher, Pull

if IS_INSTALLED:
    from serving.mirror.keys import load_key, make_key
    from serving.mirror.roles import Roles, newest_root, write_root

FIRST, SECOND = "2026.11.21-1", "2026.11.22-1"


def test_keys_are_changed_under_those_who_pull(publisher: Publisher, pulled: Pull) -> None:
    publisher.publish(FIRST)
    pulled()
    new_root, new_key = (make_key(publisher.folder / name) for name in ("root2.key", "mirror2.key"))
    with pytest.raises(MirrorError, match="give it with --old-root-key"):
        write_root(publisher.mirror, new_root, new_key, None, NOW)
    assert write_root(publisher.mirror, new_root, new_key, publisher.root_key, NOW) == 2
    with pytest.raises(MirrorError, match="names another key than that in LAW_MIRROR_KEY"):
        publisher.publish()
    publisher.key = new_key
    publisher.publish()
    assert pulled().snapshot == FIRST, "nothing but signatures is new"
    publisher.publish(SECOND, b"new law")
    assert pulled().snapshot == SECOND
    assert write_root(publisher.mirror, new_root, new_key, None, NOW) == 3
    assert pulled().snapshot == SECOND


def test_a_root_lasts_a_year(publisher: Publisher) -> None:
    root = newest_root(publisher.mirror)
    assert root is not None
    assert timedelta(days=364) < root.expires - NOW < timedelta(days=366)
    with pytest.raises(MirrorError, match="has expired"):
        Roles(publisher.mirror, publisher.key, NOW + timedelta(days=366))
    write_root(publisher.mirror, publisher.root_key, publisher.key, None, NOW + timedelta(days=366))
    Roles(publisher.mirror, publisher.key, NOW + timedelta(days=366))


def test_without_a_root_there_is_no_mirror(publisher: Publisher) -> None:
    with pytest.raises(MirrorError, match="`lawctl mirror root` begins a mirror"):
        Roles(publisher.folder / "elsewhere", publisher.key, NOW)


def test_a_key_is_its_owners_alone_and_never_replaced(publisher: Publisher) -> None:
    path = publisher.folder / "root.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_key(path).public_key == publisher.root_key.public_key
    with pytest.raises(MirrorError, match="is there already"):
        make_key(path)
    with pytest.raises(MirrorError, match="cannot be read"):
        load_key(publisher.folder / "no.key")
    path.write_text("no key", encoding="utf-8")
    with pytest.raises(MirrorError, match="holds no key of a mirror"):
        load_key(path)

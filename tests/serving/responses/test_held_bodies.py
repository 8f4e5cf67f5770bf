"""Large bodies held in memory: the same object for every request, within a number of bytes."""

from serving.responses.held_bodies import HeldBodies


def body(letter: bytes, size: int = 10) -> memoryview:
    return memoryview(letter * size)


def test_a_body_is_copied_once():
    held = HeldBodies(100)
    first = held.get("a", body(b"a"))
    assert first == b"a" * 10
    assert held.get("a", body(b"a")) is first


def test_what_is_in_memory_already_is_not_held_again():
    whole = b"x" * 10
    assert HeldBodies(0).get("x", whole) is whole


def test_the_least_recently_asked_make_room():
    held = HeldBodies(30)
    kept = {letter: held.get(letter, body(letter.encode())) for letter in "abc"}
    assert held.get("a", body(b"a")) is kept["a"]
    held.get("d", body(b"d"))
    assert held.get("a", body(b"a")) is kept["a"]
    assert held.get("b", body(b"b")) is not kept["b"]


def test_a_body_that_would_fill_half_is_not_held():
    held = HeldBodies(30)
    assert held.get("a", body(b"a", 15)) == b"a" * 15
    assert held.get("b", body(b"b", 16)) is None
